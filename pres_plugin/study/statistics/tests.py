"""Tests of whether two runs differ, paired by topic."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from pres_plugin.study.statistics.method import Method
from pres_plugin.study.statistics.resampling import Resampling

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# The largest numbers of topics that differ for which p-values of Wilcoxon's test are exact, as in
# SciPy: without ties, and with ties.
_EXACT_UP_TO = 50
_EXACT_WITH_TIES_UP_TO = 13

# The number of sums of ranks to compute at once.
_SUMS_AT_ONCE = 2_000_000

# The number of decimals of sums of differences, which are scaled so that the largest is 1 in
# magnitude.
_DECIMALS = 9


def wilcoxon(differences: Floats, resampling: Resampling) -> tuple[Floats, Ints]:
    """Return the p-value of Wilcoxon's signed-rank test of each pair, and which run leads.

    The leader is 1 if the first run is higher, -1 if the second one is, and 0 if neither is.
    """
    p_values = np.ones(len(differences))
    signs = np.zeros(len(differences), dtype=np.int64)
    changed = np.count_nonzero(differences, axis=1)
    differ = changed > 0
    if not differ.any():
        return p_values, signs
    differences, changed = differences[differ], changed[differ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scipy warns about small samples
        # The statistic of the one-sided test is the sum of the positive differences' ranks.
        found = stats.wilcoxon(differences, method="approx", alternative="greater", axis=1)
    of_pairs = 2 * stats.norm.sf(np.abs(found.zstatistic))
    ties = _any_tie(differences)
    exact = ~ties & (changed <= _EXACT_UP_TO)
    for n in np.unique(changed[exact]).tolist():
        rows = exact & (changed == n)
        of_pairs[rows] = _exact_p_values(n)[found.statistic[rows].astype(np.intp)]
    exact = ties & (changed <= _EXACT_WITH_TIES_UP_TO)
    for n in np.unique(changed[exact]).tolist():
        rows = exact & (changed == n)
        left = differences[rows]
        of_pairs[rows] = _exact_p_values_with_ties(left[left != 0].reshape(-1, n))
    p_values[differ] = of_pairs
    signs[differ] = np.sign(found.statistic - changed * (changed + 1) / 4)
    return p_values, signs


def _any_tie(differences: Floats) -> NDArray[np.bool_]:
    """Return whether any two differences of a pair, other than 0, have the same magnitude."""
    magnitudes = np.sort(np.abs(differences), axis=1)
    tied: NDArray[np.bool_] = (
        (magnitudes[:, 1:] == magnitudes[:, :-1]) & (magnitudes[:, 1:] > 0)
    ).any(axis=1)
    return tied


@cache
def _exact_p_values(n: int) -> Floats:
    """Return Wilcoxon's exact p-value of n differences for each sum of positive ranks.

    Without ties, the p-value depends only on n and this sum. So scipy computes it once per sum,
    for n made-up differences whose positive ranks have that sum: from the highest rank down,
    a difference is positive if its rank does not exceed what is left of the sum.
    """
    left = np.arange(n * (n + 1) // 2 + 1)
    differences = np.empty((len(left), n))
    for rank in range(n, 0, -1):
        fits = left >= rank
        differences[:, rank - 1] = np.where(fits, rank, -rank)
        left[fits] -= rank
    p_values: Floats = stats.wilcoxon(differences, method="exact", axis=1).pvalue
    return p_values


def _exact_p_values_with_ties(differences: Floats) -> Floats:
    """Return Wilcoxon's exact p-values of pairs whose topics all differ.

    The p-values follow from the sums of positive ranks for all choices of signs. SciPy computes
    the same, but a pair at a time, which needs a thousand times as long.
    """
    n = differences.shape[1]
    signs = (np.arange(2**n)[:, None] >> np.arange(n)) & 1
    p_values = np.empty(len(differences))
    size = max(1, _SUMS_AT_ONCE // len(signs))
    for start in range(0, len(differences), size):
        block = slice(start, start + size)
        ranks = stats.rankdata(np.abs(differences[block]), axis=1)
        observed = (ranks * (differences[block] > 0)).sum(axis=1, keepdims=True)
        sums = ranks @ signs.T
        tails = [(sums >= observed).mean(axis=1), (sums <= observed).mean(axis=1)]
        p_values[block] = np.minimum(2 * np.minimum(*tails), 1.0)
    return p_values


def t(differences: Floats, resampling: Resampling) -> tuple[Floats, Ints]:
    """Return the p-value of Student's t test of each pair, and which run leads."""
    if differences.shape[1] < 2:
        return np.ones(len(differences)), _signs(differences)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scipy warns if all differences are equal
        p_values = stats.ttest_rel(differences, np.zeros_like(differences), axis=1).pvalue
    # Without any difference, t is undefined and the p-value is 1.
    return np.where(differences.any(axis=1), p_values, 1.0), _signs(differences)


