"""The measures, each declared once. Every interface reads its measures from here.

Each measure has a formula, a function that scores one topic with this formula, and a declaration.
:data:`OURS` lists the measures that are added to the frameworks. The frameworks already
have AP and R, which are declared here for Python, dataframes, files and studies.

The argument `topic` of a formula is described in :class:`.TopicValues`. To avoid halves, numerators
and denominators are multiplied by 2. PRES, PRES_est, Rnorm and TNR compute with whole numbers up to
one final division. For one topic, the result is the 64-bit float nearest to the true value.
:mod:`pres_plugin.kernel.topics` states up to which numbers this also holds for arrays.
"""

from __future__ import annotations

import copyreg
from collections.abc import Iterable
from typing import Any

from pres_plugin.kernel.goal import Rounding
from pres_plugin.measures.declaration import Declaration
from pres_plugin.measures.measure import Measure
from pres_plugin.measures.parameters import (
    COLLECTION_SIZE,
    CUTOFF,
    JUDGED_ONLY,
    RECALL,
    REL,
    ROUNDING,
    TREC_EVAL_CUTOFF,
    TREC_EVAL_REL,
    Value,
)

# The parameters that several measures have.
_RANKED = (CUTOFF, REL, JUDGED_ONLY)
_EFFORT = (RECALL, REL, JUDGED_ONLY, COLLECTION_SIZE, ROUNDING)
_TREC_EVAL = (TREC_EVAL_CUTOFF, TREC_EVAL_REL, JUDGED_ONLY)


def _excess(topic: Any, last: Any) -> Any:
    """Return twice the excess of the sum of ranks over an ideal ranking's: 2·Σr - n(n+1).

    The missed documents are assigned the ranks ``last-missed+1 … last``, which add
    ``missed·last - missed·(missed-1)/2`` to the sum.
    """
    n, missed = topic.n, topic.n - topic.found
    return 2 * topic.rank_sum + missed * (2 * last - missed + 1) - n * (n + 1)


def _saved(topic: Any) -> Any:
    """Return 2·n·Nmax minus the excess, with missed documents at Nmax+found+1 … Nmax+n.

    It is 0 if nothing is found.
    """
    return 2 * topic.n * topic.n_max - _excess(topic, topic.n_max + topic.n)


def _pres(topic: Any) -> Any:
    return _saved(topic) / (2 * topic.n * topic.n_max)


def pres(ranks: Iterable[int], n_relevant: int, n_max: int) -> float:
    """Patent Retrieval Evaluation Score (PRES) of one ranking.

    PRES = 1 - (Σr/n - (n+1)/2) / Nmax, where Σr is the sum of the ranks of all n relevant
    documents [1]_. Those that are not in the top Nmax are missed. They are assigned the
    worst possible ranks: Nmax+n_found+1 to Nmax+n, where n_found is the number of relevant
    documents found in the top Nmax.

    Parameters
    ----------
    ranks : iterable of int
        1-based ranks of the relevant documents that were retrieved, at most
        `n_relevant` of them, in any order. Those beyond `n_max` count as missed.
    n_relevant : int
        Number n of relevant documents of the topic, retrieved or not.
    n_max : int
        Nmax, the number of results that the user is willing to check. If it is
        less than `n_relevant`, PRES is at most `n_max` / `n_relevant`.

    Returns
    -------
    float
        A score from 0 to 1. It is 1 if all relevant documents come first and are in the
        top `n_max`. It is 0 if none is in the top `n_max`, or if `n_relevant` is 0. If AP
        and R are average precision and recall at `n_max`, then AP ≤ PRES ≤ R. The score is
        also at least n·R²/Nmax.

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
       recall-oriented information retrieval applications. SIGIR 2010, 611-618
       (section 5, equation 3).
       https://doi.org/10.1145/1835449.1835551

    Examples
    --------
    A topic has four relevant documents, and the user checks 100 results. Finding one
    relevant document at rank 1 scores less than finding all four around rank 50.

    >>> from pres_plugin import pres
    >>> pres([1], n_relevant=4, n_max=100)
    0.25
    >>> pres([50, 51, 53, 54], n_relevant=4, n_max=100)
    0.505
    """
    return PRES.declaration.score(ranks, n_relevant, n_max=n_max)


