"""How alike two measures order the same runs."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

__all__ = ["correlations", "kendall_tau", "tau_ap"]


def kendall_tau(first: ArrayLike, second: ArrayLike) -> float:
    """Kendall's τ (τ-b, which allows for ties) between two orderings by score.

    NaN where there is none: for a single run, or where all scores are the same.

    Examples
    --------
    >>> from pres_plugin.study.orderings import kendall_tau
    >>> round(kendall_tau([0.1, 0.2, 0.3], [0.3, 0.5, 0.4]), 4)
    0.3333
    """
    if _constant(first) or _constant(second):
        return math.nan
    return float(stats.kendalltau(_scores(first), _scores(second)).statistic)


def tau_ap(scores: ArrayLike, truth: ArrayLike) -> float:
    """AP-weighted τ of an ordering against a true one [1]_.

    2/(N-1) · Σ C(i)/(i-1) over the places i = 2 … N, minus 1, where C(i) counts
    the runs above place i that belong above the run there. An error at the top
    costs more than one at the bottom. Unlike Kendall's, it is not symmetric.

    Runs that tie by `scores` count as the mean over all their orders. Two that
    tie by `truth` too are in order, and half in order if they tie by one only.
    NaN where there is no order at all.

    Parameters
    ----------
    scores : array_like of float, shape (N,)
        What the runs are ordered by.
    truth : array_like of float, shape (N,)
        What they should be ordered by.

    Returns
    -------
    float
        Between -1 and 1.

    References
    ----------
    .. [1] E. Yilmaz, J. A. Aslam and S. Robertson. A new rank correlation
       coefficient for information retrieval. SIGIR 2008, 587-594.

    Examples
    --------
    >>> from pres_plugin.study.orderings import tau_ap
    >>> tau_ap([4, 3, 2, 1], truth=[4, 3, 1, 2]) > tau_ap([4, 3, 2, 1], truth=[3, 4, 2, 1])
    True
    """
    if _constant(scores) or _constant(truth):
        return math.nan
    by, true = _scores(scores), _scores(truth)
    above, level = by[None, :] > by[:, None], by[None, :] == by[:, None]
    belongs = np.where(true[None, :] == true[:, None], 0.5, true[None, :] > true[:, None])
    agreed = np.where(true[None, :] == true[:, None], 1.0, belongs)
    right = (belongs * above).sum(axis=1)
    # Every run agrees with itself.
    right_in_group = (agreed * level).sum(axis=1) - 1
    first, size = above.sum(axis=1).tolist(), level.sum(axis=1).tolist()
    total = 0.0
    for i, (start, ties) in enumerate(zip(first, size, strict=True)):
        # A run of a group takes each place of it in turn, below each other one equally often.
        places = np.arange(max(start, 1), start + ties)
        share = (places - start) / max(ties - 1, 1)
        total += float(((right[i] + share * right_in_group[i]) / places).sum()) / ties
    return 2 * total / (len(by) - 1) - 1


def correlations(means: NDArray[np.float64], measures: tuple[str, ...]) -> pd.DataFrame:
    """For each two measures, how alike they order the runs.

    Parameters
    ----------
    means : ndarray of float64, shape (R, M)
        Of each run, its scores.
    measures : tuple of str
        Their names.

    Returns
    -------
    DataFrame
        Columns `first`, `second`, `kendall_tau`, `spearman_rho`, and `tau_ap` of
        the second measure's ordering against that of the first and reversed.
    """
    rows = []
    for i, j in combinations(range(len(measures)), 2):
        a, b = _scores(means[:, i]), _scores(means[:, j])
        none = _constant(a) or _constant(b)
        rows.append(
            {
                "first": measures[i],
                "second": measures[j],
                "kendall_tau": kendall_tau(a, b),
                "spearman_rho": math.nan if none else float(stats.spearmanr(a, b).statistic),
                "tau_ap": tau_ap(b, truth=a),
                "tau_ap_reversed": tau_ap(a, truth=b),
            }
        )
    columns = ["first", "second", "kendall_tau", "spearman_rho", "tau_ap", "tau_ap_reversed"]
    return pd.DataFrame(rows, columns=columns)


def _constant(scores: ArrayLike) -> bool:
    values = _scores(scores)
    return len(values) < 2 or bool((values == values[0]).all())


def _scores(scores: ArrayLike) -> NDArray[np.float64]:
    """Scores that are equal but for rounding made equal: they depend on the order of topics."""
    values: NDArray[np.float64] = np.asarray(scores, dtype=np.float64)
    return values.round(12)
