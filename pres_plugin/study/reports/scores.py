"""Build the report of mean scores: a table and a picture, best run first."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from pres_plugin.study.columns import Columns
from pres_plugin.study.directions import top
from pres_plugin.study.estimates import estimates
from pres_plugin.study.pictures.limits import COMPARED_RUNS, SCALES, left_out
from pres_plugin.study.pictures.scales import scales
from pres_plugin.study.report import Picture, Table, View
from pres_plugin.study.reports.pictures import drawn_by
from pres_plugin.study.scoring import Scores


def means(
    scores: Scores,
    baselines: Collection[str] = (),
    intervals: Columns | None = None,
    about_intervals: str = "",
) -> list[Picture | Table]:
    """Return a table and a picture of mean scores, with their confidence intervals, if any.

    `about_intervals` describes the intervals; it is empty if they are undefined.
    """
    title, first = "Mean scores", scores.measures[0]
    at_top = f"The {top(first)} run by {first}"
    drawn = drawn_runs(scores, baselines)
    views = [] if intervals is None else [View(title, partial(_bounded, scores, intervals))]
    bars = " Bars are confidence intervals." if about_intervals else ""
    return [
        Table(
            "scores",
            title,
            scores.means_in_order(),
            f"{at_top} comes first. {about_intervals}".rstrip(),
            views=views,
        ),
        Picture(
            "sorted-scores",
            f"Scores of {'the' if drawn else 'all'} runs, sorted by {first}",
            drawn_by("compare", "sorted_scores", scores, baselines, intervals),
            f"Mean score of each run by each measure. {at_top} is at the top.{bars}{drawn}"
            + left_out("the first {} panels", SCALES, len(scales(scores))),
        ),
    ]


def drawn_runs(scores: Scores, baselines: Collection[str]) -> str:
    """Return which runs the pictures show; empty if they show all."""
    best = top(scores.measures[0])
    runs = (
        f"{{}} runs (the baselines and the {best} others)" if baselines else f"the {best} {{}} runs"
    )
    return left_out(runs, COMPARED_RUNS, len(scores.runs))


def _bounded(scores: Scores, intervals: Columns) -> Columns:
    """Return the means with their confidence intervals, in the order of the means."""
    bounded = {
        measure: estimates(scores, m, intervals) for m, measure in enumerate(scores.measures)
    }
    in_order = {
        name: [values[i] for i in scores.order().tolist()]
        for name, values in {"run": scores.runs, **bounded}.items()
    }
    return Columns(in_order)
