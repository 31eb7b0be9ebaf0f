"""Extend ranx's functions. Each function here wraps one of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from pres_plugin.adapters.ranx.native.metrics import Metric
from pres_plugin.measures.ranx_names import parse_ranx_name


def with_our_metrics(metric_switch: Callable[[str], Any]) -> Callable[[str], Any]:
    """Extend the function that finds a metric by its name."""

    @wraps(metric_switch)
    def switch(name: str) -> Any:
        ours = parse_ranx_name(name)
        return metric_switch(name) if ours is None else Metric(name, ours.measure)

    return switch


def with_checked_zero(extract: Callable[[str], Any]) -> Callable[[str], Any]:
    """Extend the function that reads a metric's string, to reject a recall of 0 after ``@``.

    ranx passes 0 to metrics without ``@``, too, so metrics cannot tell these two apart.
    """

    @wraps(extract)
    def read(metric: str) -> Any:
        parts = extract(metric)
        name, number, _ = parts
        if "@" in metric and number == 0 and (ours := parse_ranx_name(name)) is not None:
            Metric(name, ours.measure).check_zero()
        return parts

    return read


def with_our_labels(get_metric_label: Callable[..., str]) -> Callable[..., str]:
    """Extend the function that finds a metric's title in reports, given its string."""

    @wraps(get_metric_label)
    def get_label(*args: Any, **kwargs: Any) -> str:
        # The string is the last argument of ranx's function and of its methods.
        *_, metric_string = (*args, *kwargs.values())
        ours = parse_ranx_name(metric_string)
        return get_metric_label(*args, **kwargs) if ours is None else ours.label

    return get_label


def with_escaped_labels(to_latex: Callable[[Any], str]) -> Callable[[Any], str]:
    """Extend the export to LaTeX, to escape the underscore in the title of PRES_est.

    ranx escapes only the names of runs, because its own titles contain no underscore.
    """

    @wraps(to_latex)
    def latex(report: Any) -> str:
        table = to_latex(report)
        for ours in filter(None, map(parse_ranx_name, report.metrics)):
            table = table.replace(f"{{{ours.label}}}", "{" + ours.label.replace("_", r"\_") + "}")
        return table

    return latex
