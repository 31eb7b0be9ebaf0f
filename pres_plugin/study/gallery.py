"""The papers' theory, computed: how PRES relates to recall, reciprocal rank and Rnorm.

Every curve comes from the kernel, on rankings made for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from pres_plugin.kernel.topic import pres, pres_est, recall, rnorm

__all__ = [
    "more_relevant_than_checked",
    "pres_and_recall",
    "pres_and_reciprocal_rank",
    "rnorm_and_recall",
]


def pres_and_recall(n: int = 10, n_max: int = 100) -> pd.DataFrame:
    """PRES against recall, for the best, the middle and the worst ranking (SIGIR 2010, Fig. 4a).

    Of the m documents found, the best ranking has them first, the worst right
    before Nmax, and the middle one around its half.

    Parameters
    ----------
    n : int, default 10
        Relevant documents, at most `n_max`.
    n_max : int, default 100
        Nmax.

    Returns
    -------
    DataFrame
        Columns `recall`, `best`, `middle`, `worst`; a row for each m = 0 … n.

    Examples
    --------
    >>> from pres_plugin.study.gallery import pres_and_recall
    >>> pres_and_recall(n=2, n_max=10).values.tolist()
    [[0.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.3, 0.05], [1.0, 1.0, 0.6, 0.2]]
    """
    rows = []
    for m in range(n + 1):
        rankings = [_from(start, m) for start in (1, (n_max - m) // 2 + 1, n_max - m + 1)]
        rows.append((recall(rankings[0], n), *(pres(ranks, n, n_max) for ranks in rankings)))
    return pd.DataFrame(rows, columns=["recall", "best", "middle", "worst"])


def pres_and_reciprocal_rank(n_max: int = 100) -> pd.DataFrame:
    """PRES and reciprocal rank of a single relevant document, by its rank (SIGIR 2010, Fig. 4b).

    Parameters
    ----------
    n_max : int, default 100
        Nmax.

    Returns
    -------
    DataFrame
        Columns `rank`, `pres`, `reciprocal_rank` (which AP is, for one document).

    Examples
    --------
    >>> from pres_plugin.study.gallery import pres_and_reciprocal_rank
    >>> pres_and_reciprocal_rank(n_max=2).values.tolist()
    [[1.0, 1.0, 1.0], [2.0, 0.5, 0.5]]
    """
    rows = [(rank, pres([rank], 1, n_max), 1 / rank) for rank in range(1, n_max + 1)]
    return pd.DataFrame(rows, columns=["rank", "pres", "reciprocal_rank"])


def rnorm_and_recall(
    n: int = 10, n_max: int = 1000, sizes: Sequence[int] = (2_000, 10_000, 100_000, 1_000_000)
) -> pd.DataFrame:
    """Rnorm against recall as the collection grows (SIGIR 2010, Fig. 2).

    What is found is found as late as can be, right before Nmax; what is not
    counts as the collection's last. Rnorm goes to recall, whatever the ranking.

    Parameters
    ----------
    n : int, default 10
        Relevant documents.
    n_max : int, default 1000
        Documents retrieved.
    sizes : sequence of int
        Sizes N of the collection, each at least `n_max` + `n`.

    Returns
    -------
    DataFrame
        Column `recall`, and one for each size.

    Examples
    --------
    >>> from pres_plugin.study.gallery import rnorm_and_recall
    >>> rnorm_and_recall(n=2, n_max=10, sizes=[20, 10_000]).round(3).values.tolist()
    [[0.0, 0.0, 0.0], [0.5, 0.25, 0.5], [1.0, 0.556, 0.999]]
    """
    rows = []
    for m in range(n + 1):
        ranks = _from(n_max - m + 1, m)
        rows.append((recall(ranks, n), *(rnorm(ranks, n, size) for size in sizes)))
    return pd.DataFrame(rows, columns=["recall", *(f"N = {size}" for size in sizes)])


def more_relevant_than_checked(n_max: int = 100, up_to: float = 3.0) -> pd.DataFrame:
    """PRES and PRES_est of the best ranking, as n grows beyond Nmax (SIGIR 2010, Fig. 9).

    Parameters
    ----------
    n_max : int, default 100
        Nmax.
    up_to : float, default 3
        The largest n, in multiples of Nmax.

    Returns
    -------
    DataFrame
        Columns `n`, and `pres` and `pres_est` of two rankings: one that has
        nothing but relevant documents, as many as there are, and one that has
        them in every other place.

    Examples
    --------
    >>> from pres_plugin.study.gallery import more_relevant_than_checked
    >>> more_relevant_than_checked(n_max=10).query("n == 20")[["pres", "pres_est"]].values.tolist()
    [[0.5, 1.0]]
    """
    step = max(1, n_max // 20)
    rows = []
    for n in range(step, int(n_max * up_to) + 1, step):
        best, half = range(1, min(n, n_max) + 1), range(2, min(2 * n, n_max) + 1, 2)
        scores = (score(ranks, n, n_max) for ranks in (best, half) for score in (pres, pres_est))
        rows.append((n, *scores))
    return pd.DataFrame(rows, columns=["n", "pres", "pres_est", "pres_half", "pres_est_half"])


def _from(first: int, count: int) -> Iterable[int]:
    return range(first, first + count)
