"""Scores of runs, from pieces that hold whole topics.

Nothing of a topic is kept but its scores, so that a run may be larger than
memory, or many runs may come in one stream.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray

from pres_plugin.files.ahead import ahead
from pres_plugin.files.judged import Judged, by_collection_size
from pres_plugin.files.rows import (
    RowsError,
    ScatteredError,
    check_scores,
    numbered,
    once_each,
)
from pres_plugin.files.streaming import by_whole_topics
from pres_plugin.frames.measures import Measure
from pres_plugin.frames.names import DOC, RANK, SCORE
from pres_plugin.frames.ranking import with_ranks
from pres_plugin.frames.sums import View
from pres_plugin.frames.values import view_of
from pres_plugin.kernel.topics import TopicRanks, running_sum
from pres_plugin.measures import collection_too_small

__all__ = ["RunScores", "score_runs"]


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
    largest_topic : int
        The number of documents of the judged topic that has most.
    """

    def __init__(self, name: str | None, measures: Sequence[Measure]) -> None:
        self.name = name
        self.retrieved: dict[str, None] = {}
        self.largest_topic = 0
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
    rows: pl.DataFrame | Iterable[pl.DataFrame],
    keys: list[str],
    judged: Judged,
    measures: Sequence[Measure],
    duplicates: Literal["error", "first", "last"] = "error",
) -> list[RunScores]:
    """Score what a stream of rows holds: one run, or several told apart by a column `run`.

    Parameters
    ----------
    rows : DataFrame or iterable of DataFrame
        Columns `query_id`, `doc_id` (String), `score` (Float64), and perhaps `run`
        (String); in pieces, cut anywhere.
    keys : list of str
        The columns that tell topics apart: `query_id`, or `run` and `query_id`.
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
        If, in pieces, a topic comes back after other topics.
    """
    runs: dict[str | None, RunScores] = {}
    whole = (_whole(frame, keys, duplicates) for frame in by_whole_topics(rows, keys))
    for topics in ahead(whole):
        _add(topics, runs, judged, measures)
    return list(runs.values())


class _Whole(NamedTuple):
    """Some whole topics of a run or of several.

    Attributes
    ----------
    rows : DataFrame
        Each document once, with the place of its topic as `topic`.
    names : list of str or None
        Of each topic, the run that it is of.
    query_ids : list of str
        Of each topic, its id.
    sizes : ndarray of int64
        Of each topic, how many documents it has.
    """

    rows: pl.DataFrame
    names: list[str | None]
    query_ids: list[str]
    sizes: NDArray[np.int64]


def _whole(
    frame: pl.DataFrame, keys: list[str], duplicates: Literal["error", "first", "last"]
) -> _Whole:
    check_scores(frame)
    rows, topics = numbered(frame, keys)
    rows, sizes = once_each(rows, duplicates)
    names = topics["run"].to_list() if "run" in keys else [None] * topics.height
    return _Whole(rows, names, topics["query_id"].to_list(), sizes)


def _add(
    whole: _Whole, runs: dict[str | None, RunScores], judged: Judged, measures: Sequence[Measure]
) -> None:
    """Add the scores of some whole topics to their runs."""
    rows, names, query_ids, sizes = whole
    for name, query_id, size in zip(names, query_ids, sizes.tolist(), strict=True):
        run = runs.setdefault(name, RunScores(name, measures))
        if query_id in run.retrieved:
            raise ScatteredError
        run.retrieved[query_id] = None
        if size > run.largest_topic and query_id in judged.topics:
            run.largest_topic = size

    is_judged = np.array([query_id in judged.topics for query_id in query_ids], dtype=bool)
    if not is_judged.all():
        rows = rows.filter(pl.col("topic").is_in(np.flatnonzero(is_judged).tolist()))
    found = _found(rows, query_ids, judged)
    ranks = {view: _ranks(found, query_ids, judged, view) for view in judged.views}
    for measure in measures:
        of_view = ranks[view_of(measure)]
        if measure.N is not None:
            known = sizes + of_view.n - np.diff(of_view.starts)
            for i in np.flatnonzero(is_judged & (known > measure.N)).tolist():
                runs[names[i]]._note_too_small(measure, query_ids[i], int(known[i]))
        collection = judged.at_least(0, query_ids) if measure.judged_only else measure.N
        scores = measure.declaration.score(of_view, collection, measure.cutoff)
        for i in np.flatnonzero(is_judged).tolist():
            runs[names[i]]._add(measure, query_ids[i], float(scores[i]))


def _found(rows: pl.DataFrame, query_ids: list[str], judged: Judged) -> pl.DataFrame:
    """The wanted documents found: their topic, relevance, rank and rank among judged ones."""
    rows = rows.select("topic", "doc_id", pl.col("score").cast(pl.Float32))
    found = _with_ranks(rows).join(judged.wanted(query_ids), on=["topic", "doc_id"])
    if any(view.judged_only for view in judged.views):
        are_judged = found.filter(pl.col("relevance") >= 0)
        among_judged = _with_ranks(are_judged.rename({"rank": "among_all"}))
        found = among_judged.rename({"rank": "among_judged", "among_all": "rank"})
    return found.sort("topic", "rank")


def _with_ranks(rows: pl.DataFrame) -> pl.DataFrame:
    named = nw.from_native(rows.rename({"score": SCORE, "doc_id": DOC}))
    ranked: pl.DataFrame = with_ranks(named, ["topic"]).to_native()
    return ranked.rename({SCORE: "score", DOC: "doc_id", RANK: "rank"})


def _ranks(found: pl.DataFrame, query_ids: list[str], judged: Judged, view: View) -> TopicRanks:
    counts = found["relevance"].to_numpy() >= view.rel
    ranks = found["among_judged" if view.judged_only else "rank"].to_numpy()[counts]
    per_topic = np.bincount(found["topic"].to_numpy()[counts], minlength=len(query_ids))
    return TopicRanks(judged.at_least(view.rel, query_ids), ranks, running_sum(per_topic))
