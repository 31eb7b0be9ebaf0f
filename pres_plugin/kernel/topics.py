"""Many topics at once: the same formulas on arrays, for adapters.

Adapters have checked their input when they get here, so nothing is checked
again. Arrays hold 64-bit integers, one element a topic, and scores come back
as 64-bit floats: exact up to the last division for collections of 10⁹ and
topics of 10⁵ relevant documents.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pres_plugin.kernel import formulas

__all__ = [
    "TopicRanks",
    "TopicSums",
    "average_precision",
    "pres",
    "pres_est",
    "recall",
    "rnorm",
    "running_sum",
]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class TopicSums(NamedTuple):
    """What PRES, PRES_est and Rnorm need to know of each of T topics.

    Attributes
    ----------
    n : ndarray of int64, shape (T,)
        Relevant documents.
    found : ndarray of int64, shape (T,)
        Those of them retrieved within the depth that counts.
    rank_sum : ndarray of int64, shape (T,)
        Sum of the 1-based ranks of those found.
    """

    n: Ints
    found: Ints
    rank_sum: Ints


@dataclass(frozen=True, eq=False)
class TopicRanks:
    """The ranks of the relevant documents of T topics, found once for all cutoffs.

    Parameters
    ----------
    n : ndarray of int64, shape (T,)
        Relevant documents of each topic, retrieved or not.
    ranks : ndarray of int64
        1-based ranks of those retrieved, one topic after the other, within a
        topic in any order.
    starts : ndarray of int64, shape (T + 1,)
        Topic t has ``ranks[starts[t]:starts[t + 1]]``.

    Examples
    --------
    Two topics, the second of which found nothing:

    >>> import numpy as np
    >>> from pres_plugin.kernel import topics
    >>> table = topics.TopicRanks(np.array([4, 2]), np.array([1, 98]), np.array([0, 2, 2]))
    >>> topics.pres(table.within(97), 97)
    array([0.25, 0.  ])
    """

    n: Ints
    ranks: Ints
    starts: Ints

    def within(self, n_max: int | None = None) -> TopicSums:
        """The sums over ranks up to `n_max`, or over all."""
        found = np.ones_like(self.ranks) if n_max is None else self.ranks <= n_max
        return TopicSums(self.n, self._sum(found), self._sum(found * self.ranks))

    def precision_sum(self, n_max: int | None = None) -> Floats:
        """The sum of the precisions at the ranks up to `n_max`, or at all."""
        sizes = np.diff(self.starts)
        topic = np.repeat(np.arange(len(sizes)), sizes)
        ranks = self.ranks[np.lexsort((self.ranks, topic))]
        found_so_far = np.arange(1, len(ranks) + 1) - np.repeat(self.starts[:-1], sizes)
        precision = found_so_far / ranks
        if n_max is not None:
            precision[ranks > n_max] = 0.0
        sums = np.zeros(len(sizes))
        np.add.at(sums, topic, precision)
        return sums

    def _sum(self, values: NDArray[np.generic]) -> Ints:
        """The sum of each topic's values, as differences of one running sum."""
        running = running_sum(values)
        return running[self.starts[1:]] - running[self.starts[:-1]]


def running_sum(values: ArrayLike) -> Ints:
    """Sums of the first 0, 1, 2 … values; of the sizes of topics, where each topic starts.

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


# Topics without relevant documents, and collections without others, divide by
# zero before their score is set.
_no_warnings = np.errstate(divide="ignore", invalid="ignore")


@_no_warnings
def pres(sums: TopicSums, n_max: ArrayLike) -> Floats:
    """PRES of each topic, from sums within `n_max`; 0 where n is 0."""
    return _where_relevant(sums, formulas.pres(*sums, _ints(n_max)))


@_no_warnings
def pres_est(sums: TopicSums, n_max: ArrayLike) -> Floats:
    """PRES_est of each topic, from sums within `n_max`; 0 where n is 0."""
    n_max = _ints(n_max)
    return _where_relevant(sums, formulas.pres_est(*sums, n_max, np.minimum(sums.n, n_max)))


@_no_warnings
def rnorm(sums: TopicSums, n_docs: ArrayLike) -> Floats:
    """Rnorm of each topic in a collection of `n_docs`; 0 where n is 0, 1 where all are relevant."""
    n_docs = _ints(n_docs)
    score = formulas.rnorm(*sums, n_docs)
    return _where_relevant(sums, np.where(sums.n == n_docs, 1.0, score))


@_no_warnings
def recall(sums: TopicSums) -> Floats:
    """Recall of each topic; 0 where n is 0."""
    return _where_relevant(sums, formulas.recall(sums.n, sums.found))


@_no_warnings
def average_precision(sums: TopicSums, precision_sum: Floats) -> Floats:
    """AP of each topic; 0 where n is 0."""
    return _where_relevant(sums, formulas.average_precision(sums.n, precision_sum))


def _ints(value: ArrayLike) -> Ints:
    return np.asarray(value, dtype=np.int64)


def _where_relevant(sums: TopicSums, score: Floats) -> Floats:
    return np.where(sums.n == 0, 0.0, score)
