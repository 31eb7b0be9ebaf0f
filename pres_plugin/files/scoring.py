"""Score runs from pieces that consist of whole topics.

Only the scores of a topic are kept. So a run may be larger than memory, and one stream
may contain many runs.
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
    ScatteredError,
    check_scores,
    numbered,
    once_each,
)
from pres_plugin.files.streaming import by_whole_topics
from pres_plugin.frames.names import DOC, RANK, SCORE
from pres_plugin.frames.ranking import with_ranks
from pres_plugin.kernel.topics import TopicRanks, running_sum
from pres_plugin.measures import Measure, MeasureError
from pres_plugin.measures.measure import View
from pres_plugin.ranking.scores import Ranked

__all__ = ["RunScores", "score_runs"]


class RunScores:
    """The scores of one run, topic by topic.

    Parameters
    ----------
    name : str or None
        The name in the column `run`; None if there is no such column.
    measures : sequence of Measure
        The measures to score it by.

    Attributes
    ----------
    retrieved : dict of str to None
        All topics of the run, judged or not, in the run's order.
    largest_topic : int
        The number of documents of the largest judged topic.
    """

    def __init__(self, name: str | None, measures: Sequence[Measure]) -> None:
        self.name = name
        self.retrieved: dict[str, None] = {}
        self.largest_topic = 0
        self._scores: dict[Measure, dict[str, float]] = {measure: {} for measure in measures}
        self._too_small: dict[Measure, MeasureError] = {}

    def of(self, measure: Measure, query_id: str) -> float:
        """Return the score of a judged topic; 0 if the run lacks it."""
        return self._scores[measure].get(query_id, 0.0)

    def mean(self, measure: Measure, judged: Judged) -> float:
        """Return the mean over the judged topics, summed in the run's order as in trec_eval."""
        total = 0.0
        for score in self._scores[measure].values():
            total += score
        return total / len(judged.topics)

    def check_collection_size(self) -> None:
        """Raise the MeasureError of a measure whose N is below the documents of a topic."""
        for measure in by_collection_size(self._too_small):
            raise self._too_small[measure]

    def _add(self, measure: Measure, query_id: str, score: float) -> None:
        self._scores[measure][query_id] = score

    def _note_too_small(self, measure: Measure, error: MeasureError) -> None:
        # Not raised at once, because errors in reading the rest of the file come first.
        self._too_small.setdefault(measure, error)


def score_runs(
    rows: pl.DataFrame | Iterable[pl.DataFrame],
    keys: list[str],
    judged: Judged,
    measures: Sequence[Measure],
    duplicates: Literal["error", "first", "last"] = "error",
) -> list[RunScores]:
    """Score the runs in a stream of rows: one run, or several, named in a column `run`.

    Parameters
    ----------
    rows : DataFrame or iterable of DataFrame
        Columns `query_id`, `doc_id` (String), `score` (Float64), and perhaps `run`
        (String); in pieces, which may end anywhere.
    keys : list of str
        The columns that identify a topic: `query_id`, or `run` and `query_id`.
    judged : Judged
        The judgements.
    measures : sequence of Measure
        The measures to score by, each once.
    duplicates : {'error', 'first', 'last'}, default 'error'
        Which row to keep when a document occurs twice in a topic.

    Returns
    -------
    list of RunScores
        The runs, in order of first appearance.

    Raises
    ------
    RowsError
        If a score is NaN, or if `duplicates` is 'error' and a document occurs twice in a topic.
    ScatteredError
        If `rows` comes in pieces, and the rows of a topic are not contiguous.
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
        Each document once, with the number of its topic as `topic`.
    names : list of str or None
        The name of the run of each topic.
    query_ids : list of str
        The id of each topic.
    sizes : ndarray of int64
        The number of documents of each topic.
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
    ranked = {view: _ranked(found, query_ids, sizes, judged, view) for view in judged.views}
    judged_topics = np.flatnonzero(is_judged).tolist()
    for measure in measures:
        of_view = ranked[measure.view]
        for i, problem in of_view.problems(measure):
            if is_judged[i]:
                runs[names[i]]._note_too_small(measure, problem)
        scores = of_view.values(measure)
        for i in judged_topics:
            runs[names[i]]._add(measure, query_ids[i], float(scores[i]))


def _found(rows: pl.DataFrame, query_ids: list[str], judged: Judged) -> pl.DataFrame:
    """Return the wanted documents that were found, with topic, relevance and ranks."""
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


def _ranked(
    found: pl.DataFrame,
    query_ids: list[str],
    sizes: NDArray[np.int64],
    judged: Judged,
    view: View,
) -> Ranked:
    counts = found["relevance"].to_numpy() >= view.rel
    ranks = found["among_judged" if view.judged_only else "rank"].to_numpy()[counts]
    per_topic = np.bincount(found["topic"].to_numpy()[counts], minlength=len(query_ids))
    return Ranked(
        TopicRanks(judged.at_least(view.rel, query_ids), ranks, running_sum(per_topic)),
        sizes,
        lambda i: f"topic {query_ids[i]!r}",
        judged.at_least(0, query_ids) if view.judged_only else None,
    )
