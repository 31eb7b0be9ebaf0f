"""Check runs and judgements given as dicts of dicts."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, compress, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pres_plugin.kernel.topics import running_sum

Scores = Mapping[str, float]
Ints = NDArray[np.int64]


class Judgements:
    """Checked judgements: the relevance of each document, by topic.

    An invalid id or relevance raises a TypeError or ValueError.
    """

    def __init__(self, topics: Mapping[str, Mapping[str, int]]) -> None:
        check_topics(topics, "relevance")
        relevances = [packed(batch, "q") for batch in batches(topics)]
        self.topics = topics
        #: The documents of topic t are ``starts[t]`` up to, but not including, ``starts[t + 1]``.
        self.starts: Ints = running_sum([len(docs) for docs in topics.values()])
        #: The relevance of each document, topic by topic.
        self.relevance: Ints = np.frombuffer(b"".join(relevances), dtype=np.int64)

    def at_least(self, relevance: int) -> dict[str, list[str]]:
        """Return, for each topic, the ids of the documents with at least this relevance."""
        chosen = (self.relevance >= relevance).tolist()
        return {
            topic: list(compress(docs, chosen[start:end]))
            for (topic, docs), (start, end) in zip(
                self.topics.items(), pairwise(self.starts.tolist()), strict=True
            )
        }


def check_topics(topics: Mapping[Any, Any], value: str) -> None:
    """Raise a TypeError unless all topics have string ids and mappings of documents."""
    for topic, docs in topics.items():
        if not isinstance(topic, str):
            raise TypeError(f"topic {topic!r}: a topic id must be a string, got {_kind(topic)}")
        if not isinstance(docs, (dict, Mapping)):  # asking for a dict first is faster
            raise TypeError(
                f"topic {topic!r}: its documents must be a dict of document id to {value}, "
                f"got {_kind(docs)}"
            )


def check_scores(run: Mapping[str, Scores]) -> None:
    """Raise the errors that ranking the run would raise."""
    check_topics(run, "score")
    for batch in batches(run):
        if np.isnan(np.frombuffer(packed(batch, "d"), dtype=np.float64)).any():
            raise nan_error(batch)


def batches(topics: Mapping[str, Mapping[str, Any]]) -> Iterator[dict[str, Mapping[str, Any]]]:
    """Split topics into groups, to convert each group in one step.

    Each group but the last contains at least 1,000 documents, so that small topics take no
    longer per document than large ones. A group of small topics still fits into the
    processor's cache.
    """
    batch: dict[str, Mapping[str, Any]] = {}
    n_docs = 0
    for topic, docs in topics.items():
        batch[topic] = docs
        n_docs += len(docs)
        if n_docs >= 1000:
            yield batch
            batch, n_docs = {}, 0
    if batch:
        yield batch


# How messages name a value in each format of struct: its name, its type and its range.
_VALUES = {
    "d": ("score", "a number", "a 64-bit float"),
    "q": ("relevance", "a whole number", "64 bits"),
}


def packed(topics: Mapping[str, Mapping[str, Any]], fmt: str) -> bytes:
    """Return the values of the topics' documents as bytes: 64-bit floats (d) or integers (q)."""
    doc_ids = _joined(list(topics.values()))
    values = _joined([docs.values() for docs in topics.values()])
    # startswith() and pack() also check types, in half the time of checking each value.
    # startswith() accepts only strings, but stops at an empty one, which matches; join()
    # then checks the rest. pack() accepts only numbers; numpy would also convert strings.
    try:
        if "".startswith(tuple(doc_ids)):
            "".join(doc_ids)
        return struct.pack(f"{sum(map(len, topics.values()))}{fmt}", *values)
    except (TypeError, OverflowError, struct.error) as error:
        raise _problem(topics, fmt) from error


def _joined(groups: list[Any]) -> Iterable[Any]:
    # Iterating over chain() is slower than over the dict itself, which matters for topics with
    # many documents.
    return groups[0] if len(groups) == 1 else list(chain.from_iterable(groups))


def _problem(topics: Mapping[str, Mapping[Any, Any]], fmt: str) -> TypeError | ValueError:
    """Return the error to raise for topics that cannot be packed."""
    name, expected, limit = _VALUES[fmt]
    for topic, docs in topics.items():
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
        if len(list(docs.values())) != len(docs):
            break
    return TypeError(f"topic {topic!r}: its documents cannot be read, got {docs!r:.200}")


def nan_error(topics: Mapping[str, Scores]) -> ValueError:
    """Return the error to raise for a run that contains NaN."""
    topic, doc_id = next(
        (topic, doc_id)
        for topic, docs in topics.items()
        for doc_id, score in docs.items()
        if math.isnan(score)
    )
    return ValueError(f"topic {topic!r}, document {doc_id!r}: the score is NaN, which has no order")


def _kind(value: Any) -> str:
    return type(value).__name__
