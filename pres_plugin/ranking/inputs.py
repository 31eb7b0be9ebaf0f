"""Check runs and judgements given as dicts of dicts."""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

Scores = Mapping[str, float]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Judgements:
    """Checked judgements: the relevance of each document, by topic.

    An invalid id or relevance raises a TypeError or ValueError.
    """

    def __init__(self, topics: Mapping[str, Mapping[str, int]]) -> None:
        self._topics = topics
        #: The relevance of each document, topic by topic.
        self.relevance: Ints = _numbers(topics, "q")

    def at_least(self, relevance: int) -> dict[str, list[str]]:
        """Return, for each topic, the ids of the documents with at least this relevance."""
        chosen = iter((self.relevance >= relevance).tolist())
        # Each topic takes as many of the values as it has documents.
        return {topic: list(compress(docs, chosen)) for topic, docs in self._topics.items()}


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


def checked_scores(run: Mapping[str, Scores]) -> Floats:
    """Return the score of each document, topic by topic.

    An invalid id or score, or NaN, raises a TypeError or ValueError.
    """
    scores = _numbers(run, "d")
    if np.isnan(scores).any():
        raise _nan_error(run)
    return scores


# How messages name a number of each type code of arrays: its name, its type and its range.
_NUMBERS = {
    "d": ("score", "a number", "a 64-bit float"),
    "q": ("relevance", "a whole number", "64 bits"),
}


def _numbers(topics: Mapping[str, Mapping[str, Any]], code: str) -> NDArray[Any]:
    """Return the number of each document, topic by topic, as 64-bit floats (d) or integers (q)."""
    name, _, _ = _NUMBERS[code]
    check_topics(topics, name)
    numbers = array(code)
    for topic, docs in topics.items():
        try:
            # join() raises a TypeError for anything but strings. For a run of a million
            # documents, it takes 30 ms, and looking at the type of each id 50 ms.
            "".join(docs)
            # Unlike numpy, an array does not convert strings to numbers.
            of_topic = array(code, list(docs.values()))
        except (TypeError, OverflowError) as error:
            raise _problem(topic, docs, code) from error
        if len(of_topic) != len(docs):
            raise _problem(topic, docs, code)
        numbers.extend(of_topic)
    return np.array(numbers)


def _problem(topic: str, docs: Mapping[Any, Any], code: str) -> TypeError | ValueError:
    """Return the error to raise for a topic that cannot be read."""
    name, expected, limit = _NUMBERS[code]
    for doc_id, value in docs.items():
        where = f"topic {topic!r}, document {doc_id!r}"
        if not isinstance(doc_id, str):
            return TypeError(f"{where}: a document id must be a string, got {_kind(doc_id)}")
        try:
            array(code, [value])
        except (TypeError, OverflowError):
            if isinstance(value, int):
                return ValueError(f"{where}: a {name} must fit {limit}, got {value!r:.40}")
            return TypeError(
                f"{where}: a {name} must be {expected}, got {value!r} ({_kind(value)})"
            )
    return TypeError(f"topic {topic!r}: its documents cannot be read, got {docs!r:.200}")


def _nan_error(topics: Mapping[str, Scores]) -> ValueError:
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
