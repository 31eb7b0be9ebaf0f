"""Find the ranks of the relevant documents of runs in dicts, in trec_eval's order.

Only scores are sorted. Ids are compared only among documents with the same score as a relevant
one (:mod:`.order`).
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise

import numpy as np

from pres_plugin.kernel.topics import TopicRanks, running_sum
from pres_plugin.ranking.inputs import Scores, checked_scores
from pres_plugin.ranking.order import Ints, UInts, order_keys, ranks_in


def rank(run: Mapping[str, Scores], relevant: Mapping[str, Sequence[str]]) -> TopicRanks:
    """Find the ranks of the relevant documents of the run's topics, in the run's order.

    `relevant` contains the relevant documents of each topic in `run`, and may contain
    other topics. An invalid id or score in the run raises a TypeError or ValueError.
    """
    starts = running_sum([len(relevant[topic]) for topic in run])
    return TopicRanks.of_documents(rank_each(run, relevant), starts)


def rank_each(run: Mapping[str, Scores], documents: Mapping[str, Sequence[str]]) -> Ints:
    """Return the rank of each document in `documents`, topic by topic.

    Documents that were not retrieved have rank 0. Topics are in the run's order. Otherwise the
    function is like :func:`rank`.
    """
    scores = checked_scores(run)
    starts = running_sum([len(docs) for docs in run.values()])
    topics = np.arange(len(run))
    keys = order_keys(np.repeat(topics, np.diff(starts)), scores)
    ordered = keys.copy()
    for start, end in pairwise(starts.tolist()):
        ordered[start:end].sort()

    doc_ids = [doc_id for topic in run for doc_id in documents[topic]]
    # No score is NaN, so NaN marks documents that were not retrieved.
    wanted = np.array(
        [docs.get(doc_id, math.nan) for topic, docs in run.items() for doc_id in documents[topic]],
        dtype=np.float64,
    )
    found = np.flatnonzero(~np.isnan(wanted))
    topic_of = np.repeat(topics, [len(documents[topic]) for topic in run])[found]
    wanted_keys = order_keys(topic_of, wanted[found])
    ranks = np.zeros(len(wanted), dtype=np.int64)
    ranks[found], counts = ranks_in(ordered, wanted_keys)

    tied = np.flatnonzero(counts > 1)
    docs_of = list(run.values())
    for t, positions in groupby(tied.tolist(), key=topic_of.tolist().__getitem__):
        of_topic = list(positions)
        ranks[found[of_topic]] += _higher_ids(
            docs_of[t],
            keys[starts[t] : starts[t + 1]],
            [doc_ids[i] for i in found[of_topic].tolist()],
            wanted_keys[of_topic],
        )
    return ranks


def _higher_ids(docs: Scores, keys: UInts, tied: list[str], tied_keys: UInts) -> list[int]:
    """Count, for each tied document of a topic, the documents with the same key and a higher id."""
    same_key: dict[int, list[str]] = {key: [] for key in tied_keys.tolist()}
    for doc_id, key in zip(docs, keys.tolist(), strict=True):
        if key in same_key:
            same_key[key].append(doc_id)
    for doc_ids in same_key.values():
        doc_ids.sort()
    return [
        len(same_key[key]) - bisect_right(same_key[key], doc_id)
        for doc_id, key in zip(tied, tied_keys.tolist(), strict=True)
    ]
