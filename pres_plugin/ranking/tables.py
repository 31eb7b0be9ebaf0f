"""Rank runs in tables with one row per document: those of files, dataframes and Spark.

Rows come as whole topics, some at a time. Only the ranks of judged documents are kept, so a run may
be larger than memory, and one stream may contain many runs. All scores follow from the ranks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import compress, groupby, pairwise, repeat
from typing import Any, Literal

import numpy as np
import polars as pl

from pres_plugin.kernel.topics import Ints, running_sum
from pres_plugin.measures.parameters import LARGEST
from pres_plugin.messages import InputError, quoted
from pres_plugin.ranking import rows as ranking
from pres_plugin.ranking.given import RUN_ON, run_on
from pres_plugin.ranking.judgements import Judgements
from pres_plugin.ranking.rows import UInts, hashes, numbered, repeated
from pres_plugin.ranking.scores import RunRanks
from pres_plugin.unmatched import MOST_IDS, MOST_TOPICS

Duplicates = Literal["error", "first", "last", "highest"]
"""What to do when a document occurs twice in a topic."""

Dicts = dict[str, dict[str, Any]]

# How many bits the largest rank takes.
_RANK_BITS = LARGEST.bit_length()


@dataclass(frozen=True, eq=False)
class Topics:
    """The rows of some whole topics, in which each document occurs once.

    The columns of the rows are `topic`, `doc_id`, and `relevance`, `score` or `rank`.
    """

    rows: pl.DataFrame  # the rows of each topic are together
    keys: pl.DataFrame  # the `query_id` of each topic, and its `run` if there are several

    @cached_property
    def topic(self) -> Ints:
        """The 0-based number of each row's topic, ascending."""
        topic: Ints = self.rows["topic"].to_numpy()
        return topic

    @cached_property
    def hashed(self) -> UInts:
        """A hash of each row's document id."""
        return hashes(self.rows["doc_id"])

    def row(self, i: int) -> dict[str, Any]:
        """Return a row with the ids of its topic."""
        return self.rows.row(i, named=True) | self.keys.row(int(self.topic[i]), named=True)

    @property
    def ranked(self) -> bool:
        """Whether ranks are given, which may have gaps."""
        return "rank" in self.rows.columns

    @cached_property
    def starts(self) -> Ints:
        """Where each topic's rows start, and where the last topic's end."""
        return running_sum(self.n)

    @cached_property
    def n(self) -> Ints:
        """The number of documents per topic."""
        return np.bincount(self.topic, minlength=self.keys.height)

    def first_and_last(self) -> tuple[Ints, Ints]:
        """Return the first and the last rank of each topic."""
        if not self.ranked:
            return np.ones_like(self.n), self.n
        return self._extremes("rank")

    @np.errstate(over="ignore")  # as in trec_eval, large scores become infinite
    def all_tied(self) -> Any:
        """Return whether each topic has several documents, which all have the same score."""
        lowest, highest = self._extremes("rank" if self.ranked else "score")
        return (np.float32(lowest) == np.float32(highest)) & (self.n > 1)

    def _extremes(self, column: str) -> tuple[Any, Any]:
        """Return the lowest and the highest value of each topic."""
        values, starts = self.rows[column].to_numpy(), self.starts[:-1]
        return np.minimum.reduceat(values, starts), np.maximum.reduceat(values, starts)

    def some_ids(self, topic: int) -> list[str]:
        """Return the ids of the first documents of a topic."""
        start, end = self.starts[topic : topic + 2].tolist()
        return self.rows["doc_id"][start:end].head(MOST_IDS).to_list()

    def dicts(self, value: str) -> list[dict[str, Any]]:
        """Return the values of the documents of each topic; scores are minus the given ranks."""
        column = -self.rows["rank"].cast(pl.Float64) if self.ranked else self.rows[value]
        ids, values = self.rows["doc_id"].to_list(), column.to_list()
        found = []
        for start, end in pairwise(self.starts.tolist()):
            docs = dict(zip(ids[start:end], values[start:end], strict=True))
            docs.pop(None, None)  # a topic without documents is a row without an id
            found.append(docs)
        return found

    def by_topic(self, where: str, value: str) -> Dicts:
        """Return the values of the documents by topic; an error begins with `where`."""
        query_ids = self.keys["query_id"].to_list()
        if self.ranked:
            check_gaps(where, query_ids, self.n, *self.first_and_last())
        return dict(zip(query_ids, self.dicts(value), strict=True))


