"""What other programs compute under the name of PRES.

PRES is 1 - (Σr - n(n+1)/2) / (n × Nmax), where Σr is the sum of the ranks of all n relevant
documents. Variants give missed documents other ranks, use another divisor, or clamp scores. All
combinations are computed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from pres_plugin.kernel.topics import Floats
from pres_plugin.measures.declared import Rnorm
from pres_plugin.ranking.scores import RankedTopics


def variants(
    ranked: RankedTopics, n_max: int, n_docs: int | None = None
) -> Iterator[tuple[str, Floats]]:
    """Yield each variant in words, and its score per topic; NaN if n(Nmax-n) is not positive.

    Scores are clamped to 0 … 1 only if this makes a difference. With `n_docs`, the last variant is
    Rnorm.
    """
    n = ranked.ranks.n
    found, rank_sum = (ranked.ranks.statistic(each, n_max) for each in ("found", "rank_sum"))
    missed = n - found
    ranks = {
        "rank Nmax": missed * n_max,
        "rank Nmax+1": missed * (n_max + 1),
        "the ranks Nmax+1 to Nmax+n_missed": _sum_up_to(n_max + missed, missed),
        "the ranks Nmax+n_found+1 to Nmax+n, as in PRES": _sum_up_to(n_max + n, missed),
        # Equation 4 prints nR, the number of documents found, for that of documents missed.
        "n_found ranks up to Nmax+n, as equation 4 is printed": _sum_up_to(n_max + n, found),
        "no rank": 0,
    }
    # The divisor, and the sum of ranks from which the excess is counted.
    best = _sum_up_to(n, n)
    divisors: dict[str, tuple[Any, Any]] = {
        "n × Nmax, as in PRES": (n * n_max, best),
        "n(Nmax-n)": (n * np.where(n < n_max, n_max - n, np.nan), best),
        "n_found × Nmax": (found * n_max, best),
        "n_found × Nmax, with n_found(n+1)/2 in place of n(n+1)/2": (
            found * n_max,
            found * (n + 1) / 2,
        ),
        "n_found × Nmax, with n_found(n_found+1)/2 in place of n(n+1)/2": (
            found * n_max,
            _sum_up_to(found, found),
        ),
    }
    for (missed_at, added), (by, (divisor, ideal)) in product(ranks.items(), divisors.items()):
        variant = f"Missed documents get {missed_at}. The divisor is {by}."
        # Without relevant documents, found or at all, the score is 0.
        one = np.ones(len(n))
        scores = 1 - np.divide(rank_sum + added - ideal, divisor, out=one, where=divisor != 0)
        yield variant, scores
        if (scores < 0).any() or (scores > 1).any():
            yield f"{variant} Scores are clamped to 0 … 1.", scores.clip(0, 1)
    if n_docs is not None:
        yield "This is Rnorm.", ranked.score(Rnorm(N=n_docs, cutoff=n_max))


def _sum_up_to(last: Any, count: Any) -> Any:
    """Return the sum of `count` whole numbers that end with `last`."""
    return count * (2 * last - count + 1) / 2
