"""Build the report of a sweep: one table per measure, with one row per run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np

from pres_plugin.messages import listed
from pres_plugin.output.tables import Table, as_value, column
from pres_plugin.output.words import MOST_MEASURES, count, in_full, name, one_topic
from pres_plugin.scoring import direction
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
    return Report(
        f"{count(len(found.runs), 'run')} at {count(len(found.cutoffs), 'cutoff')}",
        f"Means of {count(found.n_topics, 'topic')} by {', '.join(found.labels.values())}.",
        list(parts(found)),
        command,
        list(sentences(found)),
    )


def parts(found: Sweep) -> Iterator[Picture | Section]:
    """Yield the tables and pictures of a sweep, in reading order."""
    yield Picture(
        "sweep",
        "Scores over Nmax",
        partial(curves, found),
        "One panel per measure and one curve per run, in the same look in all panels. Every "
        "run that leads somewhere is in colour, and up to seven runs are in any case."
        + left_out("{} runs", CURVES, len(found.runs))
        + left_out("the first {} measures", CURVE_MEASURES, len(found.measures)),
    )
    there = len(found.cutoffs)
    # Evenly spaced, with the first and the last.
    cutoffs = np.linspace(0, there - 1, min(_COLUMNS, there)).round().astype(int)
    note = "The best run at the largest Nmax comes first." if len(found.runs) > 1 else ""
    called = found.labels
    if undirected := [called[each] for each in found.measures if not direction(each)]:
        note += (
            f" For {listed(undirected)}, neither high nor low values are better, so the run with "
            "the lowest value comes first, and no run leads."
        )
    if len(cutoffs) < there:
        note += (
            f" These are {len(cutoffs)} of {there:,} values of Nmax. "
            "The report's file curves.tsv contains all of them."
        )
    views = [(f"{called[each]} by Nmax", _by_n_max(found, each, cutoffs)) for each in called]
    yield Section("curves", "Scores by Nmax", found.tables["curves"], note, views=views)
    if "expected" in found.tables:
        first = called[found.measures[0]]
        note = f"Means over Nmax, weighted as given. The best run by {first} comes first."
        yield Section("expected", "Expected scores", found.tables["expected"], note)
    if found.compared:
        note = "Runs whose means are equal to four decimals lead together."
        leaders = found.tables["leaders"]
        yield Section("leaders", "Which runs lead at each Nmax", leaders, note)


def _by_n_max(found: Sweep, measure: str, cutoffs: Iterable[int]) -> Table:
    """Return the scores by one measure at the cutoffs with these indices, one row per run."""
    order, scores = found.order(measure), found.scores_by(measure)
    columns = {str(found.cutoffs[c]): scores[order, c] for c in cutoffs}
    write: dict[str, Any] = dict.fromkeys(columns, as_value(measure))
    return Table({"run": column(found.runs)[order], **columns}, **write)


# The number of leading runs to name per measure.
_MOST_LEADERS = 3


def sentences(found: Sweep) -> Iterator[str]:
    """Describe which runs lead by the first measures."""
    for measure in found.compared[:MOST_MEASURES]:
        yield _lead(found, measure)
    first = found.measures[0]
    if "expected" in found.tables and direction(first):
        best = name(found.tables["expected"]["run"][0])
        yield (
            f"With these weights of Nmax, no run has a better expected {found.labels[first]} than "
            f"{best}."
        )
    yield from one_topic(found.n_topics) or [
        f"These are means over {found.n_topics:,} topics, and a sweep does not test whether "
        "differences are significant."
    ]
    yield from in_full(found.measures)


def _lead(found: Sweep, measure: str) -> str:
    """Say at how many cutoffs each run has the best mean."""
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
