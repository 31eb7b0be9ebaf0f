"""Draw random samples of the relevant documents."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from pres_plugin.kernel.topics import running_sum
from pres_plugin.ranking.judgements import Judgements, Keep


class Samples:
    """Random samples of each topic's relevant documents; see :func:`sample`."""

    def __init__(self, judgements: Judgements) -> None:
        self.judgements = judgements
        topics = pl.Series(judgements.topics, dtype=pl.String)[judgements.topic_of]
        documents = pl.DataFrame({"topic": topics, "doc_id": judgements.column}).with_row_index()
        relevant = documents.filter(judgements.relevance >= 1).sort("topic", "doc_id")
        #: The positions of the relevant documents among all, in the order of topics and ids.
        self._by_id = relevant["index"].to_numpy()
        self._topic = judgements.topic_of[self._by_id]
        self._n = np.bincount(self._topic, minlength=len(judgements.topics))

    def draw(self, fraction: float, seed: Sequence[int]) -> Keep:
        """Return whether each document stays known."""
        # Each relevant document gets a random number below 1. Per topic, the lowest ones stay. One
        # sum per document is sorted in a fraction of the time that np.lexsort takes for two keys.
        numbers = np.random.default_rng(seed).random(len(self._by_id))
        order = self._by_id[np.argsort(2 * self._topic + numbers, kind="stable")]
        ends = running_sum(self._n)[:-1] + np.maximum(1, np.floor(fraction * self._n + 0.5))
        keep: Keep = self.judgements.relevance < 1
        keep[order] = np.arange(len(order)) < np.repeat(ends, self._n)
        return keep


def sample(judgements: Judgements, fraction: float, seed: Sequence[int]) -> Keep:
    """Choose at random which relevant documents of each topic stay known.

    The choice depends only on the seed and on the ids of the topics and their relevant documents,
    not on their order. All choices of as many documents of a topic are equally likely.

    Parameters
    ----------
    judgements : Judgements
        The judgements.
    fraction : float
        The fraction of each topic's relevant documents to keep. Their number is rounded half up,
        and at least one is kept.
    seed : sequence of int
        Non-negative whole numbers.

    Returns
    -------
    ndarray of bool, shape (D,)
        Whether each document is kept. Documents that are not relevant are always kept.

    Examples
    --------
    >>> from pres_plugin.ranking.judgements import Judgements
    >>> from pres_plugin.study.robustness import sample
    >>> judged = Judgements.from_dicts({"q": dict.fromkeys("abcde", 1), "r": {"a": 1}})
    >>> int(sample(judged, 0.4, seed=[0]).sum())
    3
    """
    return Samples(judgements).draw(fraction, seed)
