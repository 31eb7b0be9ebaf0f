"""What takes the place of functions of ranx: each does what the original does, and a bit more."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from pres_plugin.adapters.ranx.native.metrics import metric, remember_topics
from pres_plugin.measures.ranx_names import RANX_NAMES, parse_ranx_name

__all__ = ["escaping_labels", "knowing_labels", "knowing_metrics", "noting_topics"]


def knowing_metrics(metric_switch: Callable[[str], Any]) -> Callable[[str], Any]:
    """From a metric's name to the function that computes it."""

    @wraps(metric_switch)
    def switch(name: str) -> Any:
        if (ours := metric(name)) is not None:
            return ours
        try:
            return metric_switch(name)
        except ValueError as error:
            added = ", ".join(f"`{name}`" for name in RANX_NAMES)
            error.args = (f"{str(error).removesuffix('.')}, and from pres-plugin {added}.",)
            raise

    return switch


def noting_topics(convert_qrels: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """From qrels of any kind to the list that metrics get."""

    @wraps(convert_qrels)
    def convert(qrels: Any) -> Any:
        converted = convert_qrels(qrels)
        if converted is not qrels:
            remember_topics(converted, qrels)
        return converted

    return convert


def knowing_labels(get_metric_label: Callable[..., str]) -> Callable[..., str]:
    """From a metric's string, the last argument, to its title in a report."""

    @wraps(get_metric_label)
    def get_label(*args: Any, **kwargs: Any) -> str:
        *_, metric_string = (*args, *kwargs.values())
        ours = parse_ranx_name(metric_string)
        return get_metric_label(*args, **kwargs) if ours is None else ours.label

    return get_label


def escaping_labels(to_latex: Callable[[Any], str]) -> Callable[[Any], str]:
    """A report as LaTeX, where the underscore of PRES_est would be an error.

    ranx escapes underscores in the names of runs, but its own titles have none.
    """

    @wraps(to_latex)
    def latex(report: Any) -> str:
        table = to_latex(report)
        for ours in filter(None, map(parse_ranx_name, report.metrics)):
            table = table.replace(f"{{{ours.label}}}", "{" + ours.label.replace("_", r"\_") + "}")
        return table

    return latex