# Takes a problem and one of the rows that have it; returns the error to raise.
Fail = Callable[[str, dict[str, Any]], Exception]


def whole_topics(
    rows: pl.DataFrame,
    keys: list[str],
    duplicates: Duplicates,
    fail: Fail,
    fold: Callable[[pl.DataFrame], pl.DataFrame] | None = None,
) -> Topics:
    """Return the rows of whole topics with each document once.

    Topics are in the order of their first rows. `keys` are the columns that identify a topic. If
    the documents have no scores, ranks or relevances, they are in order, best first.
    `duplicates` states which row of a repeated document to keep: the ``first``, the ``last``, or
    the ``highest``, with the best rank, score or relevance; or that this is an error. `fold`
    replaces the documents of each topic by their families.
    """
    topic, found = numbered(rows[keys])
    rows = rows.drop(keys).with_columns(topic=topic)
    if (topic[1:] < topic[:-1]).any():  # the rows of a topic are not contiguous
        rows = rows.sort("topic", maintain_order=True)
    if rows.columns == ["doc_id", "topic"]:  # in order, best first
        rows = rows.with_columns(rank=pl.int_range(1, pl.len() + 1).over("topic"))
    topics = Topics(rows, found)
    again = repeated(topics.topic, rows["doc_id"], topics.hashed)
    if len(again) and duplicates == "error":
        row = topics.row(int(again[0]))
        document, query_id = quoted(row["doc_id"]), quoted(row["query_id"])
        raise fail(f"document {document} is in topic {query_id} twice", row)
    if len(again) or fold:
        return _reduced(topics, duplicates, fail, fold)
    _check_ranks(topics, fail)
    return topics


def _reduced(topics: Topics, duplicates: Duplicates, fail: Fail, fold: Any) -> Topics:
    """Drop repeated documents and fold families.

    Given ranks close up where rows are dropped, but not where documents were left out.
    """
    rows = topics.rows
    if topics.ranked:
        rows = rows.with_columns(position=pl.col("rank").rank("dense").over("topic"))
    if duplicates == "highest":
        value = next(name for name in ("rank", "score", "relevance") if name in rows.columns)
        best_first = [False, value != "rank"]
        rows = rows.sort("topic", value, descending=best_first)
        duplicates = "first"
    if duplicates != "error":
        rows = rows.unique(["topic", "doc_id"], keep=duplicates, maintain_order=True)
    _check_ranks(Topics(rows, topics.keys), fail)
    if fold:
        rows = fold(rows)
    if topics.ranked:
        now = pl.col("rank").rank("dense").over("topic")
        rows = rows.with_columns(rank=pl.col("rank") + now.cast(pl.Int64) - pl.col("position"))
    return Topics(rows, topics.keys)


def _check_ranks(topics: Topics, fail: Fail) -> None:
    """Raise an error if two documents of a topic have the same rank."""
    if not topics.ranked:
        return
    ranks = pl.Series((topics.topic << _RANK_BITS) | topics.rows["rank"].to_numpy())
    if ranks.n_unique() < len(ranks):
        same = ranks == ranks.filter(ranks.is_duplicated())[0]
        row, other = map(topics.row, same.arg_true()[:2])
        first, second = quoted(row["doc_id"]), quoted(other["doc_id"])
        problem = f"documents {first} and {second} both have rank {row['rank']}"
        raise fail(f"topic {quoted(row['query_id'])}: {problem}", row)


