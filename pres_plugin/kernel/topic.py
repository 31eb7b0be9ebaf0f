"""Score one topic from the ranks of its relevant documents. Every input is checked."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from pres_plugin.kernel import formulas
from pres_plugin.kernel.arguments import (
    RankedTopic,
    check_collection_size,
    number,
    positive,
    ranked_topic,
)

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
    """Patent Retrieval Evaluation Score (PRES) of one ranking.

    PRES = 1 - (Σr/n - (n+1)/2) / Nmax, where Σr is the sum of the ranks of all n relevant
    documents (section 4 of [1]_). Those that are not in the top Nmax are missed.
    They are assigned the worst possible ranks: Nmax+n_found+1 to Nmax+n, where n_found is
    the number of relevant documents found in the top Nmax.

    Parameters
    ----------
    ranks : iterable of int
        1-based ranks of the relevant documents that were retrieved, at most
        `n_relevant` of them, in any order. Those beyond `n_max` count as missed.
    n_relevant : int
        Number n of relevant documents of the topic, retrieved or not.
    n_max : int
        Nmax, the number of documents that the user is willing to check. If it is
        less than `n_relevant`, PRES is at most `n_max` / `n_relevant`.

    Returns
    -------
    float
        A score from 0 to 1. It is 1 if all relevant documents come first and are in the
        top `n_max`. It is 0 if none is in the top `n_max`, or if `n_relevant` is 0. If R is
        the recall at `n_max`, the score is at least n·R²/Nmax and at most R.

    Raises
    ------
    ValueError
        If a rank is less than 1, repeated or not a whole number; if there are more
        ranks than relevant documents; if `n_relevant` is not a whole number of at
        least 0; or if `n_max` is not a whole number of at least 1.

    See Also
    --------
    pres_est : PRES divided by its maximum, which is less than 1 if `n_relevant` exceeds `n_max`.
    rnorm : The measure from which PRES was derived, for the whole collection.

    References
    ----------
    .. [1] W. Magdy and G. J. F. Jones. PRES: a score metric for evaluating
       recall-oriented information retrieval applications. SIGIR 2010, 611-618.
       https://doi.org/10.1145/1835449.1835551

    Examples
    --------
    A topic has four relevant documents, and the user checks 100 documents. Finding one
    relevant document at rank 1 scores less than finding all four around rank 50.

    >>> from pres_plugin import pres
    >>> pres([1], n_relevant=4, n_max=100)
    0.25
    >>> pres([50, 51, 53, 54], n_relevant=4, n_max=100)
    0.505
    """
    n_max = positive("n_max", n_max)
    sums = _sums(ranked_topic(ranks, n_relevant), n_max)
    if sums.n == 0:
        return 0.0
    return float(formulas.pres(*sums, n_max))


def pres_est(ranks: Iterable[int], n_relevant: int, n_max: int) -> float:
    """PRES of one ranking, divided by the highest recall that is possible at Nmax.

    PRES_est = PRES / Rmax, where Rmax is Nmax/n if Nmax ≤ n, and 1 otherwise [1]_. It
    differs from PRES only if a topic has more relevant documents than the user is
    willing to check.

    Parameters
    ----------
    ranks : iterable of int
        1-based ranks of the relevant documents that were retrieved, at most
        `n_relevant` of them, in any order. Those beyond `n_max` count as missed.
    n_relevant : int
        Number n of relevant documents of the topic, retrieved or not.
    n_max : int
        Nmax, the number of documents that the user is willing to check.

    Returns
    -------
    float
        A score from 0 to 1. It is 1 if all relevant documents come first or if the top
        `n_max` documents are all relevant. It is 0 if `n_relevant` is 0.

    Raises
    ------
    ValueError
        For the same reasons as in :func:`pres`.

    See Also
    --------
    pres : The same measure without the division.

    References
    ----------
    .. [1] W. Magdy and G. J. F. Jones. PRES: a score metric for evaluating
       recall-oriented information retrieval applications. SIGIR 2010, 611-618.
       https://doi.org/10.1145/1835449.1835551

    Examples
    --------
    >>> from pres_plugin import pres, pres_est
    >>> first_ten = range(1, 11)
    >>> pres(first_ten, n_relevant=40, n_max=10)
    0.25
    >>> pres_est(first_ten, n_relevant=40, n_max=10)
    1.0
    """
    n_max = positive("n_max", n_max)
    sums = _sums(ranked_topic(ranks, n_relevant), n_max)
    if sums.n == 0:
        return 0.0
    return float(formulas.pres_est(*sums, n_max, min(sums.n, n_max)))


def rnorm(ranks: Iterable[int], n_relevant: int, n_docs: int, n_max: int | None = None) -> float:
    """Normalised recall (Rnorm) of one ranking of a collection.

    Rnorm = 1 - (Σr - n(n+1)/2) / (n(N-n)), where Σr is the sum of the ranks of all n
    relevant documents [1]_, [2]_. Those that were not retrieved, or only after `n_max`,
    are assigned the last ranks of the collection. For a ranking of the whole collection,
    Rnorm equals the area under the ROC curve.

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
        Number of documents that the user is willing to check; by default, all that
        were retrieved.

    Returns
    -------
    float
        A score from 0 to 1. It is 1 if all relevant documents come first or if every
        document is relevant, and 0 if `n_relevant` is 0.

    Raises
    ------
    ValueError
        For the same reasons as in :func:`pres`, or if the collection is too small:
        if `n_docs` is less than `n_relevant` or than a rank, or if fewer documents follow the
        last rank than there are relevant documents that were not retrieved.

    See Also
    --------
    pres : A measure that does not depend on the size of the collection.

    References
    ----------
    .. [1] J. J. Rocchio. Performance indices for document retrieval systems.
       Report ISR-8 to the NSF, Harvard Computation Laboratory, 1964.
    .. [2] W. Magdy and G. J. F. Jones. PRES: a score metric for evaluating
       recall-oriented information retrieval applications. SIGIR 2010, 611-618.
       https://doi.org/10.1145/1835449.1835551

    Examples
    --------
    Two of ten documents are relevant, at ranks 1 and 5:

    >>> from pres_plugin import rnorm
    >>> rnorm([1, 5], n_relevant=2, n_docs=10)
    0.8125
    >>> rnorm([1, 5], n_relevant=2, n_docs=10, n_max=3)
    0.5
    """
    n_docs = positive("n_docs", n_docs)
    topic = ranked_topic(ranks, n_relevant)
    check_collection_size(topic, n_docs)
    sums = _sums(topic, n_max)
    if sums.n == 0:
        return 0.0
    if sums.n == n_docs:
        return 1.0
    return float(formulas.rnorm(*sums, n_docs))


def average_precision(ranks: Iterable[int], n_relevant: int, n_max: int | None = None) -> float:
    """Average precision (AP) of one ranking, as in trec_eval's ``map`` and ``map_cut``.

    AP is the sum of the precisions at the ranks of the relevant documents found, divided by
    the number n of relevant documents.

    Parameters
    ----------
    ranks : iterable of int
        1-based ranks of the relevant documents that were retrieved, at most
        `n_relevant` of them, in any order.
    n_relevant : int
        Number n of relevant documents of the topic, retrieved or not.
    n_max : int, optional
        Cutoff: the number of documents to consider; all by default.

    Returns
    -------
    float
        A score from 0 to 1. It is 0 if `n_relevant` is 0.

    Raises
    ------
    ValueError
        For the same reasons as in :func:`pres`.

    Examples
    --------
    >>> from pres_plugin import average_precision
    >>> average_precision([1, 4], n_relevant=2)
    0.75
    """
    topic = ranked_topic(ranks, n_relevant)
    found = sorted(topic.found(n_max))
    if topic.n == 0:
        return 0.0
    precision_sum = math.fsum(i / rank for i, rank in enumerate(found, start=1))
    return float(formulas.average_precision(topic.n, precision_sum))


def recall(ranks: Iterable[int], n_relevant: int, n_max: int | None = None) -> float:
    """Recall (R) of one ranking, as in trec_eval's ``recall`` and ``set_recall``.

    R = n_found/n, where n_found is the number of relevant documents found.

    Parameters
    ----------
    ranks : iterable of int
        1-based ranks of the relevant documents that were retrieved, at most
        `n_relevant` of them, in any order.
    n_relevant : int
        Number n of relevant documents of the topic, retrieved or not.
    n_max : int, optional
        Cutoff: the number of documents to consider; all by default.

    Returns
    -------
    float
        A score from 0 to 1. It is 0 if `n_relevant` is 0.

    Raises
    ------
    ValueError
        For the same reasons as in :func:`pres`.

    Examples
    --------
    >>> from pres_plugin import recall
    >>> recall([1, 98, 99, 100], n_relevant=4, n_max=98)
    0.5
    """
    sums = _sums(ranked_topic(ranks, n_relevant), n_max)
    if sums.n == 0:
        return 0.0
    return float(formulas.recall(sums.n, sums.found))


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
    ap = number("ap", ap, at_most=1.0)
    recall = number("recall", recall, at_most=1.0)
    beta = number("beta", beta)
    if ap == 0 or recall == 0:
        return 0.0
    return float(formulas.f_prime(ap, recall, beta))


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
        If `ranking` or `relevant` is a single string, or if `relevant` is a mapping
        of judgements, which may contain documents that are not relevant.

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
            raise TypeError(f"{name} must contain document ids, got the single string {value!r}")
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


class _Sums(NamedTuple):
    n: int
    found: int
    rank_sum: int


def _sums(topic: RankedTopic, n_max: int | None) -> _Sums:
    found = topic.found(n_max)
    return _Sums(topic.n, len(found), sum(found))