PRES: Measure = Measure(
    Declaration(
        name="PRES",
        pretty_name="Patent Retrieval Evaluation Score",
        short_desc="Recall at k, reduced if relevant documents appear late in the top k results.",
        function=pres,
        parameters=_RANKED,
        formula=_pres,
        needs_cutoff=True,
        counts_to_n_max=True,
    )
)


def _pres_est(topic: Any) -> Any:
    return _saved(topic) / (2 * topic.minimum(topic.n, topic.n_max) * topic.n_max)


def pres_est(ranks: Iterable[int], n_relevant: int, n_max: int) -> float:
    """PRES of one ranking, divided by the highest recall that is possible at Nmax.

    PRES_est = PRES / Rmax, where Rmax is Nmax/n if Nmax ≤ n, and 1 otherwise [1]_. It
    differs from PRES only if a topic has more relevant documents than the user is
    willing to check. The paper advises it only for evaluation campaigns with very many
    relevant documents, and says that Nmax should exceed n.

    Parameters
    ----------
    ranks : iterable of int
        1-based ranks of the relevant documents that were retrieved, at most
        `n_relevant` of them, in any order. Those beyond `n_max` count as missed.
    n_relevant : int
        Number n of relevant documents of the topic, retrieved or not.
    n_max : int
        Nmax, the number of results that the user is willing to check.

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
    return PRES_est.declaration.score(ranks, n_relevant, n_max=n_max)


PRES_est: Measure = Measure(
    Declaration(
        name="PRES_est",
        pretty_name="Patent Retrieval Evaluation Score relative to its maximum",
        short_desc="PRES@k divided by the highest recall that is possible at k.",
        function=pres_est,
        parameters=_RANKED,
        formula=_pres_est,
        needs_cutoff=True,
        counts_to_n_max=True,
    )
)


def _n_docs_above_n(topic: Any) -> Any:
    # If all documents are relevant, every ranking is perfect, and the formulas are 0/0.
    return topic.where(topic.n == topic.n_docs, topic.n_docs + 1, topic.n_docs)


def _rnorm(topic: Any) -> Any:
    n_docs = _n_docs_above_n(topic)
    worst = 2 * topic.n * (n_docs - topic.n)
    score = (worst - _excess(topic, n_docs)) / worst
    # If all documents are relevant, every order is the best one, but an empty ranking scores 0.
    only_relevant = topic.where(topic.found == 0, 0.0, 1.0)
    return topic.where(topic.n == topic.n_docs, only_relevant, score)


def rnorm(ranks: Iterable[int], n_relevant: int, n_docs: int, n_max: int | None = None) -> float:
    """Normalised recall (Rnorm) of one ranking of a collection.

    Rnorm = 1 - (Σr - n(n+1)/2) / (n(N-n)), where Σr is the sum of the ranks of all n
    relevant documents [1]_, [2]_. Those that were not retrieved, or only after `n_max`,
    are assigned the last ranks of the collection. For a ranking of the whole collection,
    Rnorm equals the area under the ROC curve. Its expected value is 0.5 if the whole
    collection is in random order.

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
        Number of results that the user is willing to check; by default, all that
        were retrieved.

    Returns
    -------
    float
        A score from 0 to 1. It is 1 if all relevant documents come first, or if every document is
        relevant and one was retrieved. It is 0 if no relevant document was retrieved.

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
    return Rnorm.declaration.score(ranks, n_relevant, n_max=n_max, n_docs=n_docs)


Rnorm: Measure = Measure(
    Declaration(
        name="Rnorm",
        pretty_name="Normalised Recall",
        short_desc="How early relevant documents appear in a ranking of the whole collection.",
        function=rnorm,
        parameters=(*_RANKED, COLLECTION_SIZE),
        formula=_rnorm,
    )
)


def _if_reached(topic: Any, score: Any, otherwise: Any = 0.0) -> Any:
    """Return the score, or another value if the topic's goal is never reached."""
    is_short = topic.goal.includes(topic.goal_found + 1, topic.n)
    return topic.where(is_short, otherwise, score)


