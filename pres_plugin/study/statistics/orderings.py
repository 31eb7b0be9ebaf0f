"""Compare how two measures order the same runs.

Kendall's τ is computed here, because a robustness study needs nothing else of ``scipy.stats``, and
importing that takes 0.6 s: half of the time of the whole study of the 17 runs of CLEF 2017.
"""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from pres_plugin.kernel.topics import Floats
from pres_plugin.output.tables import Table, as_measure


def kendall_tau(first: ArrayLike, second: ArrayLike) -> Floats:
    """Return Kendall's τ-b, which accounts for ties, between two orderings of runs.

    Parameters
    ----------
    first, second : array_like of float, shape (..., N)
        The scores of the same N runs by two measures, or by several pairs of measures.

    Returns
    -------
    ndarray of float64, shape (...)
        Between -1 and 1. NaN if there are fewer than two runs, or if all scores of
        one measure are equal.

    Examples
    --------
    >>> from pres_plugin.study.statistics.orderings import kendall_tau
    >>> kendall_tau([0.1, 0.2, 0.3], [0.3, 0.5, 0.4]).round(4).item()
    0.3333
    """
    # Round, because the last digits of a mean depend on the order of the topics.
    scores = np.array([first, second], dtype=np.float64).round(12)
    one, other = np.triu_indices(scores.shape[-1], 1)
    signs = np.sign(scores[..., one] - scores[..., other])
    differ = np.count_nonzero(signs, axis=-1).prod(axis=0)
    tau: Floats = signs.prod(axis=0).sum(axis=-1) / np.sqrt(np.where(differ, differ, np.nan))
    return tau


def spearman_rho(first: ArrayLike, second: ArrayLike) -> float:
    """Return Spearman's ρ between two orderings of runs: NaN where Kendall's τ is NaN."""
    scores = map(pl.Series, np.round([first, second], 12))
    return float(pl.select(pl.corr(*scores, method="spearman")).item())


def correlations(means: Floats, measures: tuple[str, ...]) -> Table:
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
    sides = list(zip(means.T[first], means.T[second], strict=True))
    names, label = np.array(measures), as_measure(measures)
    return Table(
        {
            "first": names[first],
            "second": names[second],
            "kendall_tau": [kendall_tau(*each) for each in sides],
            "spearman_rho": [spearman_rho(*each) for each in sides],
        },
        {"kendall_tau": "Kendall's τ", "spearman_rho": "Spearman's ρ"},
        first=label,
        second=label,
    )