def judgements_of(found: Iterable[Topics], least: int, *, with_dicts: bool) -> Judgements:
    """Keep the documents of judged topics with at least this relevance, and some other ids.

    A topic without documents is a row without an id. `with_dicts` states whether all judgements are
    needed as dicts, too.
    """
    n: dict[str, int] = {}
    kept, some = [], []
    qrels: Dicts = {}
    for topics in found:
        query_ids = topics.keys["query_id"].to_list()
        is_needed = pl.col("relevance") >= least
        of_topics = topics.rows.group_by("topic", maintain_order=True)
        _, ids, sizes = of_topics.agg(
            pl.col("doc_id").drop_nulls().head(MOST_IDS), n=is_needed.sum()
        )
        kept.append(topics.rows.filter(is_needed).select("doc_id", "relevance"))
        n.update(zip(query_ids, sizes, strict=True))
        some.append(ids)
        if with_dicts:
            qrels |= zip(query_ids, topics.dicts("relevance"), strict=True)
    documents, some_ids = pl.concat(kept), pl.concat(some)

    @cache  # each run asks again
    def some_judged(query_id: str) -> dict[str, None]:
        return dict.fromkeys(some_ids[judged.number[query_id]].to_list())

    relevance = documents["relevance"].to_numpy()
    judged = Judgements(n, [*n.values()], documents["doc_id"], relevance, some_judged, qrels)
    return judged


@dataclass
class _Run:
    """The topics and documents of a run that have been read so far."""

    query_ids: list[str] = field(default_factory=list)
    #: For each topic, its number among the judged ones or -1, its number of documents, whether all
    #: have the same score, and its first and its last rank.
    topics: list[Ints] = field(default_factory=list)
    #: The judged documents that were found, and their ranks.
    hits: list[Ints] = field(default_factory=list)
    some_ids: dict[str, Collection[str]] = field(default_factory=dict)
    docs: Dicts = field(default_factory=dict)


def rank_runs(
    found: Iterable[Topics],
    judged: Judgements,
    called: Callable[[str], str],
    name: str | None = None,
    *,
    with_dicts: bool = False,
    complete: bool = True,
) -> list[RunRanks]:
    """Rank the documents of a run; without a name, rank all runs named in a column `run`.

    `called` returns how messages name a run. `with_dicts` states whether the runs are needed as
    dicts, too. `complete` states whether `found` contains all topics of the runs; if not, given
    ranks count from 1, and may run on from topic to topic. Raise an InputError if they run on in
    complete runs, or if they have gaps, which dicts cannot express.
    """
    runs: dict[str, _Run] = defaultdict(_Run)
    for topics in found:
        query_ids = topics.keys["query_id"].to_list()
        names = [name] * len(query_ids) if name is not None else map(str, topics.keys["run"])
        numbers = map(judged.number.get, query_ids, repeat(-1))
        number = np.fromiter(numbers, np.int64, len(query_ids))
        about = np.stack([number, topics.n, topics.all_tied(), *topics.first_and_last()])
        topic, hits = _found(topics, number, judged)
        docs = topics.dicts("score") if with_dicts else []
        end = 0
        for run_name, same in groupby(names):
            start, end = end, end + len(list(same))
            run = runs[run_name]
            run.query_ids += query_ids[start:end]
            run.topics.append(about[:, start:end])
            run.hits.append(hits[:, slice(*topic.searchsorted([start, end]))])
            if with_dicts:
                run.docs |= zip(query_ids[start:end], docs[start:end], strict=True)
            judged_topics = start + np.flatnonzero(number[start:end] >= 0)
            for i in judged_topics[: MOST_TOPICS - len(run.some_ids)].tolist():
                run.some_ids[query_ids[i]] = topics.some_ids(i)
    return [
        _ranked(run_name, run, judged, called(run_name), complete) for run_name, run in runs.items()
    ]


