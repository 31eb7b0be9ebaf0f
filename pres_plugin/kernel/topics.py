"""Score many topics at once, with arrays of one element per topic.

The callers check the input. Arrays contain 64-bit integers, and scores are 64-bit
floats. They are exact up to the final division, even for collections of 10⁹ documents
and topics with 10⁵ relevant documents.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pres_plugin.kernel.goal import USUAL_GOAL, Goal
from pres_plugin.kernel.statistics import STATISTICS, Statistic

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

#: A function that returns the score of a topic. The topic's attributes are `n`, `n_max`,
#: `n_docs` and each statistic, as arrays or as expressions of a dataframe library, its
#: `goal`, and the functions `minimum` and `where`, which work like numpy's.
Formula = Callable[[Any], Any]


_COMBINE = {"sum": np.add, "max": np.maximum}


@dataclass(frozen=True, eq=False)
class RelevantRanks:
    """The ranks of the relevant documents of T topics, found once for all cutoffs."""

    #: The number of relevant documents per topic, retrieved or not. Shape (T,).
    n: Ints
    #: The 1-based ranks of the retrieved ones, topic by topic, in any order within a topic.
    ranks: Ints
    #: Where each topic's ranks start in `ranks`, and where the last topic's end. Shape (T + 1,).
    starts: Ints

    @classmethod
    def of_documents(
        cls, ranks: Ints, starts: Ints, is_relevant: NDArray[np.bool_] | None = None
    ) -> RelevantRanks:
        """Select the relevant documents, given the rank of each document that may be relevant.

        The rank is 0 for documents that were not retrieved. The documents of topic t are
        ``starts[t]`` up to, but not including, ``starts[t + 1]``. Without `is_relevant`,
        all of them are relevant.
        """
        is_found = ranks > 0
        n = np.diff(starts)
        if is_relevant is not None:
            is_found &= is_relevant
            n = np.diff(running_sum(is_relevant)[starts])
        return cls(n, ranks[is_found], running_sum(is_found)[starts])

    @property
    def n_found(self) -> Ints:
        """The number of relevant documents retrieved per topic, at any rank."""
        return np.diff(self.starts)

    def statistic(
        self, name: str, n_max: int | Ints | None = None, goal: Goal = USUAL_GOAL
    ) -> NDArray[Any]:
        """Return one of :data:`STATISTICS` per topic, computed from the ranks up to `n_max`.

        If `n_max` is an array of C ascending cutoffs, of shape (C, 1), the result has the shape
        (C, T).
        """
        statistic = STATISTICS[name]
        if isinstance(n_max, np.ndarray):
            return self._at_cutoffs(statistic, n_max, goal)
        ranks, position = self._in_order if statistic.needs_positions else (self.ranks, None)
        values = np.broadcast_to(statistic.value(ranks, position), ranks.shape)
        if n_max is not None:
            values = values * (ranks <= n_max)
        if statistic.of_goal:
            values = values * goal.includes(position, np.repeat(self.n, self.n_found))
        if statistic.combine == "sum" and statistic.is_whole:
            sums = running_sum(values)
            return sums[self.starts[1:]] - sums[self.starts[:-1]]
        # Differences between running sums of floats would be inexact.
        combined = np.zeros(len(self.n), dtype=np.int64 if statistic.is_whole else np.float64)
        combine: Any = _COMBINE[statistic.combine]
        combine.at(combined, self._topic_of_each_rank(), values)
        return combined

    def _at_cutoffs(self, statistic: Statistic, n_max: Ints, goal: Goal) -> NDArray[Any]:
        """Return a statistic per cutoff and topic.

        Each topic's ranks are sorted, so those up to a cutoff come first. The statistic is
        therefore accumulated once, rank by rank, and then looked up for each cutoff.
        """
        ranks, position = self._in_order
        topic = self._topic_of_each_rank()
        values = np.broadcast_to(statistic.value(ranks, position), ranks.shape)
        if statistic.of_goal:
            values = values * goal.includes(position, np.repeat(self.n, self.n_found))
        shape = len(n_max) + 1, len(self.n)
        first_cutoff = np.searchsorted(n_max[:, 0], ranks)
        counts = np.bincount(first_cutoff * shape[1] + topic, minlength=shape[0] * shape[1])
        within = counts.reshape(shape)[:-1].cumsum(axis=0)
        if statistic.combine == "sum" and statistic.is_whole:
            sums = running_sum(values)
            of_topics: NDArray[Any] = sums[self.starts[:-1] + within] - sums[self.starts[:-1]]
            return of_topics
        # Each topic's values follow a 0, which is the statistic before the first rank.
        starts = self.starts + np.arange(len(self.starts))
        accumulated = np.zeros(starts[-1], dtype=values.dtype)
        accumulated[starts[topic] + position] = values
        combine: Any = _COMBINE[statistic.combine]
        for start, end in pairwise(starts.tolist()):
            combine.accumulate(accumulated[start:end], out=accumulated[start:end])
        at_cutoffs: NDArray[Any] = accumulated[starts[:-1] + within]
        return at_cutoffs

    def _topic_of_each_rank(self) -> Ints:
        return np.repeat(np.arange(len(self.n)), self.n_found)

    @cached_property
    def _in_order(self) -> tuple[Ints, Ints]:
        """Return each topic's ranks in ascending order, and their 1-based positions."""
        ranks, topic = self.ranks, self._topic_of_each_rank()
        if not ((ranks[1:] > ranks[:-1]) | (topic[1:] > topic[:-1])).all():
            ranks = ranks[np.lexsort((ranks, topic))]
        return ranks, np.arange(1, len(ranks) + 1) - np.repeat(self.starts[:-1], self.n_found)


class _Topics:
    """The attributes and functions that a :data:`Formula` uses, for T topics."""

    minimum = staticmethod(np.minimum)
    where = staticmethod(np.where)

    def __init__(
        self, ranks: RelevantRanks, n_max: int | Ints | None, n_docs: Any, goal: Goal
    ) -> None:
        self._ranks = ranks
        self.n_max = n_max
        self.goal = goal
        # Avoid dividing by zero; score() then sets the score of these topics to 0.
        self.n_docs = None if n_docs is None else np.maximum(n_docs, 1)
        self.n = np.maximum(ranks.n, 1)

    def __getattr__(self, statistic: str) -> NDArray[Any]:
        return self._ranks.statistic(statistic, self.n_max, self.goal)


def score(
    formula: Formula,
    ranks: RelevantRanks,
    n_max: int | Ints | None,
    n_docs: Any = None,
    goal: Goal = USUAL_GOAL,
) -> Floats:
    """Return the score of each topic; 0 for topics without relevant documents.

    `n_max` is None if there is no cutoff. With C ascending cutoffs in an array of shape (C, 1),
    the result has the shape (C, T). `n_docs` is the size of the collection, or an
    array with one size per topic. `goal` is the target recall. Only some measures depend
    on these two.
    """
    scores = formula(_Topics(ranks, n_max, n_docs, goal))
    return np.where(ranks.n == 0, 0.0, scores)


def running_sum(values: ArrayLike) -> Ints:
    """Return the sums of the first 0, 1, 2 … values: [0, 2, 2, 7] for [2, 0, 5].

    If the values are sizes of topics, the sums are the positions at which the topics start.
    """
    values = np.asarray(values)
    sums = np.zeros(len(values) + 1, dtype=np.int64)
    np.cumsum(values, dtype=np.int64, out=sums[1:])
    return sums
