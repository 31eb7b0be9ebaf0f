"""Score runs from pieces that consist of whole topics.

Only the scores are kept, not the rows. So a run may be larger than memory, and one stream
may contain many runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from pres_plugin.files.judgements import JudgedTopics
from pres_plugin.files.prefetch import ahead
from pres_plugin.files.scores import RunScores, run_scores
from pres_plugin.files.streaming import Rows, by_whole_topics
from pres_plugin.files.tables import ScatteredError
from pres_plugin.files.validation import check_ranks, check_scores, numbered, once_each
from pres_plugin.formats.base import Duplicates
from pres_plugin.kernel.topics import TopicRanks, running_sum
from pres_plugin.measures import MeasureError
from pres_plugin.measures.measure import View
from pres_plugin.ranking.scores import Ranked
from pres_plugin.remedy import quoted


def score_runs(
    rows: Rows, judged: JudgedTopics, duplicates: Duplicates = "error", name: str | None = None
) -> list[RunScores]:
    """Score the run of this name; without a name, score all runs named in a column `run`.

    The pieces may end anywhere. Raise an UnclearError if a score is NaN, or if `duplicates`
    is 'error' and a document occurs twice in a topic. Raise a ScatteredError if the rows of
    a topic are not contiguous, unless they come in one frame.
    """
    runs: dict[str, _Run] = {}
    for topics in whole_topics(rows, duplicates, name):
        _add(topics, runs, judged)
    return [run.scores(run_name, judged) for run_name, run in runs.items()]


@dataclass(kw_only=True)
class RunTopics:
    """The topics of a run that have been read so far."""

    topics: dict[str, None] = field(default_factory=dict)  # judged or not
    largest_topic: int = 0  # the number of documents of the largest judged topic

    def add(self, query_id: str, size: int, judged: JudgedTopics) -> None:
        """Add a topic of `size` documents; raise a ScatteredError if it was read before."""
        if query_id in self.topics:
            raise ScatteredError
        self.topics[query_id] = None
        if size > self.largest_topic and query_id in judged.topics:
            self.largest_topic = size


@dataclass(kw_only=True)
class _Run(RunTopics):
    """The topics and scores of a run that have been read so far."""

    values: dict[str, dict[str, float]] = field(default_factory=dict)
    # Raised only at the end, because errors in reading the file take precedence.
    too_small: dict[str, MeasureError] = field(default_factory=dict)

    def scores(self, name: str, judged: JudgedTopics) -> RunScores:
        measures = list(map(str, judged.measures))
        found = {measure: self.values.get(measure, {}) for measure in measures}
        problem = next((self.too_small[m] for m in measures if m in self.too_small), None)
        return run_scores(name, self.topics, self.largest_topic, found, judged.topics, problem)


class Whole(NamedTuple):
    """Some whole topics of one or several runs."""

    rows: pl.DataFrame  # each document once, with the number of its topic as `topic`
    names: list[str]  # the name of each topic's run
    query_ids: list[str]
    sizes: NDArray[np.int64]  # the number of documents of each topic


def whole_topics(rows: Rows, duplicates: Duplicates, name: str | None) -> Iterator[Whole]:
    """Yield the rows a few topics at a time; see :func:`score_runs` for the errors."""
    keys = ["run", "query_id"] if name is None else ["query_id"]
    whole = partial(_whole, keys, duplicates, name)
    # One thread reads pieces while another one cuts them into whole topics. A run of 7 million
    # lines takes a fifth less time than with a single thread for both.
    pieces = rows if isinstance(rows, pl.DataFrame) else ahead(rows)
    return ahead(map(whole, by_whole_topics(pieces, keys, duplicates)))


def _whole(keys: list[str], duplicates: Duplicates, name: str | None, frame: pl.DataFrame) -> Whole:
    check_scores(frame)
    rows, topics = numbered(frame, keys)
    rows, sizes = once_each(rows, duplicates)
    check_ranks(rows)
    names = topics["run"].to_list() if name is None else [name] * topics.height
    return Whole(rows, names, topics["query_id"].to_list(), sizes)


def _add(whole: Whole, runs: dict[str, _Run], judged: JudgedTopics) -> None:
    """Add the scores of some whole topics to their runs."""
    _, names, query_ids, sizes = whole
    for name, query_id, size in zip(names, query_ids, sizes.tolist(), strict=True):
        runs.setdefault(name, _Run()).add(query_id, size, judged)

    is_judged = [query_id in judged.topics for query_id in query_ids]
    judged_topics = np.flatnonzero(is_judged).tolist()
    found = found_in(whole, judged)
    ranked = {view: _ranked(found, query_ids, sizes, judged, view) for view in judged.views}
    for measure in judged.measures:
        of_view, written = ranked[measure.view], str(measure)
        for i, problem in of_view.problems(measure):
            if is_judged[i]:
                runs[names[i]].too_small.setdefault(written, problem)
        scores = of_view.values(measure).tolist()
        for i in judged_topics:
            runs[names[i]].values.setdefault(written, {})[query_ids[i]] = scores[i]


def found_in(whole: Whole, judged: JudgedTopics) -> pl.DataFrame:
    """Return the wanted documents that were found, with topic, relevance and ranks."""
    rows, _, query_ids, _ = whole
    judged_topics = [i for i, query_id in enumerate(query_ids) if query_id in judged.topics]
    if len(judged_topics) < len(query_ids):
        rows = rows.filter(pl.col("topic").is_in(judged_topics))
    rows = _in_order(rows.select("topic", "doc_id", pl.col("score").cast(pl.Float32)))
    found = _with_ranks(rows, "rank").join(judged.wanted(query_ids), on=["topic", "doc_id"])
    found = found.sort("topic", "rank")
    if any(view.judged_only for view in judged.views):
        found = _with_ranks(found.filter(pl.col("relevance") >= 0), "among_judged")
    return found


def _in_order(rows: pl.DataFrame) -> pl.DataFrame:
    """Return rows in the order of topics, each topic in trec_eval's order.

    That is by descending score, then by descending id. Most runs are sorted by score already, so
    only documents with equal scores are sorted.
    """
    topic, score = rows["topic"].to_numpy(), rows["score"].to_numpy()
    if not _is_sorted(topic, score):
        order = np.lexsort((-score, topic))
        rows, topic, score = rows[order], topic[order], score[order]
    # Compare each row with the row before it.
    is_tied = (topic[1:] == topic[:-1]) & (score[1:] == score[:-1])
    if not is_tied.any():
        return rows
    tied = np.flatnonzero(np.append(is_tied, False) | np.append(False, is_tied))
    group = np.cumsum(np.append(True, ~is_tied))[tied]
    order = np.arange(len(topic))
    order[tied] = tied[
        pl.DataFrame({"group": group, "doc_id": rows["doc_id"][tied]})
        .select(pl.arg_sort_by("group", "doc_id", descending=[False, True]))
        .to_series()
        .to_numpy()
    ]
    return rows.with_columns(rows["doc_id"][order])


def _is_sorted(topic: NDArray[np.int64], score: NDArray[np.float32]) -> bool:
    same_topic = topic[1:] == topic[:-1]
    falls = score[1:] <= score[:-1]
    return bool(((topic[1:] > topic[:-1]) | (same_topic & falls)).all())


def _with_ranks(rows: pl.DataFrame, name: str) -> pl.DataFrame:
    """Add the position of each row in its topic, from 1; the rows of a topic are contiguous."""
    sizes = np.bincount(rows["topic"].to_numpy())
    position = np.arange(1, rows.height + 1) - np.repeat(running_sum(sizes)[:-1], sizes)
    return rows.with_columns(pl.Series(name, position, dtype=pl.Int64))


def _ranked(
    found: pl.DataFrame,
    query_ids: list[str],
    sizes: NDArray[np.int64],
    judged: JudgedTopics,
    view: View,
) -> Ranked:
    counts = found["relevance"].to_numpy() >= view.rel
    ranks = found["among_judged" if view.judged_only else "rank"].to_numpy()[counts]
    per_topic = np.bincount(found["topic"].to_numpy()[counts], minlength=len(query_ids))
    return Ranked(
        TopicRanks(judged.at_least(view.rel, query_ids), ranks, running_sum(per_topic)),
        sizes,
        lambda i: f"topic {quoted(query_ids[i])}",
        judged.at_least(0, query_ids) if view.judged_only else None,
    )
