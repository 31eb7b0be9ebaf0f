"""What the scores of a topic depend on: how many relevant documents, how many found, where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import narwhals.stable.v2 as nw

from pres_plugin.frames.columns import Inputs
from pres_plugin.frames.engines import Frame
from pres_plugin.frames.names import DOC, JUDGED, QUERY, RANK, RELEVANCE, SIZE

__all__ = ["PRECISIONS", "View", "found_in", "sizes", "topics_of"]

_HITS = "_hits"

#: How the names of columns begin that hold sums of precisions; other sums are whole.
PRECISIONS = "_precisions"


@dataclass(frozen=True)
class View:
    """The judgements as measures of the same `rel` and `judged_only` see them.

    The names of the columns of a topic's sums are made here.
    """

    rel: int
    judged_only: bool

    @property
    def n(self) -> str:
        """Relevant documents."""
        return f"_n_{self.rel}"

    def found(self, cutoff: int | None) -> str:
        """Those of them in the top `cutoff`."""
        return self._named("_found", cutoff)

    def rank_sum(self, cutoff: int | None) -> str:
        """The sum of their ranks."""
        return self._named("_ranks", cutoff)

    def precision_sum(self, cutoff: int | None) -> str:
        """The sum of the precisions at their ranks."""
        return self._named(PRECISIONS, cutoff)

    def _named(self, what: str, cutoff: int | None) -> str:
        ranking = "judged" if self.judged_only else "all"
        return f"{what}_{self.rel}_{ranking}_{'end' if cutoff is None else cutoff}"


def topics_of(inputs: Inputs, views: Iterable[View]) -> Frame:
    """Each ranking to score: of every topic in the qrels, for each run.

    Returns
    -------
    narwhals DataFrame or LazyFrame
        The parts; of each view its `n`; and JUDGED.
    """
    relevance = nw.col(RELEVANCE)
    counts = {view.n: relevance >= view.rel for view in views} | {JUDGED: relevance >= 0}
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
    # Grouped, since narwhals has Spark sort the whole run to tell its distinct rows.
    runs = inputs.run.group_by(*by).agg(nw.len().alias(SIZE)).drop(SIZE)
    return runs.join(topics, how="cross")


def found_in(ranked: Frame, inputs: Inputs, view: View, cutoffs: Iterable[int | None]) -> Frame:
    """The sums of each ranking that found something relevant.

    Returns
    -------
    narwhals DataFrame or LazyFrame
        The parts and, for each cutoff, `found`, `rank_sum` and `precision_sum` of the view.
    """
    relevant = inputs.qrels.filter(nw.col(RELEVANCE) >= view.rel).select(QUERY, DOC)
    found = ranked.join(relevant, on=[QUERY, DOC], how="inner")
    found = inputs.engine.with_count(found, _HITS, inputs.parts, [RANK])
    rank, hits = nw.col(RANK), nw.col(_HITS)
    columns = {}
    for cutoff in cutoffs:
        within = rank >= 1 if cutoff is None else rank <= cutoff
        columns[view.found(cutoff)] = nw.when(within).then(nw.lit(1)).otherwise(nw.lit(0))
        columns[view.rank_sum(cutoff)] = nw.when(within).then(rank).otherwise(nw.lit(0))
        columns[view.precision_sum(cutoff)] = (
            nw.when(within).then(hits / rank).otherwise(nw.lit(0.0))
        )
    return (
        found.with_columns(**columns)
        .group_by(*inputs.parts)
        .agg(*(nw.col(name).sum() for name in columns))
    )


def sizes(inputs: Inputs) -> Frame:
    """How many documents each ranking holds, as SIZE; or its last rank, where they are given."""
    rank = RANK in inputs.run.collect_schema()
    size = nw.col(RANK).max() if rank else nw.len()
    return (
        inputs.run.group_by(*inputs.parts)
        .agg(size.alias(SIZE))
        .with_columns(nw.col(SIZE).cast(nw.Int64))
    )
