"""Compute what scores depend on: numbers of documents per topic, and statistics of ranks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import narwhals.stable.v2 as nw

from pres_plugin.frames.columns import Inputs
from pres_plugin.frames.engines.base import Frame
from pres_plugin.frames.names import DOC, JUDGED, QUERY, RANK, RELEVANCE, SIZE, n_column
from pres_plugin.kernel.goal import Goal
from pres_plugin.kernel.statistics import STATISTICS, Statistic
from pres_plugin.measures.measure import View

_POSITION, _N = "_position", "_n"


class Wanted(NamedTuple):
    """A statistic to compute from the ranks up to a cutoff, or from all if it is None."""

    name: str
    cutoff: int | None
    goal: Goal

    @property
    def statistic(self) -> Statistic:
        """The statistic of this name."""
        return STATISTICS[self.name]

    def column(self, view: View) -> str:
        """Name the column of the statistic."""
        ranking = "judged" if view.judged_only else "all"
        name = f"_{self.name}_{view.rel}_{ranking}_{'end' if self.cutoff is None else self.cutoff}"
        if not self.statistic.of_goal:
            return name
        # Spark reads a dot in a name as an operator.
        return re.sub(r"\W", "_", f"{name}_{self.goal.recall}_{self.goal.rounding}")


def topics_of(inputs: Inputs, views: Iterable[View]) -> Frame:
    """Return one row per run and topic in the qrels: the parts, `n` of each view, and JUDGED."""
    relevance = nw.col(RELEVANCE)
    counts = {n_column(view): relevance >= view.rel for view in views}
    counts[JUDGED] = relevance >= 0
    topics = (
        inputs.qrels.with_columns(
            **{name: counted.cast(nw.Int64) for name, counted in counts.items()}
        )
        .group_by(QUERY)
        .agg(*(nw.col(name).sum() for name in counts))
        .with_columns(nw.col(*counts).cast(nw.Int64))
    )
    *by, _ = inputs.parts
    if not by:
        return topics
    # Group the rows, because narwhals' unique() sorts the whole run in Spark.
    runs = inputs.run.group_by(*by).agg(nw.len().alias(SIZE)).drop(SIZE)
    return runs.join(topics, how="cross")


def found_in(ranked: Frame, inputs: Inputs, view: View, wanted: Mapping[str, Wanted]) -> Frame:
    """Return one row per ranking that contains a relevant document.

    The columns are those that identify the ranking (`inputs.parts`), and the statistics.
    `wanted` maps the name of each statistic's column to the statistic.
    """
    statistics = [asked.statistic for asked in wanted.values()]
    relevant = inputs.qrels.filter(nw.col(RELEVANCE) >= view.rel).select(QUERY, DOC)
    if any(statistic.of_goal for statistic in statistics):
        relevant = inputs.engine.with_size(relevant, _N, [QUERY])
    found = ranked.join(relevant, on=[QUERY, DOC], how="inner")
    if any(statistic.needs_positions for statistic in statistics):
        found = inputs.engine.with_count(found, _POSITION, inputs.parts, [RANK])
    values = {column: _values(asked) for column, asked in wanted.items()}
    combined = [
        getattr(nw.col(column), asked.statistic.combine)() for column, asked in wanted.items()
    ]
    return found.with_columns(**values).group_by(*inputs.parts).agg(*combined)


def _values(asked: Wanted) -> nw.Expr:
    """Return what each document adds to a statistic: 0 for those after the cutoff or the goal."""
    rank, position, statistic = nw.col(RANK), nw.col(_POSITION), asked.statistic
    counts = rank >= 1 if asked.cutoff is None else rank <= asked.cutoff
    if statistic.of_goal:
        counts = counts & asked.goal.includes(position, nw.col(_N))
    value = statistic.value(rank, position)
    return nw.when(counts).then(value).otherwise(0 if statistic.is_whole else 0.0)


def sizes(inputs: Inputs) -> Frame:
    """Return the number of documents in each ranking as SIZE, or its last rank if it has ranks."""
    size = nw.col(RANK).max() if RANK in inputs.run.collect_schema() else nw.len()
    rankings = inputs.run.group_by(*inputs.parts).agg(size.alias(SIZE))
    return rankings.with_columns(nw.col(SIZE).cast(nw.Int64))
