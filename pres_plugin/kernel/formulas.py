"""The formulas, as plain arithmetic.

A topic enters through three whole numbers: ``n`` (relevant documents),
``found`` (those retrieved within the depth that counts) and ``rank_sum`` (the
sum of their 1-based ranks). Everything here is ``+ - * /`` on them, so the same
lines serve Python integers, numpy arrays, numba and dataframe expressions.

Nothing is checked and nothing is special-cased: the callers, :mod:`.topic` for
one topic and :mod:`.topics` for many, see to bad input and to empty topics.

Until the one division that ends each formula all quantities are whole, which
keeps the result exact: sums of ranks are doubled rather than halved.
"""

from __future__ import annotations

from typing import Any

# Python and numpy numbers, or expressions of a dataframe library: anything
# with the four operators.
Number = Any


def excess_rank_sum(n: Number, found: Number, rank_sum: Number, last: Number) -> Number:
    """Twice what the ranks add up to beyond those of an ideal ranking, 2·Σr - n(n+1).

    The ``m = n - found`` missed documents count as ranked last of all, at
    ``last-m+1 … last``, which adds ``m·last - m(m-1)/2`` to the sum.
    """
    missed = n - found
    return 2 * rank_sum + missed * (2 * last - missed + 1) - n * (n + 1)


def pres(n: Number, found: Number, rank_sum: Number, n_max: Number) -> Number:
    """PRES = 1 - (Σr/n - (n+1)/2) / Nmax, missed documents at Nmax+n-m+1 … Nmax+n."""
    worst = 2 * n * n_max
    return (worst - excess_rank_sum(n, found, rank_sum, n_max + n)) / worst


def pres_est(n: Number, found: Number, rank_sum: Number, n_max: Number, fit: Number) -> Number:
    """PRES / Rmax, where ``fit = min(n, n_max)`` documents fit in the top and Rmax = fit/n.

    Dividing by ``fit`` in place of ``n`` leaves PRES as it is, to the last bit, when all fit.
    """
    worst = 2 * n * n_max
    return (worst - excess_rank_sum(n, found, rank_sum, n_max + n)) / (2 * fit * n_max)


def rnorm(n: Number, found: Number, rank_sum: Number, n_docs: Number) -> Number:
    """Rnorm = 1 - (Σr - n(n+1)/2) / (n(N-n)), missed documents at the collection's end."""
    worst = 2 * n * (n_docs - n)
    return (worst - excess_rank_sum(n, found, rank_sum, n_docs)) / worst


def average_precision(n: Number, precision_sum: Number) -> Number:
    """AP: the precisions at the ranks of the relevant documents found, summed, over n."""
    return precision_sum / n


def recall(n: Number, found: Number) -> Number:
    """R: the part of the relevant documents that was found."""
    return found / n


def f_prime(ap: Number, recall: Number, beta: Number) -> Number:
    """F' = (1+β²)·AP·R / (β²·AP + R) (SIGIR 2010, eq. 1)."""
    weight = beta * beta
    return (1 + weight) * ap * recall / (weight * ap + recall)
