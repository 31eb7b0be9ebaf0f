"""Score one topic by the effort to find its relevant documents. Every input is checked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pres_plugin.kernel import formulas
from pres_plugin.kernel.arguments import (
    RankedTopic,
    check_collection_size,
    positive,
    positive_number,
    ranked_topic,
)
from pres_plugin.kernel.goal import ROUNDINGS, Goal, Rounding

__all__ = ["last_rel", "tnr", "wss"]


def wss(
    ranks: Iterable[int],
    n_relevant: int,
    n_docs: int,
    recall: float = 0.95,
    rounding: Rounding = "up",
) -> float:
    """Work saved over sampling (WSS) at a recall, for one ranking of a collection.

    WSS = (N - K)/N - (1 - R), where K is the rank at which the recall R is reached [1]_.
    It is the fraction of the collection that the user need not check, minus the same
    fraction for a random order.

    Parameters
    ----------
    ranks : iterable of int
        1-based ranks of the relevant documents that were retrieved, at most
        `n_relevant` of them, in any order.
    n_relevant : int
        Number n of relevant documents of the topic, retrieved or not.
    n_docs : int
        Number N of documents in the collection.
    recall : float, default 0.95
        The recall R to reach: above 0, at most 1.
    rounding : {'up', 'nearest'}, default 'up'
        How to turn R·n into a number of documents to find. With 'up', their recall is
        at least R. With 'nearest', R·n is rounded with Python's `round`, as the organisers
        of CLEF TAR do, and the recall may be below R. At least one document must be found.

    Returns
    -------
    float
        A score below `recall`. It is negative if the ranking is worse than a random order,
        and 0 if the recall is never reached or if `n_relevant` is 0.

    Raises
    ------
    ValueError
        If `recall` or `rounding` is not one of the values above, or for the reasons given in
        :func:`pres_plugin.rnorm`.

    See Also
    --------
    tnr : WSS normalised to the range from 0 to 1.
    last_rel : The rank of the last relevant document that was found.

    References
    ----------
    .. [1] A. M. Cohen, W. R. Hersh, K. Peterson and P.-Y. Yen. Reducing workload in
       systematic review preparation using automated citation classification. Journal
       of the American Medical Informatics Association 13(2), 2006, 206-219.
       https://doi.org/10.1197/jamia.M1929

    Examples
    --------
    Four of 1,000 documents are relevant. A recall of 95 % requires all four of them, because
    3.8 is rounded up. The user finds the last one at rank 100, and half of them by rank 2.

    >>> from pres_plugin import wss
    >>> wss([1, 2, 99, 100], n_relevant=4, n_docs=1000)
    0.85
    >>> wss([1, 2, 99, 100], n_relevant=4, n_docs=1000, recall=0.5)
    0.498
    """
    n_docs = positive("n_docs", n_docs)
    goal = _goal(recall, rounding)
    reached = _reached(ranked_topic(ranks, n_relevant), n_docs, goal)
    return 0.0 if reached is None else float(formulas.wss(reached.rank, n_docs, goal.recall))


def tnr(
    ranks: Iterable[int],
    n_relevant: int,
    n_docs: int,
    recall: float = 0.95,
    rounding: Rounding = "up",
) -> float:
    """True negative rate (TNR) at a recall, for one ranking of a collection.

    TNR = 1 - (K - g)/(N - n), where K is the rank at which the recall R is reached, and g
    the number of relevant documents found by then [1]_. It is the fraction of the
    non-relevant documents that the user need not check. TNR is WSS normalised to the range
    from 0 to 1, so that topics and collections can be compared.

    Parameters
    ----------
    ranks : iterable of int
        1-based ranks of the relevant documents that were retrieved, at most
        `n_relevant` of them, in any order.
    n_relevant : int
        Number n of relevant documents of the topic, retrieved or not.
    n_docs : int
        Number N of documents in the collection.
    recall : float, default 0.95
        The recall R to reach: above 0, at most 1.
    rounding : {'up', 'nearest'}, default 'up'
        How to turn R·n into the number g of documents to find; see :func:`wss`.

    Returns
    -------
    float
        A score from 0 to 1. It is 1 if the first g documents are relevant, and 0 if the
        recall is never reached or if `n_relevant` is 0. If every document is relevant and the
        recall is reached, it is 1.

    Raises
    ------
    ValueError
        For the same reasons as in :func:`wss`.

    See Also
    --------
    wss : The measure that is normalised.

    References
    ----------
    .. [1] W. Kusa, A. Lipani, P. Knoth and A. Hanbury. An analysis of work saved over
       sampling in the evaluation of automated citation screening in systematic literature
       reviews. Intelligent Systems with Applications 18, 2023, 200193.
       https://doi.org/10.1016/j.iswa.2023.200193

    Examples
    --------
    Four of 1,000 documents are relevant. The user finds all of them by checking 100
    documents, 96 of which are not relevant.

    >>> from pres_plugin import tnr
    >>> round(tnr([1, 2, 99, 100], n_relevant=4, n_docs=1000), 4)
    0.9036
    >>> tnr([1, 2, 99, 100], n_relevant=4, n_docs=1000, recall=0.5)
    1.0
    """
    n_docs = positive("n_docs", n_docs)
    topic = ranked_topic(ranks, n_relevant)
    reached = _reached(topic, n_docs, _goal(recall, rounding))
    if reached is None:
        return 0.0
    # If all documents are relevant, no document can be left out, and the formula is 0/0.
    return float(formulas.tnr(topic.n, *reached, max(n_docs, topic.n + 1)))


def last_rel(ranks: Iterable[int], n_relevant: int, n_max: int | None = None) -> float:
    """Rank of the last relevant document that was found, as reported at CLEF TAR.

    A smaller value is not necessarily better: it can mean that the user had little to check,
    or that the ranking missed relevant documents.

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
        The largest of the ranks, or 0 if no relevant document was found.

    Raises
    ------
    ValueError
        For the same reasons as in :func:`pres_plugin.pres`.

    Examples
    --------
    >>> from pres_plugin import last_rel
    >>> last_rel([1, 98, 99, 100], n_relevant=4)
    100.0
    >>> last_rel([1, 98, 99, 100], n_relevant=4, n_max=50)
    1.0
    """
    return float(max(ranked_topic(ranks, n_relevant).found(n_max), default=0))


class _Reached(NamedTuple):
    """How many relevant documents the goal includes, and the rank at which it is reached."""

    found: int
    rank: int


def _goal(recall: float, rounding: Rounding) -> Goal:
    """Check the target recall and how to round."""
    if rounding not in ROUNDINGS:
        raise ValueError(f"rounding must be {' or '.join(map(repr, ROUNDINGS))}, got {rounding!r}")
    return Goal(positive_number("recall", recall), rounding)


def _reached(topic: RankedTopic, n_docs: int, goal: Goal) -> _Reached | None:
    """Return where the recall is reached, or None if it never is; check the collection's size."""
    check_collection_size(topic, n_docs)
    in_goal = [
        rank
        for position, rank in enumerate(sorted(topic.ranks), start=1)
        if goal.includes(position, topic.n)
    ]
    if not in_goal or goal.includes(len(in_goal) + 1, topic.n):
        return None
    return _Reached(len(in_goal), in_goal[-1])
