"""Score many topics at once, with arrays of one element per topic.

The callers check the input. Arrays contain 64-bit integers, and scores are 64-bit floats. PRES,
PRES_est, Rnorm and TNR are computed with whole numbers up to one division. So the score is the
64-bit float nearest to the true value as long as no number exceeds 2⁵³: up to n·Nmax = 2⁵² for PRES
and PRES_est, and n·N = 2⁵² for Rnorm. For 4·10⁵ relevant documents, that is an Nmax of 10¹⁰. With
larger numbers, which are rounded before the division, the relative error is below 4·10⁻¹⁶.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pres_plugin.kernel.goal import USUAL_GOAL, Goal
from pres_plugin.kernel.statistics import STATISTICS

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_COMBINE: dict[str, Any] = {"sum": np.add, "max": np.maximum}


@dataclass(frozen=True, eq=False)
class RelevantRanks:
    """The ranks of the relevant documents of T topics, found once for all cutoffs."""

    #: The number of relevant documents per topic, retrieved or not. Shape (T,).
    n: Ints
    #: The 1-based ranks of the retrieved ones, topic by topic, in any order within a topic.
    ranks: Ints
    #: Where each topic's ranks start in `ranks`, and where the last topic's end. Shape (T + 1,).
    starts: Ints

    # What formulas use, besides statistics.
    minimum: ClassVar[Any] = staticmethod(np.minimum)
    maximum: ClassVar[Any] = staticmethod(np.maximum)
    where: ClassVar[Any] = staticmethod(np.where)

    @classmethod
    def of_documents(
        cls, ranks: Ints, starts: Ints, is_relevant: NDArray[np.bool_]
    ) -> RelevantRanks:
        """Select the relevant documents, given the rank of each document that may be relevant.

        The rank is 0 for documents that were not retrieved. The documents of topic t are
        ``starts[t]`` up to, but not including, ``starts[t + 1]``.
        """
        is_found = (ranks > 0) & is_relevant
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
        is_sorted = statistic.uses_position or statistic.of_goal
        ranks, position = self._in_order if is_sorted else (self.ranks, None)
        values = np.broadcast_to(statistic.value(ranks, position), ranks.shape)
        if statistic.of_goal:
            values = values * goal.includes(position, np.repeat(self.n, self.n_found))
        # Combine the values per topic and first cutoff that includes them. Then add those of
        # smaller cutoffs. The last row of the table is for ranks after all cutoffs.
        cutoffs = np.reshape(np.inf if n_max is None else n_max, -1)
        shape = len(cutoffs) + 1, len(self.n)
        cells = np.searchsorted(cutoffs, ranks) * shape[1] + self._topic_of_each_rank()
        combined = np.zeros(shape, dtype=np.int64 if statistic.is_whole else np.float64)
        combine = _COMBINE[statistic.combine]
        combine.at(combined.reshape(-1), cells, values)
        of_cutoffs: NDArray[Any] = combine.accumulate(combined)[:-1]
        return of_cutoffs if isinstance(n_max, np.ndarray) else of_cutoffs[0]

    def _topic_of_each_rank(self) -> Ints:
        return np.repeat(np.arange(len(self.n)), self.n_found)

    @cached_property
    def _in_order(self) -> tuple[Ints, Ints]:
        """Return each topic's ranks in ascending order, and their 1-based positions."""
        ranks, topic = self.ranks, self._topic_of_each_rank()
        if not ((ranks[1:] > ranks[:-1]) | (topic[1:] > topic[:-1])).all():
            ranks = ranks[np.lexsort((ranks, topic))]
        return ranks, np.arange(1, len(ranks) + 1) - np.repeat(self.starts[:-1], self.n_found)


def running_sum(values: ArrayLike) -> Ints:
    """Return the sums of the first 0, 1, 2 … values: [0, 2, 2, 7] for [2, 0, 5].

    If the values are sizes of topics, the sums are the positions at which the topics start.
    """
    return np.concatenate(([0], np.cumsum(values, dtype=np.int64)))
