"""Build the report of a sweep: one table per measure, with one row per run."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd

from pres_plugin.remedy import listed
from pres_plugin.study.directions import has_direction
from pres_plugin.study.pictures.limits import CURVE_MEASURES, CURVES, left_out
from pres_plugin.study.report import Picture, Table, View
from pres_plugin.study.reports.pictures import drawn_by
from pres_plugin.study.reports.scores import top_of
from pres_plugin.study.sweep import Sweep

#: The number of cutoffs that fit side by side.
_COLUMNS = 10


def parts(found: Sweep) -> list[Picture | Table]:
    """Return the tables and pictures of a sweep, in reading order."""
    return [*curves(found), _changes(found)]


def curves(found: Sweep) -> list[Picture | Table]:
    """Return the picture and the table of all scores."""
    cutoffs = _shown(found.cutoffs)
    top = top_of(found.measures[0])
    note = _first_rows(found.measures)
    if len(cutoffs) < len(found.cutoffs):
        note += (
            f" These are {len(cutoffs)} of {len(found.cutoffs):,} values of Nmax. "
            "The report's file curves.tsv contains all of them."
        )
    return [
        Picture(
            "sweep",
            "Scores over Nmax",
            drawn_by("sweep", "curves", found),
            "One panel per measure and one curve per run, in the same colour in all panels. A ring "
            "marks where two runs change places. With more than seven runs, only changes that "
            f"involve one of the seven {top} by the first measure are marked."
            + left_out(f"the {{}} {top} runs", CURVES, len(found.runs))
            + left_out("the first {} measures", CURVE_MEASURES, len(found.measures)),
        ),
        Table(
            "curves",
            "Scores by Nmax",
            found.table,
            note,
            views=[
                View(f"{measure} by Nmax", partial(_by_run, found, measure, cutoffs))
                for measure in found.measures
            ],
        ),
    ]


def _first_rows(measures: Sequence[str]) -> str:
    """Return which run comes first in the tables of these measures."""
    undirected = [measure for measure in measures if not has_direction(measure)]
    if len(undirected) == len(measures):
        return "The lowest run at the largest Nmax comes first, because no value is better."
    note = "The best run at the largest Nmax comes first."
    if undirected:
        note += f" By {listed(undirected)}, no value is better, so the lowest comes first."
    return note


def _changes(found: Sweep) -> Table:
    title, changes = "Where two runs change places", found.changes()
    note = (
        "Scores are computed only at the values of Nmax above. Between them, crossings are "
        "estimated by linear interpolation."
    )
    in_words = changes.rename(columns={"n_max": "crossing", "value": "crossing_score"})
    return Table(
        "changes",
        title,
        changes,
        note if len(changes) else "No two runs change places.",
        views=[View(title, in_words)],
    )


def _shown(cutoffs: tuple[int, ...]) -> list[int]:
    """Return at most ten cutoffs, evenly spaced, with the first and the last."""
    at = np.linspace(0, len(cutoffs) - 1, min(_COLUMNS, len(cutoffs))).round().astype(int)
    return [cutoffs[i] for i in at.tolist()]


def _by_run(found: Sweep, measure: str, cutoffs: list[int]) -> pd.DataFrame:
    return found.by_run(measure)[cutoffs]
