"""Build the report of a sweep: one table per measure, with one row per run."""

from __future__ import annotations

from functools import partial

import numpy as np

from pres_plugin.remedy import listed
from pres_plugin.study.output.parts import Picture, Section, left_out
from pres_plugin.study.output.report import Report
from pres_plugin.study.output.words import count
from pres_plugin.study.scoring import has_direction
from pres_plugin.study.sweep.analysis import CURVE_MEASURES, CURVES, Sweep

# The number of cutoffs that fit side by side.
_COLUMNS = 10

# Terminals and pages show at most this many changes.
_SHOWN_CHANGES = 30


def report(found: Sweep, command: str) -> Report:
    """Return the report of a sweep; `command` makes it again."""
    return Report(
        f"{count(len(found.runs), 'run')} at {count(len(found.cutoffs), 'cutoff')}",
        f"Means of {count(found.n_topics, 'topic')} by {', '.join(found.measures)}.",
        parts(found),
        command,
        found.sentences(),
    )


def main_parts(found: Sweep) -> list[Picture | Section]:
    """Return the picture and the table of all scores."""
    there = len(found.cutoffs)
    # Evenly spaced, with the first and the last.
    cutoffs = np.linspace(0, there - 1, min(_COLUMNS, there)).round().astype(int)
    note = "The best run at the largest Nmax comes first."
    if undirected := [measure for measure in found.measures if not has_direction(measure)]:
        note += (
            f" For {listed(undirected)}, neither high nor low values are better, so the run with "
            "the lowest value comes first, and changes of places are left out."
        )
    if len(cutoffs) < there:
        note += (
            f" These are {len(cutoffs)} of {there:,} values of Nmax. "
            "The report's file curves.tsv contains all of them."
        )
    expected = []
    if found.weights is not None:
        note += " The last column is the expected score: the mean over Nmax, weighted as given."
        expected = [
            Section(
                "expected",
                "Expected scores",
                found.expected_scores,
                f"Weighted means over Nmax. The best run by {found.measures[0]} comes first.",
                printed=False,
            )
        ]
    return [
        Picture(
            "sweep",
            "Scores over Nmax",
            partial(found.draw, "curves"),
            "One panel per measure and one curve per run, in the same colour in all panels. A ring "
            "marks where two runs change places. With more than seven runs, only changes that "
            "involve one of the seven best by the first measure are marked."
            + left_out("the {} best runs", CURVES, len(found.runs))
            + left_out("the first {} measures", CURVE_MEASURES, len(found.measures)),
        ),
        Section(
            "curves",
            "Scores by Nmax",
            found.all_scores,
            note,
            views=[
                (f"{measure} by Nmax", found.scores_at(cutoffs, measure))
                for measure in found.measures
            ],
        ),
        *expected,
    ]


def parts(found: Sweep) -> list[Picture | Section]:
    """Return the tables and pictures of a sweep, in reading order."""
    title, swings = "Where two runs change places", found.swings()
    changes = swings.without("swing")
    largest = np.argsort(-swings["swing"].round(12), kind="stable")[:_SHOWN_CHANGES]
    about = "No two runs change places."
    if len(changes):
        about = (
            "Scores are computed only at the values of Nmax above. Between them, crossings are "
            "estimated by linear interpolation."
        )
    if left := len(changes) - len(largest):
        about = (
            f"These are the {_SHOWN_CHANGES} changes for which the difference of the two runs "
            f"changes most; there are {left:,} more, and the report's "
            f"file changes.tsv contains all of them. {about}"
        )
    return [
        *main_parts(found),
        Section("changes", title, changes, about, views=[(title, changes.rows(np.sort(largest)))]),
    ]
