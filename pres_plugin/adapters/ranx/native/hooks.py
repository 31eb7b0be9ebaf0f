"""Extend ranx's functions. Each function here wraps one of them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any

from pres_plugin.adapters.ranx.native.metrics import SOURCE, Metric, name_of
from pres_plugin.measures.declared import BY_LOWER_NAME
from pres_plugin.measures.ranx_names import parse_ranx_name
from pres_plugin.ranking.unmatched import unmatched_topics, warn


def with_our_metrics(metric_switch: Callable[[str], Any]) -> Callable[[str], Any]:
    """Extend the function that finds a metric by its name."""

    @wraps(metric_switch)
    def switch(name: str) -> Any:
        if (ours := parse_ranx_name(name)) is not None:
            return Metric(name, ours.measure)
        try:
            return metric_switch(name)
        except ValueError as error:
            added = ", ".join(f"`{name}`" for name in BY_LOWER_NAME)
            error.args = (f"{str(error).removesuffix('.')}, and from pres-plugin {added}.",)
            raise

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


def with_remembered_source(convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Extend the conversion of qrels or a run, so that messages can name topics and documents."""

    @wraps(convert)
    def converting(source: Any) -> Any:
        converted = convert(source)
        if converted is not source:
            # If numba's compiler is disabled, this is a plain list, which cannot have attributes.
            with suppress(AttributeError):
                setattr(converted, SOURCE, source)
        return converted

    return converting


def with_checked_topics(make_comparable: Callable[..., Any]) -> Callable[..., Any]:
    """Extend the removal of topics that are not judged, to warn if a run loses all topics."""

    @wraps(make_comparable)
    def comparable(run: Any, qrels: Any) -> Any:
        warn(unmatched_topics(name_of(run), run.keys(), qrels.keys()))
        return make_comparable(run, qrels)

    return comparable


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
