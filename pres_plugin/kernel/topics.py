"""Many topics at once: formulas computed on arrays.

The input has been checked by then, so nothing is checked again. Arrays contain 64-bit
integers, one element per topic, and scores are 64-bit floats: exact up to the last
division for collections of 10⁹ documents and topics with 10⁵ relevant documents.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pres_plugin.kernel.statistics import STATISTICS

__all__ = ["Formula", "TopicRanks", "running_sum", "score"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

#: Takes a topic, as arrays or as expressions of a dataframe library; returns its score.
#: A topic has the attributes `n`, `n_max` and `n_docs`, an attribute for each statistic,
#: and the functions `minimum` and `where`, which work like those of numpy.
Formula = Callable[[Any], Any]


@dataclass(frozen=True, eq=False)
class TopicRanks:
    """The ranks of the relevant documents of T topics, found once for all cutoffs.

    Parameters
    ----------
    n : ndarray of int64, shape (T,)
        Number of relevant documents of each topic, retrieved or not.
    ranks : ndarray of int64
        1-based ranks of those retrieved, one topic after the other, in any order within
        a topic.
    starts : ndarray of int64, shape (T + 1,)
        Topic t has ``ranks[starts[t]:starts[t + 1]]``.

    Examples
    --------
    Two topics; nothing relevant was found for the second:

    >>> import numpy as np
    >>> from pres_plugin.kernel.topics import TopicRanks
    >>> topics = TopicRanks(np.array([4, 2]), np.array([1, 98]), np.array([0, 2, 2]))
    >>> topics.statistic("rank_sum", n_max=97)
    array([1, 0])
    """

    n: Ints
    ranks: Ints
    starts: Ints

    @property
    def n_found(self) -> Ints:
        """Number of relevant documents retrieved, per topic, at any rank."""
        return np.diff(self.starts)

    def statistic(self, name: str, n_max: int | None = None) -> NDArray[Any]:
        """Compute one of :data:`STATISTICS` per topic, from the ranks up to `n_max` or all."""
        statistic = STATISTICS[name]
        ranks, position = self._in_order() if statistic.uses_position else (self.ranks, None)
        values = np.broadcast_to(statistic.value(ranks, position), ranks.shape)
        if n_max is not None:
            values = values * (ranks <= n_max)
        if statistic.combine == "sum" and statistic.is_whole:
            sums = running_sum(values)
            return sums[self.starts[1:]] - sums[self.starts[:-1]]
        # Floats are added one by one: differences of a running sum would be inexact.
        combined = np.zeros(len(self.n), dtype=np.int64 if statistic.is_whole else np.float64)
        combine: Any = {"sum": np.add, "max": np.maximum}[statistic.combine]
        combine.at(combined, self._topic_of_each_rank(), values)
        return combined

    def _topic_of_each_rank(self) -> Ints:
        return np.repeat(np.arange(len(self.n)), self.n_found)

    def _in_order(self) -> tuple[Ints, Ints]:
        """Return each topic's ranks in ascending order, and their positions from 1."""
        ranks = self.ranks[np.lexsort((self.ranks, self._topic_of_each_rank()))]
        return ranks, np.arange(1, len(ranks) + 1) - np.repeat(self.starts[:-1], self.n_found)


class _Topics:
    """T topics as a formula reads them; see :data:`Formula`."""

    minimum = staticmethod(np.minimum)
    where = staticmethod(np.where)

    def __init__(self, ranks: TopicRanks, n_max: int | None, n_docs: Any) -> None:
        self._ranks = ranks
        self.n_max = n_max
        self.n_docs = n_docs
        # Topics without relevant documents get their score afterwards.
        self.n = np.maximum(ranks.n, 1)

    def __getattr__(self, statistic: str) -> NDArray[Any]:
        return self._ranks.statistic(statistic, self.n_max)


def score(formula: Formula, ranks: TopicRanks, n_max: int | None, n_docs: Any = None) -> Floats:
    """Return the score of each topic; 0 for topics without relevant documents.

    Parameters
    ----------
    formula : Formula
        The measure's formula.
    ranks : TopicRanks
        The ranks of the relevant documents.
    n_max : int or None
        Nmax, the cutoff; None for all documents.
    n_docs : int or ndarray of int64, shape (T,), optional
        The size of the collection, for measures that depend on it.
    """
    scores = formula(_Topics(ranks, n_max, n_docs))
    return np.where(ranks.n == 0, 0.0, scores)


def running_sum(values: ArrayLike) -> Ints:
    """Return the sums of the first 0, 1, 2 … values.

    For the sizes of topics, these are the positions at which the topics start.

    Examples
    --------
    >>> from pres_plugin.kernel.topics import running_sum
    >>> running_sum([2, 0, 5])
    array([0, 2, 2, 7])
    """
    values = np.asarray(values)
    sums = np.zeros(len(values) + 1, dtype=np.int64)
    np.cumsum(values, dtype=np.int64, out=sums[1:])
    return sums
