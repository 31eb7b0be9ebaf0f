"""Compute scores per topic: numbers of documents, statistics of ranks, and the formulas' values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw

from pres_plugin.frames.engines.base import Frame
from pres_plugin.frames.inputs import CheckedFrames, Duplicates
from pres_plugin.frames.names import DOC, JUDGED, QUERY, RANK, RELEVANCE, SIZE
from pres_plugin.frames.ranking import judged_with_ranks
from pres_plugin.kernel.goal import USUAL_GOAL, Goal
from pres_plugin.kernel.statistics import STATISTICS, Statistic
from pres_plugin.measures import Measure
from pres_plugin.measures.measure import View
from pres_plugin.measures.parameters import COLLECTION_SIZE
from pres_plugin.ranking.scores import collection_problem
from pres_plugin.unmatched import unmatched_in_rows, warn


class Wanted(NamedTuple):
    """A statistic to compute from the ranks up to a cutoff, or from all if it is None."""

    name: str
    view: View
    cutoff: int | None = None
    goal: Goal = USUAL_GOAL

    @property
    def statistic(self) -> Statistic:
        """The statistic of this name."""
        return STATISTICS[self.name]

    @property
    def column(self) -> str:
        """The name of its column; Spark would read dots and brackets in it as operators."""
        return re.sub(r"\W", "_", f"_{self.name}_{self.view}_{self.cutoff}_{self.goal}")

    @property
    def value(self) -> nw.Expr:
        """What each document adds: 0 for those that are not relevant, or after the cutoff or goal.

        The expression reads the columns that :func:`_sums` adds.
        """
        rel, statistic = self.view.rel, self.statistic
        rank, position = nw.col(f"_rank_{rel}"), nw.col(f"_position_{rel}")
        counts = rank >= 1 if self.cutoff is None else rank <= self.cutoff
        if statistic.of_goal:
            counts = counts & self.goal.includes(position, nw.col(_n_column(rel)))
        value = statistic.value(rank, position)
        return nw.when(counts).then(value).otherwise(0 if statistic.is_whole else 0.0)


def _n_column(rel: int) -> str:
    """Name the column with the number of documents with at least this relevance."""
    return f"_n_{rel}"


def scored(frames: CheckedFrames, measures: Iterable[Measure], duplicates: Duplicates) -> Frame:
    """Return one row per run and topic: the parts, and one column of scores per measure."""
    topics = _sizes_checked(_with_sums(frames, measures, duplicates), measures, frames)
    return topics.select(*frames.parts, **{str(measure): _score(measure) for measure in measures})


def _with_sums(frames: CheckedFrames, measures: Iterable[Measure], duplicates: Duplicates) -> Frame:
    """Return one row per run and topic, with all numbers that the measures depend on."""
    wanted = {asked for measure in measures for asked in _statistics(measure)}
    counts = _counts(frames, {measure.rel for measure in measures})
    topics = _of_each_run(counts, frames)
    is_whole = {asked.column: asked.statistic.is_whole for asked in wanted}
    for judged_only in {asked.view.judged_only for asked in wanted}:
        retrieved = judged_with_ranks(frames, judged_only, duplicates)
        of_ranking = [asked for asked in wanted if asked.view.judged_only == judged_only]
        sums = _sums(retrieved, counts, frames, of_ranking)
        topics = topics.join(sums, on=frames.parts, how="left")
    if any(map(_depends_on_size, measures)):
        topics = topics.join(_sizes(frames), on=frames.parts, how="left")
        is_whole[SIZE] = True
    if wanted and isinstance(topics, nw.DataFrame):
        _warn_about_ids(frames, topics.to_native(), next(iter(wanted)).column)
    # Rankings without a relevant document have no row to join, so their statistics are null.
    # DuckDB's sums of 64-bit integers have 128 bits.
    return topics.with_columns(
        *(
            nw.col(column).fill_null(0).cast(nw.Int64() if whole else nw.Float64())
            for column, whole in is_whole.items()
        )
    )


def _warn_about_ids(frames: CheckedFrames, topics: Any, found: str) -> None:
    """Warn about each run in frames of polars whose ids have another form than those of the qrels.

    `topics` has one row per run and topic, with null in the column `found` if no relevant document
    was retrieved.
    """
    *by, _ = frames.parts
    ids = {"query_id": QUERY, "doc_id": DOC}
    run, qrels = frames.run.to_native(), frames.qrels.to_native().select(**ids)

    def by_run(rows: Any) -> Any:
        return rows.partition_by(by, as_dict=True, maintain_order=True) if by else {(): rows}

    runs = by_run(run)
    for name, of_run in by_run(topics).items():
        where, found_any = " ".join(["run", *map(str, name)]), of_run[found].count() > 0
        warn(unmatched_in_rows(where, runs[name].select(**ids), qrels, found=found_any))


def _statistics(measure: Measure) -> list[Wanted]:
    names = measure.declaration.statistics
    wanted = [Wanted(name, measure.view, measure.cutoff, measure.goal) for name in names]
    return wanted if measure.N is None else [*wanted, _found_anywhere(measure)]


def _found_anywhere(measure: Measure) -> Wanted:
    """Return the number of documents found at any rank, from which those missed are counted."""
    return Wanted("found", measure.view)


def _counts(frames: CheckedFrames, rels: Iterable[int]) -> Frame:
    """Return one row per topic in the qrels: QUERY, `n` for each minimum relevance, and JUDGED."""
    counts = {_n_column(rel): rel for rel in rels} | {JUDGED: 0}
    is_counted = {name: (nw.col(RELEVANCE) >= rel).cast(nw.Int64) for name, rel in counts.items()}
    sums = frames.qrels.with_columns(**is_counted).group_by(QUERY).agg(nw.col(*counts).sum())
    return sums.with_columns(nw.col(*counts).cast(nw.Int64))


def _of_each_run(topics: Frame, frames: CheckedFrames) -> Frame:
    """Repeat the topics for each run, if the frame contains several."""
    *by, _ = frames.parts
    if not by:
        return topics
    # Group the rows, because narwhals' unique() sorts the whole run in Spark.
    runs = frames.run.group_by(*by).agg(nw.len().alias(SIZE)).drop(SIZE)
    return runs.join(topics, how="cross")


def _sums(
    retrieved: Frame, counts: Frame, frames: CheckedFrames, wanted: Sequence[Wanted]
) -> Frame:
    """Return one row per ranking that contains a relevant document: the parts and statistics."""
    rels = {asked.view.rel for asked in wanted}
    found = retrieved.filter(nw.col(RELEVANCE) >= min(rels))
    for rel in rels:
        rank = nw.when(nw.col(RELEVANCE) >= rel).then(nw.col(RANK))
        found = found.with_columns(rank.alias(f"_rank_{rel}"))
        if any(asked.statistic.needs_positions for asked in wanted if asked.view.rel == rel):
            found = frames.engine.with_count(
                found, f"_position_{rel}", frames.parts, f"_rank_{rel}"
            )
    if any(asked.statistic.of_goal for asked in wanted):
        found = found.join(counts, on=QUERY, how="inner")
    combined = (getattr(nw.col(asked.column), asked.statistic.combine)() for asked in wanted)
    values = {asked.column: asked.value for asked in wanted}
    return found.with_columns(**values).group_by(*frames.parts).agg(*combined)


def _sizes(frames: CheckedFrames) -> Frame:
    """Return the number of documents in each ranking as SIZE, or its last rank if it has ranks."""
    size = nw.col(RANK).max() if RANK in frames.run.collect_schema() else nw.len()
    rankings = frames.run.group_by(*frames.parts).agg(size.alias(SIZE))
    return rankings.with_columns(nw.col(SIZE).cast(nw.Int64))


def _sizes_checked(topics: Frame, measures: Iterable[Measure], frames: CheckedFrames) -> Frame:
    """Raise if a topic has too many documents for a measure; for lazy frames, when executed.

    Each guard makes a lazy query deeper, so only the strictest measure with each minimum
    relevance is checked.
    """
    topic = f"topic '{{{QUERY}}}'"
    for rel in dict.fromkeys(measure.rel for measure in measures):
        of_rel = [measure for measure in measures if measure.rel == rel]
        n = _n_column(rel)
        if with_size := [measure for measure in of_rel if measure.N is not None]:
            smallest = min(with_size, key=lambda measure: measure.N or 0)
            missed = nw.col(n) - nw.col(_found_anywhere(smallest).column)
            topics = topics.with_columns((nw.col(SIZE) + missed).alias("_known"))
            problem = collection_problem(smallest, topic, "{_known}")
            wrong = nw.col("_known") > smallest.N
            topics = frames.engine.guarded(topics, n, wrong, problem)
    return topics


class _Topic:
    """The values of a topic that formulas use; see :class:`.TopicValues`."""

    def __init__(self, measure: Measure) -> None:
        self._measure = measure
        self.n_max = measure.cutoff
        self.goal = measure.goal
        # Avoid dividing by 0: `_score` replaces the scores of topics without relevant documents.
        self.n = _at_least_one(nw.col(_n_column(measure.rel)))
        self.n_docs = (
            _at_least_one(nw.col(JUDGED)) if measure.N is None else nw.lit(measure.N).cast(nw.Int64)
        )

    def __getattr__(self, statistic: str) -> nw.Expr:
        return nw.col(Wanted(statistic, self._measure.view, self.n_max, self.goal).column)

    def minimum(self, first: nw.Expr, second: Any) -> nw.Expr:
        return nw.min_horizontal(first, nw.lit(second))

    def where(self, condition: nw.Expr, then: Any, otherwise: Any) -> nw.Expr:
        return nw.when(condition).then(then).otherwise(otherwise)


def _at_least_one(number: nw.Expr) -> nw.Expr:
    return nw.when(number == 0).then(1).otherwise(number)


def _score(measure: Measure) -> nw.Expr:
    """Return the score, which is 0 if nothing is relevant or nothing was retrieved."""
    without = nw.col(_n_column(measure.rel)) == 0
    if _depends_on_size(measure):
        without = without | (nw.col(SIZE) == 0)
    score: nw.Expr = measure.declaration.formula(_Topic(measure))
    return nw.when(without).then(0.0).otherwise(score)


def _depends_on_size(measure: Measure) -> bool:
    """Return whether the measure depends on the size of the collection.

    If it does, its formula may give more than 0 although nothing was retrieved.
    """
    return measure.declaration.takes(COLLECTION_SIZE)
