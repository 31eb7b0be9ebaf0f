"""The formulas.

For one topic, ``n`` is the number of relevant documents, ``found`` the number of
these in the top Nmax, and ``rank_sum`` the sum of their 1-based ranks. WSS and TNR depend
on the ``rank`` at which a recall is reached. The formulas use only ``+ - * /``, so they
work for Python integers, numpy arrays and expressions of dataframe libraries.

The callers check the input and handle topics without relevant documents.

PRES, PRES_est and Rnorm compute with whole numbers up to one final division, so their
results are exact. To avoid halves, numerators and denominators are multiplied by 2.
"""

from __future__ import annotations

from typing import Any

# Any type that supports the four operators.
Number = Any


def excess_rank_sum(n: Number, found: Number, rank_sum: Number, last: Number) -> Number:
    """Return twice the excess of the sum of ranks over an ideal ranking's: 2·Σr - n(n+1).

    The missed documents are assigned the ranks ``last-missed+1 … last``, which add
    ``missed·last - missed·(missed-1)/2`` to the sum.
    """
    missed = n - found
    return 2 * rank_sum + missed * (2 * last - missed + 1) - n * (n + 1)


def pres(n: Number, found: Number, rank_sum: Number, n_max: Number) -> Number:
    """PRES = 1 - (Σr/n - (n+1)/2) / Nmax, with missed documents at Nmax+found+1 … Nmax+n."""
    worst = 2 * n * n_max
    return (worst - excess_rank_sum(n, found, rank_sum, n_max + n)) / worst


def pres_est(n: Number, found: Number, rank_sum: Number, n_max: Number, fit: Number) -> Number:
    """PRES / Rmax, where Rmax = fit/n and ``fit = min(n, n_max)``.

    If ``fit`` equals ``n``, the result equals PRES to the last bit.
    """
    worst = 2 * n * n_max
    return (worst - excess_rank_sum(n, found, rank_sum, n_max + n)) / (2 * fit * n_max)


def rnorm(n: Number, found: Number, rank_sum: Number, n_docs: Number) -> Number:
    """Rnorm = 1 - (Σr - n(n+1)/2) / (n(N-n)), with missed documents at the last ranks, up to N."""
    worst = 2 * n * (n_docs - n)
    return (worst - excess_rank_sum(n, found, rank_sum, n_docs)) / worst


def wss(rank: Number, n_docs: Number, recall: Number) -> Number:
    """WSS = (N - K)/N - (1 - R) = R - K/N, where K is the `rank` at which recall R is reached."""
    return recall - rank / n_docs


def tnr(n: Number, found: Number, rank: Number, n_docs: Number) -> Number:
    """TNR = 1 - (K - g)/(N - n), where K is the `rank` at which g documents were `found`."""
    others = n_docs - n
    return (others - (rank - found)) / others


def average_precision(n: Number, precision_sum: Number) -> Number:
    """AP: the sum of the precisions at the ranks of the relevant documents found, divided by n."""
    return precision_sum / n


def recall(n: Number, found: Number) -> Number:
    """R: the fraction of the relevant documents that were found."""
    return found / n


def f_prime(ap: Number, recall: Number, beta: Number) -> Number:
    """F' = (1+β²)·AP·R / (β²·AP + R) (SIGIR 2010, eq. 1)."""
    weight = beta * beta
    return (1 + weight) * ap * recall / (weight * ap + recall)
