"""Draw random samples of the relevant documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import polars as pl

from pres_plugin.kernel.topics import running_sum
from pres_plugin.ranking.judgements import Judgements, Keep


def sample(judgements: Judgements, fraction: float, seeds: Iterable[Sequence[int]]) -> Keep:
    """Choose at random which relevant documents of each topic stay known, once per seed.

    The choice depends only on the seed and on the ids of the topics and their relevant documents,
    not on their order. All choices of as many documents of a topic are equally likely.

    Parameters
    ----------
    judgements : Judgements
        The judgements.
    fraction : float
        The fraction of each topic's relevant documents to keep. Their number is rounded half up,
        and at least one is kept.
    seeds : iterable of sequence of int
        The seed of each of S samples: non-negative whole numbers.

    Returns
    -------
    ndarray of bool, shape (S, D)
        Whether each document is kept. Documents that are not relevant are always kept.

    Examples
    --------
    >>> from pres_plugin.ranking.judgements import Judgements
    >>> from pres_plugin.study.robustness import sample
    >>> judged = Judgements.from_dicts({"q": dict.fromkeys("abcde", 1), "r": {"a": 1}})
    >>> sample(judged, 0.4, seeds=[[0], [1]]).sum(axis=1).tolist()
    [3, 3]
    """
    topics = pl.Series(judgements.topics, dtype=pl.String)[judgements.topic_of]
    documents = pl.DataFrame({"topic": topics, "doc_id": judgements.column}).with_row_index()
    relevant = documents.filter(judgements.relevance >= 1).sort("topic", "doc_id")
    # The positions of the relevant documents among all, in the order of topics and ids.
    by_id = relevant["index"].to_numpy()
    topic = judgements.topic_of[by_id]
    n = np.bincount(topic, minlength=len(judgements.topics))
    ends = running_sum(n)[:-1] + np.maximum(1, np.floor(fraction * n + 0.5))
    stays = np.arange(len(topic)) < np.repeat(ends, n)
    keeps = []
    for seed in seeds:
        # Each relevant document gets a random number below 1. Per topic, the lowest ones stay. One
        # sum per document is sorted in a fraction of the time that np.lexsort takes for two keys.
        numbers = np.random.default_rng(seed).random(len(topic))
        keep = judgements.relevance < 1
        keep[by_id[np.argsort(2 * topic + numbers, kind="stable")]] = stays
        keeps.append(keep)
    return np.array(keeps)
