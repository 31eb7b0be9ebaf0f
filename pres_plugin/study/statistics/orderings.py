"""Compare how two measures order the same runs.

Kendall's τ and Spearman's ρ are computed here, because importing ``scipy.stats`` takes 0.6 s, and a
whole comparison of the 17 runs of CLEF 2017 takes 1.3 s. For 17 runs, SciPy's τ takes over 20 times
as long, which adds up over the samples of a robustness study. For 1,000 runs, SciPy's τ is faster:
0.2 ms and 9 ms per pair of measures.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pres_plugin.study.output.tables import Column, Table, measure_names, score
from pres_plugin.study.statistics.ranks import average_ranks

#: The number of pairs of runs to compare at once.
_AT_ONCE = 1_000_000


def kendall_tau(first: ArrayLike, second: ArrayLike) -> float:
    """Return Kendall's τ-b, which accounts for ties, between two orderings of runs.

    Parameters
    ----------
    first, second : array_like of float, shape (N,)
        The scores of the same N runs by two measures.

    Returns
    -------
    float
        Between -1 and 1. NaN if there are fewer than two runs, or if all scores of
        one measure are equal.

    Examples
    --------
    >>> from pres_plugin.study.statistics.orderings import kendall_tau
    >>> round(kendall_tau([0.1, 0.2, 0.3], [0.3, 0.5, 0.4]), 4)
    0.3333
    """
    scores = _rounded(first, second)
    if _any_constant(scores):
        return math.nan
    excess, differ, n_runs = 0.0, np.zeros(2), scores.shape[1]
    # Compare some runs with all others at a time, because N² flags might not fit in memory.
    size = max(1, _AT_ONCE // n_runs)
    for start in range(0, n_runs, size):
        signs = np.sign(scores[:, start : start + size, None] - scores[:, None])
        excess += signs.prod(axis=0).sum()
        differ += np.count_nonzero(signs, axis=(1, 2))
    # Each pair was counted twice. Rounding errors can put τ slightly above 1 or below -1.
    tau = excess / 2 / math.sqrt(differ[0] / 2) / math.sqrt(differ[1] / 2)
    return float(min(1.0, max(-1.0, tau)))


def correlations(means: NDArray[np.float64], measures: tuple[str, ...]) -> Table:
    """Correlate the orderings of the runs by each pair of measures.

    Parameters
    ----------
    means : ndarray of float64, shape (R, M)
        The mean scores of R runs by M measures.
    measures : tuple of str
        The names of the M measures.

    Returns
    -------
    Table
        One row per pair of measures, with columns `first`, `second`, `kendall_tau` and
        `spearman_rho`.
    """
    first, second = np.triu_indices(len(measures), 1)

    def correlated(correlation: Callable[[Any, Any], float], heading: str) -> Column:
        sides = zip(means.T[first], means.T[second], strict=True)
        return score([correlation(*each) for each in sides], heading)

    return Table(
        {
            "first": measure_names(measures, which=first),
            "second": measure_names(measures, which=second),
            "kendall_tau": correlated(kendall_tau, "Kendall's τ"),
            "spearman_rho": correlated(spearman_rho, "Spearman's ρ"),
        }
    )


def spearman_rho(first: ArrayLike, second: ArrayLike) -> float:
    """Return Spearman's ρ between two orderings of runs: NaN where Kendall's τ is NaN."""
    scores = _rounded(first, second)
    if _any_constant(scores):
        return math.nan
    correlation: Any = np.corrcoef(average_ranks(scores))
    return float(correlation[1, 0])


def _rounded(first: ArrayLike, second: ArrayLike) -> NDArray[np.float64]:
    # Round, because the last digits of a mean depend on the order of the topics.
    values: NDArray[np.float64] = np.array([first, second], dtype=np.float64).round(12)
    return values


def _any_constant(scores: NDArray[np.float64]) -> bool:
    """Return whether one of the measures does not tell runs apart, or if there are none to tell."""
    return bool((scores == scores[:, :1]).all(axis=1).any())
