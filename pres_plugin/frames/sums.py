"""Compute what scores depend on: numbers of documents per topic, and statistics of ranks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import narwhals.stable.v2 as nw

from pres_plugin.frames.columns import Inputs
from pres_plugin.frames.engines.base import Frame
from pres_plugin.frames.names import DOC, JUDGED, QUERY, RANK, RELEVANCE, SIZE, n_column
from pres_plugin.kernel.statistics import Statistic
from pres_plugin.measures.measure import View

_POSITION = "_position"


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


def found_in(
    ranked: Frame, inputs: Inputs, view: View, wanted: Mapping[str, tuple[Statistic, int | None]]
) -> Frame:
    """Return the parts and statistics of each ranking that contains a relevant document.

    `wanted` maps each column's name to a statistic and a cutoff, or None for all ranks.
    """
    relevant = inputs.qrels.filter(nw.col(RELEVANCE) >= view.rel).select(QUERY, DOC)
    found = ranked.join(relevant, on=[QUERY, DOC], how="inner")
    if any(statistic.uses_position for statistic, _ in wanted.values()):
        found = inputs.engine.with_count(found, _POSITION, inputs.parts, [RANK])
    values = {column: _values(*asked) for column, asked in wanted.items()}
    combined = [
        getattr(nw.col(column), statistic.combine)() for column, (statistic, _) in wanted.items()
    ]
    return found.with_columns(**values).group_by(*inputs.parts).agg(*combined)


def _values(statistic: Statistic, cutoff: int | None) -> nw.Expr:
    """Return the value of each document for a statistic; 0 beyond the cutoff."""
    rank = nw.col(RANK)
    within = rank >= 1 if cutoff is None else rank <= cutoff
    value = statistic.value(rank, nw.col(_POSITION))
    return nw.when(within).then(value).otherwise(0 if statistic.is_whole else 0.0)


def sizes(inputs: Inputs) -> Frame:
    """Return the number of documents in each ranking as SIZE, or its last rank if it has ranks."""
    size = nw.col(RANK).max() if RANK in inputs.run.collect_schema() else nw.len()
    rankings = inputs.run.group_by(*inputs.parts).agg(size.alias(SIZE))
    return rankings.with_columns(nw.col(SIZE).cast(nw.Int64))
