"""Tests of whether two runs differ, paired by topic, and how large their differences are.

The t test and Wilcoxon's test are computed here. Importing ``scipy.stats`` takes 0.6 s, half as
long as a comparison of the 17 runs of CLEF 2017, and its Wilcoxon test takes more than twice as
long for the pairs of 1,000 runs (0.14 s and 0.06 s per 20,000 pairs, 50 topics, no ties).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from pres_plugin.kernel.topics import Floats, Ints
from pres_plugin.study.statistics.ranks import average_ranks
from pres_plugin.study.statistics.resampling import Resampling

# The largest numbers of topics that differ for which p-values of Wilcoxon's test are exact, as in
# SciPy: without ties, and with ties.
_EXACT_UP_TO = 50
_EXACT_WITH_TIES_UP_TO = 13

# The number of decimals of sums of differences, which are scaled so that the largest is 1 in
# magnitude.
_DECIMALS = 9


def wilcoxon(differences: Floats, resampling: Resampling) -> tuple[Floats, Floats]:
    """Return the p-value of Wilcoxon's signed-rank test of each pair, and which run leads.

    The leader is the first run if the second number is above 0, and the second run if it is below.
    """
    counts = differences != 0
    n = np.count_nonzero(counts, axis=1)
    # Differences of 0 are ignored. As infinity, they rank after all others.
    ranks = average_ranks(np.where(counts, np.abs(differences), np.inf)) * counts
    higher_sum = (ranks * (differences > 0)).sum(axis=1)
    lead = higher_sum - n * (n + 1.0) * 0.25
    squares = (ranks**2).sum(axis=1)
    # Without any difference, the squares add up to 0, and z is 0.
    z = lead / np.sqrt(np.maximum(squares, 1) / 4)
    # P-values from the normal distribution, as scipy.stats.wilcoxon computes them.
    p_values = np.array([math.erfc(abs(value) / math.sqrt(2)) for value in z.tolist()])
    # The squares of 1 to n add up to more than those of average ranks.
    ties = squares < n * (n + 1) * (2 * n + 1) / 6
    exact = n <= np.where(ties, _EXACT_WITH_TIES_UP_TO, _EXACT_UP_TO)
    # Twice the average ranks are whole numbers, and so small that each fits into a byte.
    doubled = np.sort(2 * ranks[exact])[:, -_EXACT_UP_TO:].astype(np.uint8)
    sums = (2 * higher_sum[exact]).astype(int).tolist()
    p_values[exact] = [
        _exact_p_values(of_pair)[at] for of_pair, at in zip(map(bytes, doubled), sums, strict=True)
    ]
    return p_values, lead


@lru_cache(maxsize=10_000)
def _exact_p_values(ranks: bytes) -> Floats:
    """Return Wilcoxon's exact p-value for each sum of positive ranks, given all ranks.

    All choices of signs are equally likely, so the p-value is computed by counting the choices
    with each sum. SciPy tries the choices of one pair at a time if ranks are tied, which takes more
    than a thousand times as long.
    """
    choices = np.ones(1)
    for rank in ranks:
        choices = np.pad(choices, (0, rank)) + np.pad(choices, (rank, 0))
    at_most = choices.cumsum()
    tail: Floats = np.minimum(at_most, at_most[::-1]) / at_most[-1]
    return np.minimum(2 * tail, 1.0)


def t(differences: Floats, resampling: Resampling) -> tuple[Floats, Floats]:
    """Return the p-value of Student's t test of each pair, and which run leads.

    If all topics have the same difference, t is infinite and the p-value is 0. With only one topic
    or without any difference, t is undefined and the p-value is 1.
    """
    from scipy import special

    n_topics = differences.shape[1]
    p_values = np.where(differences.any(axis=1) & (n_topics > 1), 0.0, 1.0)
    # Rounding errors would give equal differences a tiny standard deviation.
    varied = np.ptp(differences, axis=1) > 0
    if varied.any():
        some = differences[varied]
        t = some.mean(axis=1) * math.sqrt(n_topics) / some.std(axis=1, ddof=1)
        p_values[varied] = 2 * special.stdtr(n_topics - 1, -np.abs(t))
    return p_values, differences.sum(axis=1)


def randomization(differences: Floats, resampling: Resampling) -> tuple[Floats, Floats]:
    """Return the p-value of Fisher's randomization test of each pair, and which run leads.

    If neither run is better, the sign of each topic's difference is random. The p-value is the
    share of the choices of signs whose mean is at least as far from 0 as the observed mean. It
    is exact if there are no more ways to choose the signs than resamples. Otherwise, the observed
    choice counts as one more draw, so no p-value is below 1 / (resamples + 1).
    """
    p_values = np.ones(len(differences))
    changed = np.count_nonzero(differences, axis=1)
    # A topic without a difference has no sign to flip. Leaving it out halves the number of ways to
    # choose the signs, so the p-value is exact for more pairs.
    most = int(np.log2(resampling.resamples))
    for n in range(2, most + 1):
        rows = changed == n
        left = differences[rows]
        p_values[rows] = _flipped(left[left != 0].reshape(-1, n), resampling)
    rows = changed > most
    p_values[rows] = _flipped(differences[rows], resampling)
    return p_values, differences.sum(axis=1)


def _flipped(differences: Floats, resampling: Resampling) -> Floats:
    """Return the p-values of pairs from random signs, or from all signs if there are few."""
    from scipy import stats

    p_values = np.empty(len(differences))
    for block, some in resampling.blocks(differences):
        columns = (some / np.abs(some).max(axis=1, keepdims=True)).T
        observed = np.abs(columns.sum(axis=0))

        def excess(
            signs: Floats, axis: int = -1, columns: Floats = columns, observed: Floats = observed
        ) -> Floats:
            # How much further from 0 the sum is with these signs than with the observed ones.
            # Rounding makes the excess exactly 0 where both are equally far.
            return np.round(np.abs(signs @ columns) - observed, _DECIMALS)

        n_topics = len(columns)
        p_values[block] = stats.permutation_test(
            (np.ones(n_topics),),
            excess,
            permutation_type="samples",
            vectorized=True,
            alternative="greater",
            **resampling.options(n_topics),
        ).pvalue
    return p_values


#: The functions by the name of the test.
TESTS: dict[str, Callable[[Floats, Resampling], tuple[Floats, Floats]]] = {
    "wilcoxon": wilcoxon,
    "t": t,
    "randomization": randomization,
}


def effects(differences: Floats) -> tuple[Floats, Floats, Ints, Ints, Ints]:
    """Describe differences with one row per pair of runs and one column per topic.

    Returns
    -------
    difference, standardised : ndarray of float64
        The mean difference, and the mean difference divided by the standard deviation of the
        differences; NaN if all differences are equal or if there is only one topic.
    improved, worsened, equal : ndarray of int64
        The number of topics for which the first run is higher, lower or equal.
    """
    difference = differences.mean(axis=1)
    standardised = np.full(len(differences), np.nan)
    # Rounding errors would give equal differences a tiny standard deviation.
    varied = np.ptp(differences, axis=1) > 0
    if varied.any():
        standardised[varied] = difference[varied] / differences[varied].std(axis=1, ddof=1)
    signs = (differences > 0, differences < 0, differences == 0)
    improved, worsened, equal = (np.count_nonzero(each, axis=1) for each in signs)
    return difference, standardised, improved, worsened, equal
