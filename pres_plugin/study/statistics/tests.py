"""Tests of whether two runs differ, paired by topic, and how large their differences are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from pres_plugin.kernel.topics import Floats
from pres_plugin.study.statistics.method import Method

# The largest numbers of topics that differ for which p-values of Wilcoxon's test are exact, as in
# SciPy: without ties, and with ties.
_EXACT_UP_TO = 50
_EXACT_WITH_TIES_UP_TO = 13

# The number of decimals of sums of differences, which are scaled so that the largest is 1 in
# magnitude.
_DECIMALS = 9


def wilcoxon(differences: Floats, how: Method) -> tuple[Floats, Floats]:
    """Return the p-value of Wilcoxon's signed-rank test of each pair, and which run leads.

    The leader is the first run if the second number is above 0, and the second run if it is below.
    """
    changed = differences != 0
    n = np.count_nonzero(changed, axis=1)
    # Differences of 0 are ignored. As infinity, they rank after all others.
    ranks = stats.rankdata(np.where(changed, np.abs(differences), np.inf), axis=1) * changed
    signed = ranks * np.sign(differences)
    # The squares of 1 to n add up to more than those of average ranks.
    tied = (ranks**2).sum(axis=1) < n * (n + 1) * (2 * n + 1) / 6
    exact = n <= np.where(tied, _EXACT_WITH_TIES_UP_TO, _EXACT_UP_TO)
    p_values = np.empty(len(differences))
    for method, rows in (("exact", exact & ~tied), ("asymptotic", ~exact)):
        p_values[rows] = stats.wilcoxon(differences[rows], method=method, axis=1).pvalue
    # With ties, SciPy tries all choices of signs of one pair at a time, which takes a thousand
    # times as long. The randomization test of the signed ranks tries the same ones.
    rows = exact & tied
    all_choices = Method(resamples=2**_EXACT_WITH_TIES_UP_TO)
    p_values[rows], _ = randomization(signed[rows], all_choices)
    return p_values, signed.sum(axis=1)


def t(differences: Floats, how: Method) -> tuple[Floats, Floats]:
    """Return the p-value of Student's t test of each pair, and which run leads.

    If all topics have the same difference, t is infinite and the p-value is 0. With only one topic
    or without any difference, t is undefined and the p-value is 1.
    """
    n_topics = differences.shape[1]
    p_values = np.where(differences.any(axis=1) & (n_topics > 1), 0.0, 1.0)
    # Rounding errors would give equal differences a tiny standard deviation.
    varied = np.ptp(differences, axis=1) > 0
    p_values[varied] = stats.ttest_1samp(differences[varied], 0, axis=1).pvalue
    return p_values, differences.sum(axis=1)


def randomization(differences: Floats, how: Method) -> tuple[Floats, Floats]:
    """Return the p-value of Fisher's randomization test of each pair, and which run leads.

    If neither run is better, the sign of each topic's difference is random. The p-value is the
    share of the choices of signs whose mean is at least as far from 0 as the observed mean. It
    is exact if there are no more ways to choose the signs than resamples. Otherwise, the observed
    choice counts as one more draw, so no p-value is below 1 / (resamples + 1).
    """
    p_values = np.ones(len(differences))
    changed, most = np.count_nonzero(differences, axis=1), int(np.log2(how.resamples))
    for n in range(2, most + 2):
        for rows in how.blocks(np.flatnonzero(changed.clip(max=most + 1) == n)):
            some = differences[rows]
            if n <= most:
                # A topic without a difference has no sign to flip. Leaving it out halves the
                # number of ways to choose the signs, so the p-value is exact for more pairs.
                some = some[some != 0].reshape(-1, n)
            p_values[rows] = _flipped(some, how)
    return p_values, differences.sum(axis=1)


def _flipped(differences: Floats, how: Method) -> Floats:
    """Return the p-values of pairs from random signs, or from all signs if there are few."""
    columns = (differences / np.abs(differences).max(axis=1, keepdims=True)).T
    observed = np.abs(columns.sum(axis=0))

    def excess(signs: Floats, axis: int = -1) -> Floats:
        # How much further from 0 the sum is with these signs than with the observed ones.
        # Rounding makes the excess exactly 0 where both are equally far.
        further: Floats = np.abs(signs @ columns) - observed
        return further.round(_DECIMALS)

    p_values: Floats = stats.permutation_test(
        (np.ones(len(columns)),),
        excess,
        permutation_type="samples",
        alternative="greater",
        **how.options(len(columns)),
    ).pvalue
    return p_values


#: The functions by the name of the test.
TESTS: dict[str, Callable[[Floats, Method], tuple[Floats, Floats]]] = {
    "wilcoxon": wilcoxon,
    "t": t,
    "randomization": randomization,
}


def effects(differences: Floats, better: Floats) -> dict[str, NDArray[Any]]:
    """Describe differences with one row per pair of runs and one column per topic.

    `better` contains the differences times the direction of the measure.

    Returns
    -------
    dict of str to ndarray
        `standardised`: the mean difference divided by the standard deviation of the differences;
        NaN if all differences are equal or if there is only one topic. `improved`, `worsened`
        and `equal`: the number of topics for which the first run is better, worse or equal.
    """
    deviation = differences.std(axis=1, ddof=min(1, differences.shape[1] - 1))
    # Rounding errors would give equal differences a tiny standard deviation.
    deviation[np.ptp(differences, axis=1) == 0] = np.nan
    standardised = differences.mean(axis=1) / deviation
    return {
        "standardised": standardised,
        "improved": (better > 0).sum(axis=1),
        "worsened": (better < 0).sum(axis=1),
        "equal": (better == 0).sum(axis=1),
    }