def _wss(topic: Any) -> Any:
    # R - K/N, where K is the rank at which the recall R is reached
    return _if_reached(topic, topic.goal.recall - topic.goal_rank / topic.n_docs)


def wss(
    ranks: Iterable[int],
    n_relevant: int,
    n_docs: int,
    recall: float = 0.95,
    rounding: Rounding = "up",
) -> float:
    """Work saved over sampling (WSS) at a recall, for one ranking of a collection.

    WSS = (N - K)/N - (1 - R), where K is the rank at which the recall R is reached [1]_.
    It is the fraction of the collection that the user need not check, minus 1 - R. A random
    sample of R·N documents leaves 1 - R of the collection unchecked, and its expected recall
    is R.

    A positive score does not show that a ranking is better than a random order. A random order
    reaches the recall at the expected rank g(N+1)/(n+1), where g is the number of
    documents to find. At R = 0.95, its expected score is about 0.45 for n = 1 and 0.15 for n = 4.

    .. versionadded:: 0.2.0

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
        A score below `recall`. It is negative if more than R·N documents must be checked,
        and 0 if the recall is never reached or if `n_relevant` is 0.

    Raises
    ------
    ValueError
        If `recall` or `rounding` is not one of the values above, or for the reasons given in
        :func:`pres_plugin.rnorm`.

    See Also
    --------
    tnr : WSS normalised to the range from 0 to 1.
    effort : The number of documents to check.
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
    return WSS.declaration.score(ranks, n_relevant, n_docs=n_docs, recall=recall, rounding=rounding)


WSS: Measure = Measure(
    Declaration(
        name="WSS",
        pretty_name="Work Saved over Sampling",
        short_desc="The fraction of the collection that the user need not check to reach a recall "
        "R, minus the fraction 1 - R.",
        function=wss,
        parameters=_EFFORT,
        formula=_wss,
    )
)


def _tnr(topic: Any) -> Any:
    others = _n_docs_above_n(topic) - topic.n
    return _if_reached(topic, (others - (topic.goal_rank - topic.goal_found)) / others)


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
    from 0 to 1, so that the best score is the same for all topics and collections. In a random
    order, its expected value is 1 - g/(n+1), unless all documents are relevant.

    .. versionadded:: 0.2.0

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
    documents. The other 96 documents are not relevant.

    >>> from pres_plugin import tnr
    >>> round(tnr([1, 2, 99, 100], n_relevant=4, n_docs=1000), 4)
    0.9036
    >>> tnr([1, 2, 99, 100], n_relevant=4, n_docs=1000, recall=0.5)
    1.0
    """
    return TNR.declaration.score(ranks, n_relevant, n_docs=n_docs, recall=recall, rounding=rounding)


TNR: Measure = Measure(
    Declaration(
        name="TNR",
        pretty_name="True Negative Rate",
        short_desc="The fraction of the non-relevant documents that the user need not check to "
        "reach a recall.",
        function=tnr,
        parameters=_EFFORT,
        formula=_tnr,
    )
)


def effort(
    ranks: Iterable[int],
    n_relevant: int,
    n_docs: int,
    recall: float = 0.95,
    rounding: Rounding = "up",
) -> float:
    """Effort: the number of documents to check until a recall is reached, for one ranking.

    Effort is K, the rank at which the recall R is reached, or N, the number of documents in the
    collection, if the ranking never reaches it. Then nothing is left but to check all documents.
    Lower values are better.

    Where the recall is reached, Effort = N·(R - WSS), so both order the rankings of a topic in the
    same way. Where it is not, WSS is 0, and N·(R - WSS) would be R·N. A random order reaches
    the recall at the expected rank g(N+1)/(n+1), where g is the number of documents to find.

    .. versionadded:: 0.2.0

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
        A whole number. It is `n_docs` if the recall is never reached, for instance because
        nothing was retrieved, and 0 if `n_relevant` is 0, because then there is nothing to find.

    Raises
    ------
    ValueError
        For the same reasons as in :func:`wss`.

    See Also
    --------
    wss : The fraction of the collection that this effort saves, compared with a random sample.
    last_rel : The rank of the last relevant document that was found.

    References
    ----------
    .. [1] A. M. Cohen, W. R. Hersh, K. Peterson and P.-Y. Yen. Reducing workload in
       systematic review preparation using automated citation classification. Journal
       of the American Medical Informatics Association 13(2), 2006, 206-219.
       https://doi.org/10.1197/jamia.M1929

    Examples
    --------
    Four of 1,000 documents are relevant. The user finds all of them by checking 100 documents, and
    half of them by checking 2. A ranking that lacks one of them leaves all documents to check.

    >>> from pres_plugin import effort
    >>> effort([1, 2, 99, 100], n_relevant=4, n_docs=1000)
    100.0
    >>> effort([1, 2, 99, 100], n_relevant=4, n_docs=1000, recall=0.5)
    2.0
    >>> effort([1, 2, 99], n_relevant=4, n_docs=1000)
    1000.0
    """
    return Effort.declaration.score(
        ranks, n_relevant, n_docs=n_docs, recall=recall, rounding=rounding
    )


