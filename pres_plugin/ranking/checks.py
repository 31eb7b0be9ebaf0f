"""Check runs and judgements given as dicts of dicts."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

Scores = Mapping[str, float]


def checked_relevances(qrels: Mapping[str, Mapping[str, float]]) -> NDArray[np.int64]:
    """Return the relevance of each judged document, topic by topic.

    An invalid id or relevance raises a TypeError or ValueError.
    """
    check_topics(qrels, "relevance")
    try:
        return numbers(qrels, "q")
    except TypeError:
        # pandas turns whole numbers into floats if one is missing.
        whole = {
            topic: {doc_id: int_if_whole(value) for doc_id, value in docs.items()}
            for topic, docs in qrels.items()
        }
        return numbers(whole, "q")


def int_if_whole(value: Any) -> Any:
    """Return a whole number as an int if it is written as a float, such as 1.0."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


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
    numbers(run, "d")


def groups(topics: Mapping[str, Mapping[str, Any]]) -> Iterator[dict[str, Mapping[str, Any]]]:
    """Split topics into groups of at least 1,000 documents; the last one may have fewer.

    Converting a group in one step saves time if topics are small. It still fits into the
    processor's cache.
    """
    group: dict[str, Mapping[str, Any]] = {}
    n_docs = 0
    for topic, docs in topics.items():
        group[topic] = docs
        n_docs += len(docs)
        if n_docs >= 1000:
            yield group
            group, n_docs = {}, 0
    yield group


# How messages name a number in each format of struct: its name, its type and its range.
_NUMBERS = {
    "d": ("score", "a number", "a 64-bit float"),
    "q": ("relevance", "a whole number", "64 bits"),
}


def numbers(topics: Mapping[str, Mapping[str, Any]], fmt: str) -> NDArray[Any]:
    """Return the numbers of the topics' documents as 64-bit floats (d) or integers (q).

    An invalid id or number, such as NaN, raises a TypeError or ValueError.
    """
    # join() and pack() also check types. For the ids of a million documents, join() takes 20 ms,
    # and a check of each type 50 ms. Unlike pack(), numpy would convert strings to numbers.
    values = _chained([docs.values() for docs in topics.values()])
    try:
        "".join(_chained(list(topics.values())))
        packed = struct.pack(f"{sum(map(len, topics.values()))}{fmt}", *values)
    except (TypeError, OverflowError, struct.error) as error:
        raise _problem(topics, fmt) from error
    found: NDArray[Any] = np.frombuffer(packed, dtype=fmt)
    if np.isnan(found).any():
        raise _problem(topics, fmt)
    return found


def _chained(groups: list[Any]) -> Iterable[Any]:
    # A single large topic is not worth a chain: its dict is iterated faster.
    return groups[0] if len(groups) == 1 else chain.from_iterable(groups)


def _problem(topics: Mapping[str, Mapping[Any, Any]], fmt: str) -> TypeError | ValueError:
    """Return the error to raise for topics that cannot be read."""
    name, expected, limit = _NUMBERS[fmt]
    for topic, docs in topics.items():
        for doc_id, value in docs.items():
            where = f"topic {topic!r}, document {doc_id!r}"
            if not isinstance(doc_id, str):
                return TypeError(f"{where}: a document id must be a string, got {_kind(doc_id)}")
            try:
                struct.pack(fmt, value)
            except (TypeError, OverflowError, struct.error):
                if isinstance(value, int):
                    return ValueError(f"{where}: a {name} must fit {limit}, got {value!r:.40}")
                return TypeError(
                    f"{where}: a {name} must be {expected}, got {value!r} ({_kind(value)})"
                )
            if math.isnan(value):
                return ValueError(f"{where}: the {name} is NaN, which has no order")
        if len(list(docs.values())) != len(docs):
            break
    return TypeError(f"topic {topic!r}: its documents cannot be read, got {docs!r:.200}")


def _kind(value: Any) -> str:
    return type(value).__name__
