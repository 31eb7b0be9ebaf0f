"""One topic at a time, from the ranks of its relevant documents, with every input checked.

References
----------
.. [1] W. Magdy and G. J. F. Jones. PRES: a score metric for evaluating
   recall-oriented information retrieval applications. SIGIR 2010, 611-618.
   https://doi.org/10.1145/1835449.1835551
.. [2] J. J. Rocchio. Performance indices for document retrieval systems.
   Report ISR-8 to the NSF, Harvard Computation Laboratory, 1964.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from itertools import pairwise
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from pres_plugin.kernel import formulas

__all__ = [
    "average_precision",
    "f_prime",
    "pres",
    "pres_est",
    "recall",
    "relevant_ranks",
    "rnorm",
]


def pres(ranks: Iterable[int], n_relevant: int, n_max: int) -> float:
    """Patent Retrieval Evaluation Score of one ranking.

    PRES = 1 - (Σr/n - (n+1)/2) / Nmax, where the m relevant documents missing
    from the top Nmax count as ranked Nmax+n-m+1 … Nmax+n [1]_.

    Parameters
    ----------
    ranks : iterable of int
        1-based ranks of the relevant documents that were retrieved, at most
        `n_relevant` of them, in any order. Those beyond `n_max` count as missed.
    n_relevant : int
        Number n of relevant documents of the topic, retrieved or not.
    n_max : int
        Nmax: how many documents the user is willing to check. May be smaller
        than `n_relevant`, although PRES then stays below `n_max` / `n_relevant`.

    Returns
    -------
    float
        Between n·R²/Nmax and R, where R is the recall at `n_max`: 1 when the
        relevant documents are the first `n_relevant`, 0 when none is in the top
        `n_max` or `n_relevant` is 0.

    Raises
    ------
    ValueError
        If a rank is below 1, repeated or not a whole number, if there are more
        ranks than relevant documents, or if `n_relevant` or `n_max` is not a
        whole number of at least 0 or 1.

    See Also
    --------
    pres_est : the same, scaled to reach 1 when there are more than `n_max`.
    rnorm : the measure that PRES starts from, over the whole collection.

    Notes
    -----
    Defined in [1]_, section 4; the references stand in :mod:`pres_plugin.kernel.topic`.

    Examples
    --------
    Four relevant documents and a user who checks 100: finding one at once is
    worth less than finding all of them half-way down.

    >>> from pres_plugin import pres
    >>> pres([1], n_relevant=4, n_max=100)
    0.25
    >>> pres([50, 51, 53, 54], n_relevant=4, n_max=100)
    0.505
    """
    n_max = _positive("n_max", n_max)
    sums = _sums(_topic(ranks, n_relevant), n_max)
    if sums.n == 0:
        return 0.0
    return float(formulas.pres(*sums, n_max))


def pres_est(ranks: Iterable[int], n_relevant: int, n_max: int) -> float:
    """PRES relative to the best that the top Nmax documents can hold.

    PRES_est = PRES / Rmax, with Rmax = Nmax/n where Nmax ≤ n and 1 elsewhere:
    the same as PRES unless a topic has more relevant documents than the user
    is willing to check [1]_.

    Parameters
    ----------
    ranks : iterable of int
        1-based ranks of the relevant documents that were retrieved, at most
        `n_relevant` of them, in any order. Those beyond `n_max` count as missed.
    n_relevant : int
        Number n of relevant documents of the topic, retrieved or not.
    n_max : int
        Nmax: how many documents the user is willing to check.

    Returns
    -------
    float
        Between 0 and 1; 1 when the top `n_max` holds as many relevant documents
        as it can, at its head. 0 where `n_relevant` is 0.

    Raises
    ------
    ValueError
        As :func:`pres` does.

    See Also
    --------
    pres : without the scaling.

    Examples
    --------
    >>> from pres_plugin import pres, pres_est
    >>> first_ten = range(1, 11)
    >>> pres(first_ten, n_relevant=40, n_max=10)
    0.25
    >>> pres_est(first_ten, n_relevant=40, n_max=10)
    1.0
    """
    n_max = _positive("n_max", n_max)
    sums = _sums(_topic(ranks, n_relevant), n_max)
    if sums.n == 0:
        return 0.0
    return float(formulas.pres_est(*sums, n_max, min(sums.n, n_max)))


def rnorm(ranks: Iterable[int], n_relevant: int, n_docs: int, n_max: int | None = None) -> float:
    """Normalised recall of one ranking of a collection.

    Rnorm = 1 - (Σr - n(n+1)/2) / (n(N-n)), where relevant documents that were
    not retrieved, or lie beyond `n_max`, are taken to be the collection's last
    [2]_, [1]_. Of a ranking of the whole collection it is the area under the
    ROC curve.

    Parameters
    ----------
    ranks : iterable of int
        1-based ranks of the relevant documents that were retrieved, at most
        `n_relevant` of them, in any order.
    n_relevant : int
        Number n of relevant documents of the topic, retrieved or not.
    n_docs : int
        Number N of documents in the collection.
    n_max : int, optional
        How many documents the user is willing to check; all if not given.

    Returns
    -------
    float
        Between 0 and 1. 1 when the relevant documents come first, and where
        every document is relevant; 0 where `n_relevant` is 0.

    Raises
    ------
    ValueError
        As :func:`pres` does, and if the collection is too small for what was
        retrieved or is relevant: if `n_docs` is below `n_relevant`, below a rank,
        or leaves no place behind the last rank for the documents not retrieved.

    See Also
    --------
    pres : a measure that does not depend on the collection's size.

    Examples
    --------
    Two relevant documents of ten, retrieved first and fifth:

    >>> from pres_plugin import rnorm
    >>> rnorm([1, 5], n_relevant=2, n_docs=10)
    0.8125
    >>> rnorm([1, 5], n_relevant=2, n_docs=10, n_max=3)
    0.5
    """
    n_docs = _positive("n_docs", n_docs)
    topic = _topic(ranks, n_relevant)
    _check_collection_size(topic, n_docs)
    sums = _sums(topic, _depth(n_max))
    if sums.n == 0:
        return 0.0
    if sums.n == n_docs:
        return 1.0
    return float(formulas.rnorm(*sums, n_docs))


def average_precision(ranks: Iterable[int], n_relevant: int, n_max: int | None = None) -> float:
    """Average precision of one ranking, as trec_eval's ``map`` and ``map_cut``.

    Parameters
    ----------
    ranks : iterable of int
        1-based ranks of the relevant documents that were retrieved, at most
        `n_relevant` of them, in any order.
    n_relevant : int
        Number n of relevant documents of the topic, retrieved or not.
    n_max : int, optional
        Cutoff: how many documents to look at; all if not given.

    Returns
    -------
    float
        Between 0 and 1; 0 where `n_relevant` is 0.

    Raises
    ------
    ValueError
        As :func:`pres` does.

    Examples
    --------
    >>> from pres_plugin import average_precision
    >>> average_precision([1, 4], n_relevant=2)
    0.75
    """
    topic = _topic(ranks, n_relevant)
    depth = _depth(n_max)
    if topic.n == 0:
        return 0.0
    found = (rank for rank in sorted(topic.ranks) if rank <= depth)
    precision_sum = math.fsum(i / rank for i, rank in enumerate(found, start=1))
    return float(formulas.average_precision(topic.n, precision_sum))


def recall(ranks: Iterable[int], n_relevant: int, n_max: int | None = None) -> float:
    """Recall of one ranking, as trec_eval's ``recall`` and ``set_recall``.

    Parameters
    ----------
    ranks : iterable of int
        1-based ranks of the relevant documents that were retrieved, at most
        `n_relevant` of them, in any order.
    n_relevant : int
        Number n of relevant documents of the topic, retrieved or not.
    n_max : int, optional
        Cutoff: how many documents to look at; all if not given.

    Returns
    -------
    float
        Between 0 and 1; 0 where `n_relevant` is 0.

    Raises
    ------
    ValueError
        As :func:`pres` does.

    Examples
    --------
    >>> from pres_plugin import recall
    >>> recall([1, 98, 99, 100], n_relevant=4, n_max=98)
    0.5
    """
    sums = _sums(_topic(ranks, n_relevant), _depth(n_max))
    if sums.n == 0:
        return 0.0
    return float(formulas.recall(sums.n, sums.found))


def f_prime(ap: float, recall: float, beta: float = 1.0) -> float:
    """F′: the F-measure with average precision in precision's place.

    F′ = (1+β²)·AP·R / (β²·AP + R) ([1]_, equation 1).

    Parameters
    ----------
    ap : float
        Average precision, between 0 and 1.
    recall : float
        Recall, between 0 and 1.
    beta : float, default 1.0
        How many times as important as AP recall is; 0 leaves AP alone.

    Returns
    -------
    float
        Between 0 and 1; 0 where `ap` or `recall` is 0.

    Raises
    ------
    ValueError
        If `ap` or `recall` is not a number from 0 to 1, or `beta` not a finite
        number of at least 0.

    Examples
    --------
    >>> from pres_plugin import f_prime
    >>> f_prime(ap=0.25, recall=1.0)
    0.4
    """
    ap = _number("ap", ap, at_most=1.0)
    recall = _number("recall", recall, at_most=1.0)
    beta = _number("beta", beta)
    if ap == 0 or recall == 0:
        return 0.0
    return float(formulas.f_prime(ap, recall, beta))


def relevant_ranks(ranking: Iterable[Any], relevant: Collection[Any]) -> list[int]:
    """Ranks at which a ranking holds the relevant documents.

    Parameters
    ----------
    ranking : iterable of document ids
        The documents retrieved, first rank first.
    relevant : collection of document ids
        The relevant documents of the topic, and only those: a set or a list.

    Returns
    -------
    list of int
        The 1-based ranks of the relevant documents that were retrieved, ascending.

    Raises
    ------
    ValueError
        If `ranking` holds a document twice.
    TypeError
        If `ranking` or `relevant` is a single string, or `relevant` a mapping
        of judgements, which may judge a document not relevant.

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
    for name, value in (("ranking", ranking), ("relevant", relevant)):
        if isinstance(value, str | bytes):
            raise TypeError(f"{name} must hold document ids, got the single string {value!r}")
    if isinstance(relevant, Mapping):
        raise TypeError(
            "relevant must hold the relevant documents alone, got a mapping; "
            "of judgements take {doc_id for doc_id, rel in judgements.items() if rel > 0}"
        )
    relevant = frozenset(relevant)
    rank_of: dict[Any, int] = {}
    for rank, doc_id in enumerate(ranking, start=1):
        if rank_of.setdefault(doc_id, rank) != rank:
            raise ValueError(
                f"ranking holds document {doc_id!r} twice, at ranks {rank_of[doc_id]} and {rank}"
            )
    return [rank for doc_id, rank in rank_of.items() if doc_id in relevant]


