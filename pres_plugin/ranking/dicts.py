"""Find the ranks of the relevant documents in a run, in trec_eval's order.

Documents are ordered by descending score, compared as 32-bit floats. Documents with
equal scores are ordered by id, descending by code point.

Ranking takes most of the time of scoring, so documents are not sorted. The rank of a
document is one more than the number of higher scores. Ids are compared only among
documents with the same score as a relevant one.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise, repeat

import numpy as np

from pres_plugin.kernel.topics import TopicRanks, running_sum
from pres_plugin.ranking.inputs import Scores, check_topics, nan_error, packed

# As in trec_eval, scores beyond the range of 32-bit floats become infinite.
_overflow_to_infinity = np.errstate(over="ignore")


@_overflow_to_infinity
def rank(run: Mapping[str, Scores], relevant: Mapping[str, Sequence[str]]) -> TopicRanks:
    """Find the ranks of the relevant documents of the run's topics, in the run's order.

    `relevant` contains the relevant documents of each topic in `run`, and may contain
    other topics. An invalid id or score in the run raises a TypeError or ValueError.
    """
    check_topics(run, "score")
    n = np.array([len(relevant[topic]) for topic in run], dtype=np.int64)
    sizes = np.array([len(docs) for docs in run.values()], dtype=np.int64)
    first = running_sum(sizes)
    scores = np.empty(first[-1], dtype=np.float32)
    wanted = np.empty(n.sum(), dtype=np.float32)
    up_to = np.empty(n.sum(), dtype=np.int64)
    # Finish one topic before the next, while its documents are in the processor's cache.
    for (topic, docs), (start, end), (begin, stop) in zip(
        run.items(), pairwise(first.tolist()), pairwise(running_sum(n).tolist()), strict=True
    ):
        of_topic = scores[start:end]
        of_topic[:] = np.frombuffer(packed(topic, docs, "d"), dtype=np.float64)
        wanted[begin:stop] = list(map(docs.get, relevant[topic], repeat(math.nan)))
        of_topic.sort()
        up_to[begin:stop] = of_topic.searchsorted(wanted[begin:stop], "right")
    last = first[1:][sizes > 0] - 1
    if np.isnan(scores[last]).any():  # sorting puts NaN last
        raise nan_error(run)

    # No score of the run is NaN, so NaN marks documents that were not retrieved.
    found = np.flatnonzero(~np.isnan(wanted))
    topic_of = np.repeat(np.arange(len(n)), n)[found]
    wanted, up_to = wanted[found], up_to[found]
    ranks = sizes[topic_of] - up_to + 1

    # A document is tied if the next lower position in the sorted scores has the same score.
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


class _Ties:
    """One topic's documents, to order those with equal scores by id."""

    @_overflow_to_infinity
    def __init__(self, docs: Scores) -> None:
        self._doc_ids = list(docs)
        scores = np.array(list(docs.values()), dtype=np.float64).astype(np.float32)
        self._order = scores.argsort(kind="stable")
        self._sorted = scores[self._order]
        self._groups: dict[int, list[str]] = {}

    def higher(self, doc_id: str, score: float) -> int:
        """Return how many documents with this score have a higher id."""
        first = int(self._sorted.searchsorted(np.float32(score), "left"))
        if first not in self._groups:
            last = int(self._sorted.searchsorted(np.float32(score), "right"))
            self._groups[first] = sorted(self._doc_ids[i] for i in self._order[first:last])
        group = self._groups[first]
        return len(group) - bisect_right(group, doc_id)
