"""Tests of whether two runs differ, paired by topic, and how large their differences are.

Wilcoxon's test is computed here, because importing ``scipy.stats`` takes longer than a whole
comparison of the 17 runs of CLEF 2017: 2.4 s and 1.4 s on one machine. The other tests use SciPy.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pres_plugin.study.statistics.ranks import average_ranks
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
    differ = differences.any(axis=1)
    if not differ.any():
        return p_values, signs
    differences = differences[differ]
    of_pairs, higher_sum, changed, ties = _normal_p_values(differences)
    exact = ~ties & (changed <= _EXACT_UP_TO)
    for n in np.unique(changed[exact]).tolist():
        rows = exact & (changed == n)
        of_pairs[rows] = _exact_p_values(n)[higher_sum[rows].astype(np.intp)]
    exact = ties & (changed <= _EXACT_WITH_TIES_UP_TO)
    for n in np.unique(changed[exact]).tolist():
        rows = exact & (changed == n)
        left = differences[rows]
        of_pairs[rows] = _exact_p_values_with_ties(left[left != 0].reshape(-1, n))
    p_values[differ] = of_pairs
    signs[differ] = np.sign(higher_sum - changed * (changed + 1) / 4)
    return p_values, signs


def _normal_p_values(differences: Floats) -> tuple[Floats, Floats, Ints, NDArray[np.bool_]]:
    """Return p-values from the normal distribution, as scipy.stats.wilcoxon computes them.

    Also return the sum of the ranks of the positive differences, the number of nonzero
    differences, and whether any nonzero differences are equal in magnitude.
    """
    counts = differences != 0
    n = np.count_nonzero(counts, axis=1)
    # Differences of 0 are ignored. As infinity, they rank after all others.
    ranks = average_ranks(np.where(counts, np.abs(differences), np.inf)) * counts
    higher_sum = (ranks * (differences > 0)).sum(axis=1)
    squares = (ranks**2).sum(axis=1)
    z = (higher_sum - n * (n + 1.0) * 0.25) / np.sqrt(squares / 4)
    p_values = [math.erfc(abs(value) / math.sqrt(2)) for value in z.tolist()]
    # The squares of 1 to n add up to more than those of average ranks.
    return np.array(p_values), higher_sum, n, squares < n * (n + 1) * (2 * n + 1) / 6


@cache
def _exact_p_values(n: int) -> Floats:
    """Return Wilcoxon's exact p-value of n differences for each sum of positive ranks.

    Without ties, the p-value depends only on n and this sum. All 2ⁿ choices of signs are equally
    likely, so the p-value is computed by counting the choices with each sum.
    """
    choices = np.ones(1)
    for rank in range(1, n + 1):
        choices = np.pad(choices, (0, rank)) + np.pad(choices, (rank, 0))
    at_most = choices.cumsum()
    tail: Floats = np.minimum(at_most, at_most[::-1]) / 2.0**n
    return np.minimum(2 * tail, 1.0)


def _exact_p_values_with_ties(differences: Floats) -> Floats:
    """Return Wilcoxon's exact p-values of pairs whose topics all differ.

    Compare each pair's sum of positive ranks with the sums for all choices of signs. SciPy computes
    the same, but one pair at a time, which takes a thousand times as long.
    """
    n = differences.shape[1]
    signs = (np.arange(2**n)[:, None] >> np.arange(n)) & 1
    p_values = np.empty(len(differences))
    size = max(1, _SUMS_AT_ONCE // len(signs))
    for start in range(0, len(differences), size):
        block = slice(start, start + size)
        ranks = average_ranks(np.abs(differences[block]))
        observed = (ranks * (differences[block] > 0)).sum(axis=1, keepdims=True)
        sums = ranks @ signs.T
        tails = [(sums >= observed).mean(axis=1), (sums <= observed).mean(axis=1)]
        p_values[block] = np.minimum(2 * np.minimum(*tails), 1.0)
    return p_values


def t(differences: Floats, resampling: Resampling) -> tuple[Floats, Ints]:
    """Return the p-value of Student's t test of each pair, and which run leads."""
    if differences.shape[1] < 2:
        return np.ones(len(differences)), _signs(differences)
    from scipy import stats

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
    from scipy import stats

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


class Effects(NamedTuple):
    """The effects of P pairs of runs; each array has shape (P,).

    Attributes
    ----------
    difference : ndarray of float64
        The mean difference.
    standardised : ndarray of float64
        The mean difference divided by the standard deviation of the differences; NaN if
        all differences are equal or if there is only one topic.
    improved, worsened, equal : ndarray of int64
        The number of topics for which the first run is higher, lower or equal.
    """

    difference: Floats
    standardised: Floats
    improved: Ints
    worsened: Ints
    equal: Ints


def effects(differences: Floats) -> Effects:
    """Describe differences with one row per pair of runs and one column per topic."""
    n_topics = differences.shape[1]
    difference = differences.mean(axis=1)
    standardised = np.full(len(differences), np.nan)
    # Rounding errors would give equal differences a tiny standard deviation.
    varied = np.ptp(differences, axis=1) > 0
    if varied.any():
        standardised[varied] = difference[varied] / differences[varied].std(axis=1, ddof=1)
    improved = np.count_nonzero(differences > 0, axis=1)
    worsened = np.count_nonzero(differences < 0, axis=1)
    return Effects(difference, standardised, improved, worsened, n_topics - improved - worsened)
