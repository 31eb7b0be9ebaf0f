"""From a run and judgements to the ranks of the relevant documents.

The order is trec_eval's: by score, descending, where scores are compared as
32-bit floats, and documents of equal score by id, descending by code point.

Ranking is what scoring costs, so runs are not sorted into lists of documents.
The rank of a document is one more than the number of scores above its own; ids
matter only among documents that share the score of a relevant one.
"""

from __future__ import annotations

import math
import struct
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import compress, groupby, pairwise, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pres_plugin.kernel.topics import TopicRanks, running_sum

__all__ = ["Judgements", "check_scores", "check_topics", "rank"]

Scores = Mapping[str, float]
Relevances = Mapping[str, int]


class Judgements:
    """The judgements of some topics, checked.

    Parameters
    ----------
    topics : mapping of str to mapping of str to int
        Of each topic, the relevance of each document judged.

    Raises
    ------
    TypeError
        If an id is not a string, the documents of a topic are not a mapping or
        a relevance is not a whole number.
    ValueError
        If a relevance is beyond the range of a 64-bit integer.
    """

    def __init__(self, topics: Mapping[str, Relevances]) -> None:
        check_topics(topics, "relevance")
        packed = [_packed(topic, docs, "q") for topic, docs in topics.items()]
        self._topics = topics
        self._starts = running_sum([len(docs) for docs in topics.values()])
        self._relevances = np.frombuffer(b"".join(packed), dtype=np.int64)

    def at_least(self, relevance: int) -> dict[str, list[str]]:
        """Of each topic, the ids of the documents of at least this relevance."""
        chosen = (self._relevances >= relevance).tolist()
        return {
            topic: list(compress(docs, chosen[start:end]))
            for (topic, docs), (start, end) in zip(
                self._topics.items(), _slices(self._starts), strict=True
            )
        }


# Scores become 32-bit floats, as trec_eval compares them; the largest infinite.
_overflow_to_infinity = np.errstate(over="ignore")


@_overflow_to_infinity
def rank(run: Mapping[str, Scores], relevant: Mapping[str, Sequence[str]]) -> TopicRanks:
    """Find the ranks of relevant documents in a run.

    Parameters
    ----------
    run : mapping of str to mapping of str to float
        Of each topic, the score of each document retrieved.
    relevant : mapping of str to sequence of str
        Of each topic of the run at least, the relevant documents.

    Returns
    -------
    TopicRanks
        Of the topics of `run`, in its order; the ranks of a topic in the order of
        its `relevant` documents, without those that were not retrieved.

    Raises
    ------
    TypeError
        If an id of the run is not a string, the documents of a topic are not a
        mapping or a score is not a number.
    ValueError
        If a score is NaN or an integer beyond the range of a float.
    """
    check_topics(run, "score")
    n = np.array([len(relevant[topic]) for topic in run], dtype=np.int64)
    sizes = np.array([len(docs) for docs in run.values()], dtype=np.int64)
    first = running_sum(sizes)
    scores = np.empty(first[-1], dtype=np.float32)
    wanted = np.empty(n.sum(), dtype=np.float32)
    up_to = np.empty(n.sum(), dtype=np.int64)
    # All of a topic at once, while its documents are in the processor's cache.
    for (topic, docs), (start, end), (begin, stop) in zip(
        run.items(), _slices(first), _slices(running_sum(n)), strict=True
    ):
        of_topic = scores[start:end]
        of_topic[:] = np.frombuffer(_packed(topic, docs, "d"), dtype=np.float64)
        wanted[begin:stop] = list(map(docs.get, relevant[topic], repeat(math.nan)))
        of_topic.sort()
        up_to[begin:stop] = of_topic.searchsorted(wanted[begin:stop], "right")
    last = first[1:][sizes > 0] - 1
    if np.isnan(scores[last]).any():  # sorting puts it there
        raise _nan_error(run)

    # No score of the run is NaN, so NaN is that of a document not retrieved.
    found = np.flatnonzero(~np.isnan(wanted))
    topic_of = np.repeat(np.arange(len(n)), n)[found]
    wanted, up_to = wanted[found], up_to[found]
    ranks = sizes[topic_of] - up_to + 1

    # The score just below the last one up to a document's own: a tie if equal.
    below = first[topic_of] + np.maximum(up_to - 2, 0)
    tied = np.flatnonzero((up_to >= 2) & (scores[below] == wanted))
    if len(tied):
        docs_of = list(run.values())
        doc_ids = [doc_id for topic in run for doc_id in relevant[topic]]
        for t, of_t in groupby(tied.tolist(), key=topic_of.tolist().__getitem__):
            ties = _Ties(docs_of[t])
            for i in of_t:
                ranks[i] += ties.higher(doc_ids[found[i]], float(wanted[i]))
    return TopicRanks(n, ranks, running_sum(np.bincount(topic_of, minlength=len(n))))


