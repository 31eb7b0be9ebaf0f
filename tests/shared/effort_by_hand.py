"""WSS, TNR and LastRel by their definitions, without the package, which tests compare with it."""

import math
from fractions import Fraction


def goal(n, recall, rounding):
    """How many of `n` relevant documents must be found; at least one."""
    if rounding == "nearest":
        return max(1, round(recall * n))  # as the organisers of CLEF TAR compute it
    return max(1, math.ceil(Fraction(str(recall)) * n))


def reached(ranks, n, recall, rounding):
    """How many must be found and the rank at which they are, or None if they never are."""
    g = goal(n, recall, rounding)
    return (g, sorted(ranks)[g - 1]) if n and len(ranks) >= g else None


def wss(ranks, n, n_docs, recall=0.95, rounding="up"):
    if (found := reached(ranks, n, recall, rounding)) is None:
        return 0.0
    _, k = found
    return (n_docs - k) / n_docs - (1 - recall)


def tnr(ranks, n, n_docs, recall=0.95, rounding="up"):
    if (found := reached(ranks, n, recall, rounding)) is None:
        return 0.0
    g, k = found
    return 1 - (k - g) / (n_docs - n) if n_docs > n else 1.0


def last_rel(ranks, n_max=math.inf):
    return max((rank for rank in ranks if rank <= n_max), default=0)
