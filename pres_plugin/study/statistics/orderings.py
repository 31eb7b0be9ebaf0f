"""Compare how two measures order the same runs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pres_plugin.study.output.tables import Table, score, text
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
    if _constant(first) or _constant(second):
        return math.nan
    a, b = _scores(first), _scores(second)
    excess, differ = 0.0, np.zeros(2)
    for some in _blocks(len(a)):
        signs = np.sign([values[some, None] - values for values in (a, b)])
        excess += signs.prod(axis=0).sum()
        differ += np.count_nonzero(signs, axis=(1, 2))
    # Each pair was counted twice. Rounding errors can put τ slightly above 1 or below -1.
    tau = excess / 2 / math.sqrt(differ[0] / 2) / math.sqrt(differ[1] / 2)
    return float(min(1.0, max(-1.0, tau)))


def tau_ap(scores: ArrayLike, truth: ArrayLike) -> float:
    """Return the AP correlation τ_AP between an ordering of runs and the true one [1]_.

    τ_AP = 2/(N-1) · Σ C(i)/(i-1) - 1, summed over the positions i = 2 … N of the
    ordering by `scores`. C(i) is the number of runs above position i that are also
    above the run at position i in the true ordering. Errors at the top cost more
    than errors at the bottom. Unlike Kendall's τ, τ_AP is not symmetric.

    If runs tie by `scores`, the result is the mean over all orders of the tied runs.
    A pair of runs that tie in both orderings counts as correct. A pair that tie in
    only one of them counts as half correct.

    Parameters
    ----------
    scores : array_like of float, shape (N,)
        The scores that order the runs.
    truth : array_like of float, shape (N,)
        The scores that give the true ordering.

    Returns
    -------
    float
        Between -1 and 1. NaN if there are fewer than two runs, or if all scores or
        all true scores are equal.

    References
    ----------
    .. [1] E. Yilmaz, J. A. Aslam and S. Robertson. A new rank correlation
       coefficient for information retrieval. SIGIR 2008, 587-594.

    Examples
    --------
    >>> from pres_plugin.study.statistics.orderings import tau_ap
    >>> tau_ap([4, 3, 2, 1], truth=[4, 3, 1, 2]) > tau_ap([4, 3, 2, 1], truth=[3, 4, 2, 1])
    True
    """
    if _constant(scores) or _constant(truth):
        return math.nan
    by, true = _scores(scores), _scores(truth)
    n_runs = len(by)
    first, size = np.empty(n_runs, dtype=np.int64), np.empty(n_runs, dtype=np.int64)
    right, right_in_group = np.empty(n_runs), np.empty(n_runs)
    for some in _blocks(n_runs):
        above, level = by > by[some, None], by == by[some, None]
        higher, same = true > true[some, None], true == true[some, None]
        first[some], size[some] = above.sum(axis=1), level.sum(axis=1)
        right[some] = (higher & above).sum(axis=1) + (same & above).sum(axis=1) / 2
        # Subtract 1, since each run ties with itself.
        right_in_group[some] = ((higher | same) & level).sum(axis=1) - 1
    total = 0.0
    for i, (start, ties) in enumerate(zip(first.tolist(), size.tolist(), strict=True)):
        # Over all orders of the tied runs, run i is equally often at each of their positions.
        # `above_it` is the number of runs above each position, and `share` is the fraction of
        # the other tied runs that are among them.
        above_it = np.arange(max(start, 1), start + ties)
        share = (above_it - start) / max(ties - 1, 1)
        total += float(((right[i] + share * right_in_group[i]) / above_it).sum()) / ties
    return 2 * total / (n_runs - 1) - 1


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
        One row per pair of measures, with columns `first`, `second`, `kendall_tau`,
        `spearman_rho`, `tau_ap` and `tau_ap_reversed`. For `tau_ap`, the true ordering
        is that of the first measure; for `tau_ap_reversed`, that of the second.
    """
    pairs = list(combinations(range(len(measures)), 2))
    sides = [(means[:, i], means[:, j]) for i, j in pairs]
    return Table(
        {
            "first": text([measures[i] for i, _ in pairs]),
            "second": text([measures[j] for _, j in pairs]),
            "kendall_tau": score([kendall_tau(a, b) for a, b in sides], "Kendall's τ"),
            "spearman_rho": score([spearman_rho(a, b) for a, b in sides], "Spearman's ρ"),
            "tau_ap": score([tau_ap(b, truth=a) for a, b in sides], "AP-weighted τ"),
            "tau_ap_reversed": score(
                [tau_ap(a, truth=b) for a, b in sides], "AP-weighted τ, reversed"
            ),
        }
    )


def spearman_rho(first: ArrayLike, second: ArrayLike) -> float:
    """Return Spearman's ρ between two orderings of runs: NaN where Kendall's τ is NaN."""
    if _constant(first) or _constant(second):
        return math.nan
    ranks = average_ranks(np.array([_scores(first), _scores(second)]))
    correlation: Any = np.corrcoef(ranks)
    return float(correlation[1, 0])


def _blocks(n_runs: int) -> Iterator[slice]:
    """Yield blocks of runs to compare with all others, because N² flags might not fit in memory."""
    rows = max(1, _AT_ONCE // n_runs)
    for start in range(0, n_runs, rows):
        yield slice(start, start + rows)


def _constant(scores: ArrayLike) -> bool:
    values = _scores(scores)
    return len(values) < 2 or bool((values == values[0]).all())


def _scores(scores: ArrayLike) -> NDArray[np.float64]:
    # Round, because the last digits of a mean depend on the order of the topics.
    values: NDArray[np.float64] = np.asarray(scores, dtype=np.float64)
    return values.round(12)