def check_topics(topics: Mapping[Any, Any], value: str) -> None:
    """Raise a TypeError unless topics have string ids and mappings of documents to a `value`."""
    for topic, docs in topics.items():
        if not isinstance(topic, str):
            raise TypeError(f"topic {topic!r}: a topic id must be a string, got {_kind(topic)}")
        if not isinstance(docs, Mapping):
            raise TypeError(
                f"topic {topic!r}: its documents must be a dict of document id to {value}, "
                f"got {_kind(docs)}"
            )


def check_scores(run: Mapping[str, Scores]) -> None:
    """Raise what :func:`rank` raises for a run with wrong documents or scores."""
    check_topics(run, "score")
    for topic, docs in run.items():
        if np.isnan(np.frombuffer(_packed(topic, docs, "d"), dtype=np.float64)).any():
            raise _nan_error({topic: docs})


class _Ties:
    """The documents of a topic by score, looked up where a relevant one shares its score."""

    @_overflow_to_infinity
    def __init__(self, docs: Scores) -> None:
        self._doc_ids = list(docs)
        scores = np.array(list(docs.values()), dtype=np.float64).astype(np.float32)
        self._order = scores.argsort(kind="stable")
        self._sorted = scores[self._order]
        self._groups: dict[int, list[str]] = {}

    def higher(self, doc_id: str, score: float) -> int:
        """How many documents of this score have a higher id."""
        first = int(self._sorted.searchsorted(np.float32(score), "left"))
        if first not in self._groups:
            last = int(self._sorted.searchsorted(np.float32(score), "right"))
            self._groups[first] = sorted(self._doc_ids[i] for i in self._order[first:last])
        group = self._groups[first]
        return len(group) - bisect_right(group, doc_id)


def _slices(starts: NDArray[np.int64]) -> Iterable[tuple[int, int]]:
    bounds = starts.tolist()
    return pairwise(bounds)


# What the two formats of struct hold, in words.
_VALUES = {
    "d": ("score", "a number", "a 64-bit float"),
    "q": ("relevance", "a whole number", "64 bits"),
}


def _packed(topic: str, docs: Mapping[str, Any], fmt: str) -> bytes:
    """The values of a topic's documents in memory, as 64-bit floats (d) or integers (q)."""
    # Both calls are made for what they refuse: startswith() anything but strings
    # (up to an empty one, which matches), pack() anything but numbers, where numpy
    # would read numbers out of strings. Looking at types costs twice as much.
    try:
        if "".startswith(tuple(docs)):
            "".join(docs)
        return struct.pack(f"{len(docs)}{fmt}", *docs.values())
    except (TypeError, OverflowError, struct.error) as error:
        raise _problem(topic, docs, fmt) from error


def _problem(topic: str, docs: Mapping[Any, Any], fmt: str) -> TypeError | ValueError:
    """The error to raise for documents that cannot be packed."""
    name, expected, limit = _VALUES[fmt]
    for doc_id, value in docs.items():
        where = f"topic {topic!r}, document {doc_id!r}"
        if not isinstance(doc_id, str):
            return TypeError(f"{where}: a document id must be a string, got {_kind(doc_id)}")
        try:
            struct.pack(fmt, value)
        except (OverflowError, struct.error):
            if isinstance(value, int):
                return ValueError(f"{where}: a {name} must fit {limit}, got {value!r:.40}")
            return TypeError(
                f"{where}: a {name} must be {expected}, got {value!r} ({_kind(value)})"
            )
    return TypeError(f"topic {topic!r}: its documents cannot be read, got {docs!r:.200}")


def _nan_error(topics: Mapping[str, Scores]) -> ValueError:
    topic, doc_id = next(
        (topic, doc_id)
        for topic, docs in topics.items()
        for doc_id, score in docs.items()
        if math.isnan(score)
    )
    return ValueError(f"topic {topic!r}, document {doc_id!r}: the score is NaN, which has no order")


def _kind(value: Any) -> str:
    return type(value).__name__