class _Topic(NamedTuple):
    n: int
    ranks: list[int]


class _Sums(NamedTuple):
    n: int
    found: int
    rank_sum: int


def _sums(topic: _Topic, depth: float) -> _Sums:
    found = [rank for rank in topic.ranks if rank <= depth]
    return _Sums(topic.n, len(found), sum(found))


def _topic(ranks: Iterable[int], n_relevant: int) -> _Topic:
    n = _whole("n_relevant", n_relevant, at_least=0)
    checked = [_whole("ranks", rank, at_least=1) for rank in ranks]
    for rank, next_rank in pairwise(sorted(checked)):
        if rank == next_rank:
            raise ValueError(f"ranks holds rank {rank} more than once")
    if len(checked) > n:
        raise ValueError(f"ranks holds {len(checked)} ranks, but n_relevant is {n}")
    return _Topic(n, checked)


def _check_collection_size(topic: _Topic, n_docs: int) -> None:
    if n_docs < topic.n:
        raise ValueError(f"n_docs is {n_docs}, below n_relevant, which is {topic.n}")
    last = max(topic.ranks, default=0)
    if n_docs < last:
        raise ValueError(f"n_docs is {n_docs}, below the rank {last} in ranks")
    not_retrieved = topic.n - len(topic.ranks)
    if n_docs < last + not_retrieved:
        raise ValueError(
            f"n_docs is {n_docs}, but the {not_retrieved} relevant documents that ranks lacks "
            f"lie behind rank {last}, so the collection has at least {last + not_retrieved}"
        )


def _depth(n_max: int | None) -> float:
    return math.inf if n_max is None else _positive("n_max", n_max)


def _positive(name: str, value: Any) -> int:
    return _whole(name, value, at_least=1)


def _whole(name: str, value: Any, at_least: int) -> int:
    """`value` as a Python int, whatever whole number it is."""
    try:
        whole = int(value)
        if whole == value and whole >= at_least and not isinstance(value, bool | np.bool_):
            return whole
    except (TypeError, ValueError, OverflowError):  # not a number, NaN, infinite
        pass
    kind = "whole number" if at_least == 0 else "positive whole number"
    raise ValueError(f"{name} takes a {kind}, got {value!r}")


def _number(name: str, value: Any, at_most: float = math.inf) -> float:
    if isinstance(value, Real):
        number = float(value)
        if 0 <= number <= at_most and math.isfinite(number):
            return number
    limit = (
        "finite number of at least 0" if math.isinf(at_most) else f"number from 0 to {at_most:g}"
    )
    raise ValueError(f"{name} takes a {limit}, got {value!r}")
