"""Score one topic from the ranks of its relevant documents. Every input is checked."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

from pres_plugin.kernel.arguments import check_ids, number, whole
from pres_plugin.kernel.goal import Goal
from pres_plugin.kernel.statistics import STATISTICS

_FROM_0_TO_1 = ("a number from 0 to 1", lambda it: 0 <= it <= 1)


@dataclass(frozen=True)
class RankedTopic:
    """The number of relevant documents of a topic, and the ranks of those that were retrieved."""

    n: int
    #: In ascending order.
    ranks: list[int]

    # What formulas use, besides statistics.
    minimum: ClassVar[Any] = staticmethod(min)
    maximum: ClassVar[Any] = staticmethod(max)

    @staticmethod
    def where(condition: bool, then: float, otherwise: float) -> float:
        """Return the first of two numbers if the condition is true, otherwise the second."""
        return then if condition else otherwise

    @classmethod
    def checked(cls, ranks: Iterable[int], n_relevant: int) -> RankedTopic:
        """Check the ranks and the number of relevant documents."""
        if isinstance(ranks, Mapping):
            raise TypeError(f"ranks must be a list of ranks, got {ranks!r:.60}")
        n = whole("n_relevant", n_relevant, least=0)
        ascending = sorted(whole("each rank in ranks", rank) for rank in ranks)
        for rank, next_rank in pairwise(ascending):
            if rank == next_rank:
                raise ValueError(f"ranks contains rank {rank} more than once")
        if len(ascending) > n:
            raise ValueError(f"ranks contains {len(ascending)} ranks, but n_relevant is {n}")
        return cls(n, ascending)

    def check_collection_size(self, n_docs: int) -> None:
        """Raise a ValueError if the collection is too small for the topic."""
        if n_docs < self.n:
            raise ValueError(f"n_docs is {n_docs}, below n_relevant, which is {self.n}")
        last = max(self.ranks, default=0)
        if n_docs < last:
            raise ValueError(f"n_docs is {n_docs}, below the rank {last} in ranks")
        not_retrieved = self.n - len(self.ranks)
        if n_docs < last + not_retrieved:
            raise ValueError(
                f"n_docs is {n_docs}, but the collection has at least {last + not_retrieved} "
                f"documents: {last} retrieved, and {not_retrieved} relevant but not in ranks"
            )

    def statistic(self, name: str, n_max: int | None, goal: Goal) -> Any:
        """Return one of :data:`STATISTICS`, computed from the ranks up to `n_max`."""
        last = math.inf if n_max is None else n_max
        statistic = STATISTICS[name]
        values = [
            statistic.value(rank, position)
            for position, rank in enumerate(self.ranks, start=1)
            if rank <= last and (not statistic.of_goal or goal.includes(position, self.n))
        ]
        if statistic.combine == "max":
            return max(values, default=0)
        return sum(values) if statistic.is_whole else math.fsum(values)


def relevant_ranks(ranking: Iterable[Any], relevant: Collection[Any]) -> list[int]:
    """Return the ranks of the relevant documents in a ranking.

    Parameters
    ----------
    ranking : iterable of document ids
        The retrieved documents, beginning with rank 1.
    relevant : collection of document ids
        The relevant documents of the topic, and no others, as a set or a list.

    Returns
    -------
    list of int
        The 1-based ranks of the relevant documents that were retrieved, ascending.

    Raises
    ------
    ValueError
        If `ranking` contains a document twice.
    TypeError
        If `ranking` is a mapping, a set or a string; if `relevant` is a string, or a mapping of
        judgements, which may contain documents that are not relevant.

    Examples
    --------
    >>> from pres_plugin import pres, relevant_ranks
    >>> relevant = {"EP1", "EP2"}
    >>> ranks = relevant_ranks(["EP7", "EP2", "EP9", "EP1"], relevant)
    >>> ranks
    [2, 4]
    >>> pres(ranks, len(relevant), n_max=10)
    0.85
    """
    check_ids(ranking, relevant)
    if isinstance(relevant, Mapping):
        raise TypeError(
            "relevant must contain only the relevant documents, got a mapping; "
            "for judgements, pass {doc_id for doc_id, rel in judgements.items() if rel > 0}"
        )
    relevant = frozenset(relevant)
    rank_of: dict[Any, int] = {}
    for rank, doc_id in enumerate(ranking, start=1):
        if rank_of.setdefault(doc_id, rank) != rank:
            raise ValueError(
                f"ranking contains document {doc_id!r} twice, at ranks {rank_of[doc_id]} and {rank}"
            )
    return [rank for doc_id, rank in rank_of.items() if doc_id in relevant]


def f_prime(ap: float, recall: float, beta: float = 1.0) -> float:
    """F′, the F-measure with average precision (AP) in place of precision.

    F′ = (1+β²)·AP·R / (β²·AP + R), where R is recall (equation 1 of [1]_).

    Parameters
    ----------
    ap : float
        Average precision, between 0 and 1.
    recall : float
        Recall, between 0 and 1.
    beta : float, default 1.0
        How many times as important recall is as AP. If it is 0, F′ equals AP.

    Returns
    -------
    float
        A score from 0 to 1. It is 0 if `ap` or `recall` is 0.

    Raises
    ------
    ValueError
        If `ap` or `recall` is not a number from 0 to 1, or if `beta` is not a finite
        number of at least 0.

    References
    ----------
    .. [1] W. Magdy and G. J. F. Jones. PRES: a score metric for evaluating
       recall-oriented information retrieval applications. SIGIR 2010, 611-618.
       https://doi.org/10.1145/1835449.1835551

    Examples
    --------
    >>> from pres_plugin import f_prime
    >>> f_prime(ap=0.25, recall=1.0)
    0.4
    """
    ap = number("ap", ap, *_FROM_0_TO_1)
    recall = number("recall", recall, *_FROM_0_TO_1)
    beta = number("beta", beta, "a finite number of at least 0", lambda it: 0 <= it < math.inf)
    if ap == 0 or recall == 0:
        return 0.0
    weight = beta * beta
    return (1 + weight) * ap * recall / (weight * ap + recall)
