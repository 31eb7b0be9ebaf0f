"""A sweep of cutoffs in three to six sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pres_plugin.remedy import listed
from pres_plugin.study.directions import NO_DIRECTION, has_direction, undirected
from pres_plugin.study.orderings import kendall_tau
from pres_plugin.study.sentences.words import (
    DECIMALS,
    MOST_MEASURES,
    capitalised,
    count,
    decimal,
    names,
    spread_of,
    value_of,
)
from pres_plugin.study.sentences.words import name as named

if TYPE_CHECKING:
    from pres_plugin.study.sweep import Sweep

Leaders = NDArray[np.bool_]

# The number of leading runs to name per measure.
_MOST_LEADERS = 3

# If at most so many more runs lead, they are named, too.
_FEW_MORE = 2


def sweep_sentences(sweep: Sweep) -> list[str]:
    """Describe a sweep in three to six sentences."""
    if len(sweep.runs) == 1:
        return list(_one_run(sweep))
    return list(_several_runs(sweep))


def _one_run(sweep: Sweep) -> Iterator[str]:
    (run,) = sweep.runs
    shown = range(len(sweep.measures[:MOST_MEASURES]))
    for cutoff, c in _ends(sweep).items():
        values = [
            f"{value_of(sweep.measures[m], sweep.values[0, m, c])} by {sweep.measures[m]}"
            for m in shown
        ]
        yield f"At Nmax = {cutoff:,}, {named(run)} scores {listed(values)}."
    if len(sweep.cutoffs) == 1:
        yield "With one value of Nmax, there is no change to describe."
    yield "With one run, there is no order of runs."


def _several_runs(sweep: Sweep) -> Iterator[str]:
    shown = sweep.measures[:MOST_MEASURES]
    if directed := [m for m, measure in enumerate(shown) if has_direction(measure)]:
        yield from _leaders_by(sweep, directed, undirected(shown))
    else:
        yield f"By {listed(shown)}, no run leads, because {NO_DIRECTION}."
        yield from _ranges(sweep)
        if len(sweep.cutoffs) > 1:
            yield from _agreement_of_ends(sweep, 0)
    yield (
        f"These are means over {count(sweep.n_topics, 'topic')}, and a sweep does not test "
        "whether differences are significant."
    )


def _leaders_by(sweep: Sweep, directed: list[int], no_better: list[str]) -> Iterator[str]:
    """Say which runs lead by each measure, and where the lead changes by the first one."""
    leaders = {m: _leaders(sweep.values[:, m]) for m in directed}
    m, *others = directed
    by_first, measure = leaders[m], sweep.measures[m]
    yield f"By {measure}, {_leads(sweep, by_first, _MOST_LEADERS)}."
    clauses = [f"by {sweep.measures[o]}, {_leads(sweep, leaders[o], 1)}" for o in others]
    if no_better:
        clauses.append(f"by {listed(no_better)}, no run leads, because {NO_DIRECTION}")
    if clauses:
        yield f"{capitalised('; '.join(clauses))}."
    if len(sweep.cutoffs) > 1:
        yield f"By {measure}, {_changes(sweep, by_first)}."
        yield from _agreement_of_ends(sweep, m)
    yield from _never(sweep, m, by_first)


def _ranges(sweep: Sweep) -> Iterator[str]:
    """Give the lowest and the highest mean by the first measure, at the first and last Nmax."""
    measure = sweep.measures[0]
    for cutoff, c in _ends(sweep).items():
        spread = spread_of(measure, sweep.runs, sweep.values[:, 0, c])
        yield f"At Nmax = {cutoff:,}, {measure} {spread}."


def _ends(sweep: Sweep) -> dict[int, int]:
    """Return the smallest and the largest Nmax, once if they are the same, and their positions."""
    return {sweep.cutoffs[0]: 0, sweep.cutoffs[-1]: -1}


def _leaders(values: NDArray[np.float64]) -> Leaders:
    """Return whether each run has the highest mean at each cutoff."""
    rounded = values.round(DECIMALS)
    leads: Leaders = rounded == rounded.max(axis=0)
    return leads


def _leads(sweep: Sweep, leads: Leaders, at_most: int) -> str:
    """Name the runs that lead most often, and say at how many cutoffs each leads."""
    if leads.all():
        return f"all {len(sweep.runs):,} runs have the same mean at every Nmax"
    if len(sweep.cutoffs) == 1:
        first = [
            run for run, leading in zip(sweep.runs, leads[:, 0].tolist(), strict=True) if leading
        ]
        verb = "leads" if len(first) == 1 else "share the lead"
        return f"{names(first)} {verb} at the only value of Nmax, {sweep.cutoffs[0]:,}"
    times = leads.sum(axis=1)
    order = [r for r in np.argsort(-times, kind="stable").tolist() if times[r]]
    if len(order) <= at_most + _FEW_MORE:
        at_most = len(order)
    texts = []
    for position, r in enumerate(order[:at_most]):
        verb = "leads " if position == 0 else ""
        texts.append(f"{named(sweep.runs[r])} {verb}at {_of(int(times[r]), sweep, position == 0)}")
    left = len(order) - at_most
    if left > 0:
        fewer = "fewer"
        if times[order[at_most]] == times[order[at_most - 1]]:
            fewer = "as many or fewer"
        texts.append(f"{count(left, 'other run')} at {fewer} values each")
    tied = leads.sum(axis=0) > 1
    ties = f" (ties for the lead at {count(int(tied.sum()), 'value')})" if tied.any() else ""
    return listed(texts) + ties


def _of(number: int, sweep: Sweep, is_first: bool) -> str:
    n_cutoffs = len(sweep.cutoffs)
    if not is_first:
        return f"{number:,}"
    return f"{'all' if number == n_cutoffs else f'{number:,} of the'} {n_cutoffs:,} values of Nmax"


def _changes(sweep: Sweep, leads: Leaders) -> str:
    """Say where the lead changes."""
    changed = np.flatnonzero((leads[:, 1:] != leads[:, :-1]).any(axis=0))
    if len(changed) == 0:
        return "the lead never changes"
    where = f"between Nmax = {sweep.cutoffs[changed[0]]:,} and {sweep.cutoffs[changed[0] + 1]:,}"
    if len(changed) == 1:
        return f"the lead changes once, {where}"
    times = "twice" if len(changed) == 2 else f"{len(changed):,} times"
    return f"the lead changes {times}, first {where}"


def _agreement_of_ends(sweep: Sweep, m: int) -> Iterator[str]:
    """Compare the orders of the runs by a measure at the smallest and the largest Nmax."""
    tau = kendall_tau(sweep.values[:, m, 0], sweep.values[:, m, -1])
    if not np.isnan(tau):
        yield (
            f"Kendall's τ between the orders of the runs by {sweep.measures[m]} at Nmax = "
            f"{sweep.cutoffs[0]:,} and {sweep.cutoffs[-1]:,} is {decimal(tau, 2)}."
        )


def _never(sweep: Sweep, m: int, leads: Leaders) -> Iterator[str]:
    """Name the runs that do not lead by a measure at any Nmax."""
    never = [sweep.runs[r] for r in np.flatnonzero(~leads.any(axis=1))]
    if never:
        do = "does" if len(never) == 1 else "do"
        where = "this value" if len(sweep.cutoffs) == 1 else "any of these values"
        yield f"{names(never)} {do} not lead by {sweep.measures[m]} at {where} of Nmax."
