"""Find the ranks of the relevant documents in a run, in trec_eval's order.

Documents are ordered by descending score, compared as 32-bit floats. Documents with
equal scores are ordered by id, descending by code point.

Ranking takes most of the time of scoring, so documents are not sorted. The rank of a
document is one more than the number of higher scores. Ids are compared only among
documents with the same score as a relevant one.
"""

from __future__ import annotations

import math
import struct
from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from itertools import groupby, pairwise, repeat

import numpy as np
from numpy.typing import NDArray

from pres_plugin.kernel.topics import TopicRanks, running_sum
from pres_plugin.ranking.inputs import Scores, batches, check_topics, nan_error, packed

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]

# As in trec_eval, scores beyond the range of 32-bit floats become infinite.
_overflow_to_infinity = np.errstate(over="ignore")


def rank(run: Mapping[str, Scores], relevant: Mapping[str, Sequence[str]]) -> TopicRanks:
    """Find the ranks of the relevant documents of the run's topics, in the run's order.

    `relevant` contains the relevant documents of each topic in `run`, and may contain
    other topics. An invalid id or score in the run raises a TypeError or ValueError.
    """
    starts = running_sum([len(relevant[topic]) for topic in run])
    return TopicRanks.of_documents(rank_each(run, relevant), starts)


@_overflow_to_infinity
def rank_each(run: Mapping[str, Scores], documents: Mapping[str, Sequence[str]]) -> Ints:
    """Return the rank of each document in `documents`, topic by topic.

    Documents that were not retrieved have rank 0. Topics are in the run's order. Otherwise the
    function is like :func:`rank`.
    """
    check_topics(run, "score")
    first = running_sum([len(docs) for docs in run.values()])
    scores, wanted = _scores(run, documents)
    if np.isnan(scores).any():
        raise nan_error(run)
    for start, end in pairwise(first.tolist()):
        scores[start:end].sort()

    # No score of the run is NaN, so NaN marks documents that were not retrieved.
    found = np.flatnonzero(~np.isnan(wanted))
    n_wanted = np.array([len(documents[topic]) for topic in run], dtype=np.int64)
    topic_of = np.repeat(np.arange(len(run)), n_wanted)[found]
    score, start, end = wanted[found], first[topic_of], first[topic_of + 1]
    last = _last_up_to(score, scores, start, end)
    ranks = np.zeros(len(wanted), dtype=np.int64)
    ranks[found] = end - last

    # A document is tied if the next lower position in the sorted scores has the same score.
    below = np.maximum(last - 1, start)
    tied = np.flatnonzero((last > start) & (scores[below] == score))
    if len(tied):
        docs_of = list(run.values())
        doc_ids = [doc_id for topic in run for doc_id in documents[topic]]
        for t, of_t in groupby(tied.tolist(), key=topic_of.tolist().__getitem__):
            ties = _Ties(docs_of[t])
            for i in of_t:
                ranks[found[i]] += ties.higher(doc_ids[found[i]], float(score[i]))
    return ranks


def _scores(
    run: Mapping[str, Scores], documents: Mapping[str, Sequence[str]]
) -> tuple[Floats, Floats]:
    """Return all scores of the run, and the score of each of `documents`, topic by topic."""
    scores = np.empty(sum(map(len, run.values())), dtype=np.float32)
    wanted: list[float] = []
    start = 0
    for batch in batches(run):
        of_batch = np.frombuffer(packed(batch, "d"), dtype=np.float64)
        scores[start : start + len(of_batch)] = of_batch
        start += len(of_batch)
        # Look up the batch's documents now, while they are still in the processor's cache.
        for topic, docs in batch.items():
            wanted += map(docs.get, documents[topic], repeat(math.nan))
    return scores, _floats(wanted)


def _floats(scores: Collection[float]) -> Floats:
    # struct rejects scores beyond the range of 32-bit floats, at least from Python 3.14 on.
    as_64_bits = struct.pack(f"{len(scores)}d", *scores)
    return np.frombuffer(as_64_bits, dtype=np.float64).astype(np.float32)


def _last_up_to(values: Floats, sorted_scores: Floats, start: Ints, end: Ints) -> Ints:
    """Return, for each value, the position of the last score that is at most this value.

    The search begins at the value's `start` and stops before its `end`. The scores in between
    must be in ascending order, and the first one must be at most the value.
    """
    # A binary search for all values at once, with the number of steps that the largest
    # topic needs. A search per topic takes longer if there are many topics.
    last = start
    step = 1 << int((end - start).max(initial=0)).bit_length()
    while step := step >> 1:
        ahead = last + step
        is_up_to = (ahead < end) & (sorted_scores[np.minimum(ahead, end - 1)] <= values)
        last = np.where(is_up_to, ahead, last)
    return last


class _Ties:
    """One topic's documents, to order those with equal scores by id."""

    def __init__(self, docs: Scores) -> None:
        self._doc_ids = list(docs)
        scores = _floats(docs.values())
        self._order = scores.argsort()
        self._sorted = scores[self._order]
        self._groups: dict[float, list[str]] = {}

    def higher(self, doc_id: str, score: float) -> int:
        """Return how many documents with this score have a higher id."""
        if score not in self._groups:
            first, last = (
                self._sorted.searchsorted(np.float32(score), side) for side in ("left", "right")
            )
            self._groups[score] = sorted(self._doc_ids[i] for i in self._order[first:last])
        group = self._groups[score]
        return len(group) - bisect_right(group, doc_id)
