"""Scores of runs, from pieces that hold whole topics.

Nothing of a topic is kept but its scores, so that a run may be larger than
memory, or many runs may come in one stream.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import narwhals as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray

from pres_plugin.frames.judged import Judged, View, by_collection_size
from pres_plugin.frames.measures import Measure
from pres_plugin.frames.ranking import with_ranks
from pres_plugin.frames.rows import RowsError, check_scores, once_each
from pres_plugin.frames.streaming import by_whole_topics
from pres_plugin.kernel import topics
from pres_plugin.kernel.topics import TopicRanks, running_sum
from pres_plugin.measures import MEASURES, collection_too_small

__all__ = ["RunScores", "ScatteredError", "score_runs"]

_SCORE = {declaration.name: declaration.score for declaration in MEASURES}


class ScatteredError(Exception):
    """A topic came back after others: the pieces do not hold whole topics."""


class RunScores:
    """The scores of one run, topic by topic.

    Parameters
    ----------
    name : str or None
        As the column `run` has it; None where there is no such column.
    measures : sequence of Measure
        What it is scored by.

    Attributes
    ----------
    retrieved : dict of str to None
        All topics of the run, in its order, judged or not.
    """

    def __init__(self, name: str | None, measures: Sequence[Measure]) -> None:
        self.name = name
        self.retrieved: dict[str, None] = {}
        self._scores: dict[Measure, dict[str, float]] = {measure: {} for measure in measures}
        self._too_small: dict[Measure, str] = {}

    def of(self, measure: Measure, query_id: str) -> float:
        """The score of a judged topic; 0 if the run lacks it."""
        return self._scores[measure].get(query_id, 0.0)

    def mean(self, measure: Measure, judged: Judged) -> float:
        """The mean over the judged topics, summed in the run's order as trec_eval does."""
        total = 0.0
        for score in self._scores[measure].values():
            total += score
        return total / len(judged.topics)

    def check_collection_size(self) -> None:
        """Raise a RowsError if a measure's N is below the documents of a topic."""
        for measure in by_collection_size(self._too_small):
            raise RowsError(self._too_small[measure])

    def _add(self, measure: Measure, query_id: str, score: float) -> None:
        self._scores[measure][query_id] = score

    def _note_too_small(self, measure: Measure, query_id: str, known: int) -> None:
        # Not raised at once: errors of reading, up to the last line, come first.
        message = collection_too_small(measure, query_id, known)
        self._too_small.setdefault(measure, message)


def score_runs(
    frames: Iterable[pl.DataFrame],
    judged: Judged,
    measures: Sequence[Measure],
    duplicates: Literal["error", "first", "last"] = "error",
) -> list[RunScores]:
    """Score what a stream of rows holds: one run, or several told apart by a column `run`.

    Parameters
    ----------
    frames : iterable of DataFrame
        Columns `query_id` (String), `doc_id` (String), `score` (Float64), and `run`
        (String) in all or none; cut anywhere.
    judged : Judged
        The judgements.
    measures : sequence of Measure
        What to score by, each once.
    duplicates : {'error', 'first', 'last'}, default 'error'
        Which row counts of a document that a topic holds twice.

    Returns
    -------
    list of RunScores
        In the order in which the runs begin.

    Raises
    ------
    RowsError
        If a score is NaN or a topic holds a document twice.
    ScatteredError
        If a topic comes back after other topics, where frames come one by one; of
        one frame, topics may be in any order.
    """
    runs: dict[str | None, RunScores] = {}
    frames = iter(frames)
    first = next(frames, None)
    if first is None:
        return []
    keys = ["run", "query_id"] if "run" in first.columns else ["query_id"]
    for frame in by_whole_topics(_chain(first, frames), keys):
        _add(frame, keys, runs, judged, measures, duplicates)
    return list(runs.values())


def _chain(first: pl.DataFrame, others: Iterable[pl.DataFrame]) -> Iterable[pl.DataFrame]:
    yield first
    yield from others


def _add(
    frame: pl.DataFrame,
    keys: list[str],
    runs: dict[str | None, RunScores],
    judged: Judged,
    measures: Sequence[Measure],
    duplicates: Literal["error", "first", "last"],
) -> None:
    """Add the scores of some whole topics to their runs."""
    check_scores(frame)
    frame, sizes = once_each(frame, keys, duplicates)
    names = sizes["run"].to_list() if "run" in keys else [None] * len(sizes)
    query_ids = sizes["query_id"].to_list()
    for name, query_id in zip(names, query_ids, strict=True):
        if name not in runs:
            runs[name] = RunScores(name, measures)
        if query_id in runs[name].retrieved:
            raise ScatteredError
        runs[name].retrieved[query_id] = None

    if not judged.topics.keys() >= set(query_ids):
        is_judged = pl.col("query_id").is_in(list(judged.topics))
        frame, sizes = frame.filter(is_judged), sizes.filter(is_judged)
        names = sizes["run"].to_list() if "run" in keys else [None] * len(sizes)
        query_ids = sizes["query_id"].to_list()
    if not query_ids:
        return
    found = _found(frame, sizes, keys, judged)
    ranks = {view: _ranks(found, query_ids, judged, view) for view in judged.views}
    n_docs = sizes["len"].to_numpy().astype(np.int64)
    for measure in measures:
        of_view = ranks[View.of(measure)]
        if measure.N is not None:
            known = n_docs + of_view.n - np.diff(of_view.starts)
            for i in np.flatnonzero(known > measure.N).tolist():
                runs[names[i]]._note_too_small(measure, query_ids[i], int(known[i]))
        collection = judged.judged(query_ids) if measure.judged_only else measure.N
        scores = _scores(measure, of_view, collection).tolist()
        for name, query_id, score in zip(names, query_ids, scores, strict=True):
            runs[name]._add(measure, query_id, score)


def _found(
    frame: pl.DataFrame, sizes: pl.DataFrame, keys: list[str], judged: Judged
) -> pl.DataFrame:
    """The wanted documents found: place of the topic, relevance, rank, rank among judged ones."""
    rows = frame.with_columns(pl.col("score").cast(pl.Float32))
    found = _with_ranks(rows, keys).join(judged.wanted, on=["query_id", "doc_id"])
    if any(view.judged_only for view in judged.views):
        among_all = found.rename({"rank": "among_all"})
        among_judged = _with_ranks(among_all.filter(pl.col("relevance") >= 0), keys)
        found = among_judged.rename({"rank": "among_judged", "among_all": "rank"})
    places = sizes.select(keys).with_row_index("topic")
    return found.join(places, on=keys).sort("topic", "rank")


def _with_ranks(rows: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    ranked: pl.DataFrame = with_ranks(nw.from_native(rows), keys).to_native()
    return ranked


def _ranks(found: pl.DataFrame, query_ids: list[str], judged: Judged, view: View) -> TopicRanks:
    found = found.filter(pl.col("relevance") >= view.rel)
    ranks = found["among_judged" if view.judged_only else "rank"].to_numpy()
    per_topic = np.bincount(found["topic"].to_numpy(), minlength=len(query_ids))
    return TopicRanks(judged.relevant(query_ids, view), ranks, running_sum(per_topic))


def _scores(
    measure: Measure, ranks: TopicRanks, collection: NDArray[np.int64] | int | None
) -> NDArray[np.float64]:
    if measure.name == "AP":
        return topics.average_precision(
            ranks.within(measure.cutoff), ranks.precision_sum(measure.cutoff)
        )
    if measure.name == "R":
        return topics.recall(ranks.within(measure.cutoff))
    return _SCORE[measure.name](ranks, collection, measure.cutoff)