def _ranked(name: str, run: _Run, judged: Judgements, where: str, complete: bool) -> RunRanks:
    """Put a run together."""
    query_ids = run.query_ids
    number, n, tied, first, last = np.concatenate(run.topics, axis=1)
    documents, found = np.concatenate(run.hits, axis=1)
    start, rank_sum = min(first.min(), 1), ((first + last) * n).sum() / 2
    span = (last - first + 1).sum()
    if complete and run_on(len(n), n.sum(), span, start, last.max(), rank_sum):
        raise InputError(f"{where}: {RUN_ON}")
    if run.docs:
        check_gaps(where, query_ids, n, first, last)
    # If the lowest rank of a run is 0, its ranks count from 0.
    is_judged, shift = number >= 0, 1 - start
    ranks = np.zeros(len(judged.relevance), dtype=np.int64)
    ranks[documents] = found + shift
    retrieved, order = np.zeros(len(judged.topics), dtype=np.int64), number[is_judged]
    retrieved[order] = last[is_judged] + shift
    extra = dict.fromkeys(compress(query_ids, ~is_judged), ())
    unmatched = judged.ids.unmatched(where, run.some_ids | extra, found=len(documents) > 0)
    return RunRanks(
        name, ranks, retrieved, order, where, extra, unmatched, run.docs, tied[is_judged].sum()
    )


def check_gaps(where: str, query_ids: Sequence[Any], n: Ints, first: Ints, last: Ints) -> None:
    """Raise an InputError if documents were left out, which dicts of scores cannot express."""
    for i in np.flatnonzero(last - min(first.min(), 1) + 1 > n)[:1].tolist():
        raise InputError(
            f"{where}: topic {quoted(query_ids[i])}: the ranks have gaps, and only measures of "
            "ranks allow for documents that were left out; use PRES, AP or R, or list all documents"
        )


def _found(topics: Topics, number: Ints, judged: Judgements) -> tuple[Ints, Ints]:
    """Return the topics of the judged documents that were found, the documents, and their ranks.

    `number` contains the number of each topic among the judged ones, or -1.
    """
    n = np.where(number < 0, 0, judged.n[number])
    wanted = np.arange(n.sum()) + np.repeat(judged.starts[number] - running_sum(n)[:-1], n)
    doc_ids = topics.rows["doc_id"]
    keys = ranking.keys_of(topics.topic, topics.hashed)
    rows = pl.DataFrame({"key": keys, "row": np.arange(len(keys))})
    of_topics = np.repeat(np.arange(len(number)), n)
    judged_keys = ranking.keys_of(of_topics, judged.hashed[wanted])
    documents = pl.DataFrame({"key": judged_keys, "document": wanted})
    pairs = rows.join(documents, "key", maintain_order="left")
    row, document = (pairs[name].to_numpy() for name in ("row", "document"))
    # Different documents may have the same key.
    is_same = (doc_ids[row] == judged.column[document]).to_numpy()
    row, document = row[is_same], document[is_same]
    if topics.ranked:
        ranks = topics.rows["rank"].to_numpy()[row]
    else:
        scores = topics.rows["score"].to_numpy()
        ranks = ranking.ranks(topics.topic, scores, doc_ids, row)
    return topics.topic[row], np.stack([document, ranks])


def cut_into_topics(
    batches: Iterable[pl.DataFrame], keys: list[str], n_rows: int
) -> Iterator[pl.DataFrame]:
    """Yield the same rows in the same order, cut where a topic ends, at least `n_rows` at a time.

    The last topic of a batch waits until another topic begins.
    """
    waiting: list[pl.DataFrame] = []
    n_waiting = 0
    for batch in batches:
        n_waiting += batch.height
        if waiting and n_waiting >= n_rows:
            last = batch.select(keys).row(-1)
            is_other = pl.any_horizontal(pl.col(key) != last[i] for i, key in enumerate(keys))
            before = batch.select(is_other.arg_true().last()).item()
            start = 0 if before is None else before + 1
            if start or last != waiting[-1].select(keys).row(-1):
                yield pl.concat([*waiting, batch.head(start)])
                waiting, batch = [], batch.slice(start)
                n_waiting = batch.height
        waiting.append(batch)
    if waiting:
        yield pl.concat(waiting)
