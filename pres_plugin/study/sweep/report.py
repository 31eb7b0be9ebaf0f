"""Build the report of a sweep: one table per measure, with one row per run."""

from __future__ import annotations

from functools import partial

import numpy as np

from pres_plugin.messages import listed
from pres_plugin.output.words import MOST_MEASURES, count, in_full, name, one_topic
from pres_plugin.scoring import has_direction
from pres_plugin.study import result
from pres_plugin.study.output.parts import Picture, Section, left_out
from pres_plugin.study.output.report import Report
from pres_plugin.study.sweep.analysis import CURVE_MEASURES, CURVES, Sweep
from pres_plugin.study.sweep.picture import curves

# The number of cutoffs that fit side by side.
_COLUMNS = 10


@result.report.register(Sweep)
def report(found: Sweep, command: str = "") -> Report:
    """Return the report of a sweep; `command` makes it again."""
    by = ", ".join(found.labels.values())
    return Report(
        f"{count(len(found.runs), 'run')} at {count(len(found.cutoffs), 'cutoff')}",
        f"Means of {count(found.n_topics, 'topic')} by {by}.",
        parts(found),
        command,
        sentences(found),
        main=main_parts(found),
    )


def main_parts(found: Sweep) -> list[Picture | Section]:
    """Return the picture and the table of all scores."""
    there = len(found.cutoffs)
    # Evenly spaced, with the first and the last.
    cutoffs = np.linspace(0, there - 1, min(_COLUMNS, there)).round().astype(int)
    note = "The best run at the largest Nmax comes first." if len(found.runs) > 1 else ""
    called = found.labels
    if undirected := [called[each] for each in found.measures if not has_direction(each)]:
        note += (
            f" For {listed(undirected)}, neither high nor low values are better, so the run with "
            "the lowest value comes first, and no run leads."
        )
    if len(cutoffs) < there:
        note += (
            f" These are {len(cutoffs)} of {there:,} values of Nmax. "
            "The report's file curves.tsv contains all of them."
        )
    expected = []
    if found.weights is not None:
        first = called[found.measures[0]]
        note += " The last column is the expected score: the mean over Nmax, weighted as given."
        expected = [
            Section(
                "expected",
                "Expected scores",
                found.expected_scores,
                f"Weighted means over Nmax. The best run by {first} comes first.",
                printed=False,
            )
        ]
    return [
        Picture(
            "sweep",
            "Scores over Nmax",
            partial(curves, found),
            "One panel per measure and one curve per run, in the same look in all panels. Every "
            "run that leads somewhere is in colour, and up to seven runs are in any case."
            + left_out("{} runs", CURVES, len(found.runs))
            + left_out("the first {} measures", CURVE_MEASURES, len(found.measures)),
        ),
        Section(
            "curves",
            "Scores by Nmax",
            found.all_scores,
            note,
            views=[
                (f"{label} by Nmax", found.scores_at(cutoffs, measure))
                for measure, label in called.items()
            ],
        ),
        *expected,
    ]


def parts(found: Sweep) -> list[Picture | Section]:
    """Return the tables and pictures of a sweep, in reading order."""
    if not found.compared:
        return main_parts(found)
    about = "Runs whose means are equal to four decimals lead together."
    leaders = Section("leaders", "Which runs lead at each Nmax", found.all_leaders(), about)
    return [*main_parts(found), leaders]


# The number of leading runs to name per measure.
_MOST_LEADERS = 3


def sentences(found: Sweep) -> list[str]:
    """Describe which runs lead by the first measures."""
    return [
        *(_lead(found, measure) for measure in found.compared[:MOST_MEASURES]),
        *(
            f"With these weights of Nmax, no run has a higher expected "
            f"{found.labels[measure]} than {name(found.expected_scores()['run'][0])}."
            for measure in found.measures[:1]
            if found.weights is not None and has_direction(measure)
        ),
        *(
            one_topic(found.n_topics)
            or [
                f"These are means over {found.n_topics:,} topics, and a sweep does not test "
                "whether differences are significant."
            ]
        ),
        *in_full(found.measures),
    ]


def _lead(found: Sweep, measure: str) -> str:
    """Say at how many cutoffs each run has the highest mean."""
    leads = found.leads(measure)
    by = f"By {found.labels[measure]}"
    if leads.all():
        return f"{by}, all runs have the same mean at every Nmax."
    times, n_cutoffs = leads.sum(axis=1), len(found.cutoffs)
    first, *rest = (r for r in np.argsort(-times, kind="stable") if times[r])
    named, others = rest[: _MOST_LEADERS - 1], rest[_MOST_LEADERS - 1 :]
    of = count(n_cutoffs, "value")
    texts = [f"{name(found.runs[first])} leads at {times[first]:,} of {of} of Nmax"]
    texts += [f"{name(found.runs[r])} at {times[r]:,}" for r in named]
    if others:
        texts.append(f"{count(len(others), 'other run')} at up to {times[others[0]]:,}")
    ties = ", with ties" if times.sum() > n_cutoffs else ""
    return f"{by}, {listed(texts)}{ties}."