def randomization(differences: Floats, resampling: Resampling) -> tuple[Floats, Ints]:
    """Return the p-value of Fisher's randomization test of each pair, and which run leads.

    If neither run is better, the sign of each topic's difference is random. The p-value
    is exact if there are no more ways to choose the signs than resamples.
    """
    p_values = np.ones(len(differences))
    changed = np.count_nonzero(differences, axis=1)
    # A topic without a difference has no sign to flip. Leaving it out halves the number of ways to
    # choose the signs, so the p-value is exact for more pairs.
    most = int(np.log2(resampling.resamples))
    for n in range(2, min(most, differences.shape[1]) + 1):
        rows = changed == n
        left = differences[rows]
        p_values[rows] = _flipped(left[left != 0].reshape(-1, n), resampling)
    rows = changed > most
    p_values[rows] = _flipped(differences[rows], resampling)
    return p_values, _signs(differences)


def _flipped(differences: Floats, resampling: Resampling) -> Floats:
    """Return the p-values of pairs from random signs, or from all signs if there are few."""
    p_values = np.empty(len(differences))
    for block, some in resampling.blocks(differences):
        columns = (some / np.abs(some).max(axis=1, keepdims=True)).T

        def change(signs: Floats, axis: int = -1, columns: Floats = columns) -> Floats:
            # How much each choice of signs changes the sum of the differences. Rounding makes the
            # change exactly 0 where the sums tie.
            changes: Floats = ((signs - 1) @ columns).round(_DECIMALS)
            return changes

        n_topics = len(columns)
        p_values[block] = stats.permutation_test(
            (np.ones(n_topics),),
            change,
            permutation_type="samples",
            vectorized=True,
            **resampling.options(n_topics),
        ).pvalue
    return p_values


def _signs(differences: Floats) -> Ints:
    signs: Ints = np.sign(differences.sum(axis=1)).astype(np.int64)
    return signs


#: The functions by the name of the test.
TESTS: dict[str, Callable[[Floats, Resampling], tuple[Floats, Ints]]] = {
    "wilcoxon": wilcoxon,
    "t": t,
    "randomization": randomization,
}


def smallest_p_value(how: Method, n_topics: int) -> float:
    """Return a bound that no p-value of the test can be below, before correction.

    >>> from pres_plugin.study.statistics.method import Method
    >>> from pres_plugin.study.statistics.tests import smallest_p_value
    >>> smallest_p_value(Method("randomization"), 5)
    0.0625
    """
    if n_topics == 1:
        return 1.0
    if how.test == "t":
        return 0.0
    exact: float = 2.0 ** (1 - n_topics)  # all topics differ in the same direction
    if how.test == "wilcoxon":
        if n_topics <= _EXACT_WITH_TIES_UP_TO:
            return exact
        # With ties, the p-value is that of a normal distribution. The statistic is the sum of
        # the signed ranks divided by the root of the sum of their squares, so at most √n.
        return min(exact, math.erfc(math.sqrt(n_topics / 2)))
    # With more topics, random signs are drawn.
    all_signs = 2.0 ** (1 - int(math.log2(how.resamples)))
    return max(exact, min(all_signs, 2 / (how.resamples + 1)))