Effort: Measure = Measure(
    Declaration(
        name="Effort",
        pretty_name="Effort to reach a recall",
        short_desc="The number of documents to check until a recall is reached.",
        function=effort,
        parameters=_EFFORT,
        formula=lambda topic: _if_reached(topic, topic.goal_rank, topic.n_docs),
        direction=-1,
    )
)


def last_rel(ranks: Iterable[int], n_relevant: int, n_max: int | None = None) -> float:
    """Rank of the last relevant document that was found, as reported at CLEF TAR.

    A smaller value is not necessarily better: it can mean that the user had little to check,
    or that the ranking missed relevant documents.

    .. versionadded:: 0.2.0

    Parameters
    ----------
    ranks : iterable of int
        1-based ranks of the relevant documents that were retrieved, at most
        `n_relevant` of them, in any order.
    n_relevant : int
        Number n of relevant documents of the topic, retrieved or not.
    n_max : int, optional
        Cutoff: the number of results to consider; all by default.

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
    return LastRel.declaration.score(ranks, n_relevant, n_max=n_max)


LastRel: Measure = Measure(
    Declaration(
        name="LastRel",
        pretty_name="Rank of the last relevant document found",
        short_desc="The rank of the last relevant document that was found in the top k results.",
        function=last_rel,
        parameters=_RANKED,
        formula=lambda topic: topic.last_rank,
        direction=0,
    )
)


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
        Cutoff: the number of results to consider; all by default.

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
    return AP.declaration.score(ranks, n_relevant, n_max=n_max)


AP: Measure = Measure(
    Declaration(
        name="AP",
        pretty_name="Average Precision",
        short_desc="The mean of the precisions at the ranks of relevant documents, 0 if missed.",
        function=average_precision,
        parameters=_TREC_EVAL,
        formula=lambda topic: topic.precision_sum / topic.n,
        aliases=("MAP",),
    )
)


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
        Cutoff: the number of results to consider; all by default.

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
    return R.declaration.score(ranks, n_relevant, n_max=n_max)


R: Measure = Measure(
    Declaration(
        name="R",
        pretty_name="Recall",
        short_desc="The fraction of the relevant documents that are in the top k results.",
        function=recall,
        parameters=_TREC_EVAL,
        formula=lambda topic: topic.found / topic.n,
        needs_cutoff=True,
        aliases=("Recall",),
    )
)

#: The measures that this project adds to the frameworks.
OURS: tuple[Measure, ...] = (PRES, PRES_est, Rnorm, WSS, TNR, Effort, LastRel)

#: All measures by name, those of :data:`OURS` first.
BY_NAME: dict[str, Measure] = {measure.name: measure for measure in (*OURS, AP, R)}

#: The measures of :data:`OURS` by their names in Python, in trec_eval's style and in ranx.
BY_LOWER_NAME: dict[str, Measure] = {measure.declaration.lower_name: measure for measure in OURS}


def _restored(name: str, params: dict[str, Value]) -> Measure:
    return BY_NAME[name](**params)


# Measures are pickled by name, since declarations contain functions, which cannot be pickled.
copyreg.pickle(Measure, lambda measure: (_restored, (measure.name, measure.params)))
