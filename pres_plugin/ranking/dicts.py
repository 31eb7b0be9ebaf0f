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
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, islice, pairwise, repeat

import numpy as np
from numpy.typing import NDArray

from pres_plugin.kernel.topics import Ints, running_sum
from pres_plugin.ranking.checks import Scores, check_topics, groups, numbers
from pres_plugin.ranking.judgements import Judgements
from pres_plugin.ranking.scores import RunRanks

Floats = NDArray[np.float32]


def rank_run(judged: Judgements, run: Mapping[str, Scores], name: str = "run") -> RunRanks:
    """Rank the documents of a run in the judged topics.

    An invalid id or score in these topics raises a TypeError or ValueError.
    """
    in_order = {topic: run.get(topic, {}) for topic in judged.topics}
    ranks = rank_each(in_order, judged.doc_ids, judged.n)
    retrieved = np.array([len(docs) for docs in in_order.values()], dtype=np.int64)
    order = [judged.number[topic] for topic in run if topic in judged.number]
    return RunRanks(
        name,
        ranks,
        retrieved,
        np.array(order, dtype=np.int64),
        where=name,
        extra=[topic for topic in run if topic not in judged.number],
        unmatched=judged.ids.unmatched(name, run),
        docs=run,
    )


@np.errstate(over="ignore")  # as in trec_eval, large scores become infinite
def rank_each(run: Mapping[str, Scores], doc_ids: Sequence[str], n: Ints) -> Ints:
    """Return the ranks of documents in a run, topic by topic; 0 if they were not retrieved.

    `n` contains the number of the documents in `doc_ids` that belong to each topic of the run, in
    its order. An invalid id or score in the run raises a TypeError or ValueError.
    """
    check_topics(run, "score")
    starts = running_sum([len(docs) for docs in run.values()])
    scores = np.empty(starts[-1], dtype=np.float32)
    wanted_scores: list[float] = []
    start, ids, sizes = 0, iter(doc_ids), iter(n.tolist())
    for group in groups(run):
        of_group = numbers(group, "d")
        scores[start : start + len(of_group)] = of_group
        start += len(of_group)
        # Look up documents now, while the group is still in the processor's cache.
        for docs in group.values():
            wanted_scores += map(docs.get, islice(ids, next(sizes)), repeat(math.nan))
    wanted = np.fromiter(wanted_scores, np.float64, len(wanted_scores)).astype(np.float32)
    for start, end in pairwise(starts.tolist()):
        scores[start:end].sort()

    # No score of the run is NaN, so NaN marks documents that were not retrieved.
    found = np.flatnonzero(~np.isnan(wanted))
    topic_of = np.repeat(np.arange(len(run)), n)[found]
    score, first, end = wanted[found], starts[topic_of], starts[topic_of + 1]
    last = _last_up_to(score, scores, first, end)
    ranks = np.zeros(len(wanted), dtype=np.int64)
    ranks[found] = end - last

    # A document is tied if the next lower position in the sorted scores has the same score.
    tied = np.flatnonzero((last > first) & (scores[np.maximum(last - 1, first)] == score))
    if len(tied):
        docs_of = list(run.values())
        for t, positions in groupby(tied.tolist(), key=topic_of.tolist().__getitem__):
            of_topic = found[list(positions)]
            of_docs = np.array(list(docs_of[t].values()), dtype=np.float64).astype(np.float32)
            ranks[of_topic] += _higher_ids(
                zip(docs_of[t], of_docs.tolist(), strict=True),
                [(doc_ids[i], wanted[i].item()) for i in of_topic.tolist()],
            )
    return ranks


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


def _higher_ids(docs: Iterable[tuple[str, float]], tied: list[tuple[str, float]]) -> list[int]:
    """Count, for each tied document of a topic, the documents with its score and a higher id."""
    same_score: dict[float, list[str]] = {score: [] for _, score in tied}
    for doc_id, score in docs:
        if score in same_score:
            same_score[score].append(doc_id)
    for doc_ids in same_score.values():
        doc_ids.sort()
    return [
        len(same_score[score]) - bisect_right(same_score[score], doc_id) for doc_id, score in tied
    ]
