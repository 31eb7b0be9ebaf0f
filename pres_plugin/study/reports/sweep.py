"""Build the report of a sweep: one table per measure, with one row per run."""

from __future__ import annotations

from functools import partial

import numpy as np

from pres_plugin.remedy import listed
from pres_plugin.study.columns import Columns
from pres_plugin.study.directions import (
    NO_DIRECTION,
    has_direction,
    top,
    undirected,
    why_left_out,
)
from pres_plugin.study.pictures.limits import CURVE_MEASURES, CURVES, left_out
from pres_plugin.study.report import Picture, Table, View
from pres_plugin.study.reports.pictures import drawn_by
from pres_plugin.study.sweep import Sweep

# The headings of the table of changes, where they differ from the names of its columns.
_IN_WORDS = {"n_max": "crossing", "value": "crossing_score"}

#: The number of cutoffs that fit side by side.
_COLUMNS = 10

#: Terminals and pages show at most this many changes.
_SHOWN_CHANGES = 30


def parts(found: Sweep) -> list[Picture | Table]:
    """Return the tables and pictures of a sweep, in reading order."""
    return [*curves(found), _changes(found)]


def curves(found: Sweep) -> list[Picture | Table]:
    """Return the picture and the table of all scores."""
    cutoffs = _shown(found.cutoffs)
    best, no_better = top(found.measures[0]), undirected(found.measures)
    notes, no_rings = [], ""
    if len(no_better) < len(found.measures):
        notes.append("The best run at the largest Nmax comes first.")
    if no_better:
        why = f"For {listed(no_better)}, {NO_DIRECTION}, so"
        notes.append(f"{why} the run with the lowest value comes first.")
        no_rings = f" {why} nothing is marked."
    if len(cutoffs) < len(found.cutoffs):
        notes.append(
            f"These are {len(cutoffs)} of {len(found.cutoffs):,} values of Nmax. "
            "The report's file curves.tsv contains all of them."
        )
    return [
        Picture(
            "sweep",
            "Scores over Nmax",
            drawn_by("sweep", "curves", found),
            "One panel per measure and one curve per run, in the same colour in all panels. A ring "
            "marks where two runs change places. With more than seven runs, only changes that "
            f"involve one of the seven {best} by the first measure are marked."
            + no_rings
            + left_out(f"the {{}} {best} runs", CURVES, len(found.runs))
            + left_out("the first {} measures", CURVE_MEASURES, len(found.measures)),
        ),
        Table(
            "curves",
            "Scores by Nmax",
            found.table,
            " ".join(notes),
            views=[
                View(f"{measure} by Nmax", partial(_by_run, found, measure, cutoffs))
                for measure in found.measures
            ],
        ),
    ]


def _changes(found: Sweep) -> Table:
    title, changes = "Where two runs change places", found.change_columns()
    if len(changes):
        note = (
            "Scores are computed only at the values of Nmax above. Between them, crossings are "
            "estimated by linear interpolation."
        )
    else:
        note = "No two runs change places." if any(map(has_direction, found.measures)) else ""
    shown = changes
    if len(changes) > _SHOWN_CHANGES:
        shown = found.largest_changes(_SHOWN_CHANGES)
        note = (
            f"These are the {_SHOWN_CHANGES} changes for which the difference of the two runs "
            f"changes most; there are {len(changes) - _SHOWN_CHANGES:,} more, and the report's "
            f"file changes.tsv contains all of them. {note}"
        )
    in_words = Columns({_IN_WORDS.get(name, name): shown[name] for name in shown.values})
    return Table(
        "changes",
        title,
        changes,
        f"{note} {why_left_out(found.measures)}".strip(),
        views=[View(title, in_words)],
    )


def _shown(cutoffs: tuple[int, ...]) -> list[int]:
    """Return at most ten cutoffs, evenly spaced, with the first and the last."""
    at = np.linspace(0, len(cutoffs) - 1, min(_COLUMNS, len(cutoffs))).round().astype(int)
    return [cutoffs[i] for i in at.tolist()]


def _by_run(found: Sweep, measure: str, cutoffs: list[int]) -> Columns:
    by_run = found.run_columns(measure)
    return Columns({name: by_run[name] for name in ("run", *cutoffs)}, measure)
