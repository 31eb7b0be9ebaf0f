"""Find the relevant documents in each topic's ranking, with compiled code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from pres_plugin.kernel.topics import TopicRanks

__all__ = ["Ranked", "rank"]

# 2³² divided by the golden ratio. Multiplying a key by it spreads the keys over the
# middle bits of the product, which select a slot. With keys of 31 bits, the product
# fits into 64 bits.
_SPREAD = 0x9E3779B1
_KEY_BITS = 0x7FFFFFFF


def _compiled(**options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Compile a function with numba, and cache the compiled code on disk if possible."""

    def compiled(function: Callable[..., Any]) -> Any:
        try:
            return njit(cache=True, **options)(function)
        except RuntimeError:
            # There is no place for a cache, for instance because the package is in an archive.
            return njit(**options)(function)

    return compiled


class Ranked(NamedTuple):
    """The ranks of the relevant documents in the rankings of T topics.

    Attributes
    ----------
    ranks : TopicRanks
        The ranks of the relevant documents.
    retrieved : ndarray of int64, shape (T,)
        Number of documents examined per topic, relevant or not.
    """

    ranks: TopicRanks
    retrieved: NDArray[np.int64]


def rank(qrels: Any, run: Any, k: int, rel_lvl: int) -> Ranked:
    """Find the ranks of the relevant documents, in the order of the run.

    Parameters
    ----------
    qrels, run : typed list or ndarray
        One array of shape (documents, 2) per topic, with document ids and
        relevance or score, as ranx passes them to its metrics.
    k : int
        Number of documents to examine per topic; 0 for all.
    rel_lvl : int
        Minimum relevance of a relevant document.

    Returns
    -------
    Ranked
        A document that occurs more than once counts each time, as in ranx's recall.

    Examples
    --------
    One topic, with documents 7 and 8 relevant, and a ranking of 5, 8 and 7:

    >>> import numpy as np
    >>> from pres_plugin.adapters.ranx.native.hits import rank
    >>> qrels = np.array([[[7.0, 1.0], [8.0, 2.0]]])
    >>> run = np.array([[[5.0, 0.9], [8.0, 0.8], [7.0, 0.7]]])
    >>> rank(qrels, run, k=0, rel_lvl=1).ranks.ranks
    array([2, 3])
    """
    n, starts, hits = _find_hits_parallel(qrels, run, k, rel_lvl)
    positions = np.flatnonzero(hits)
    first = np.searchsorted(positions, starts)
    ranks = positions - np.repeat(starts[:-1], np.diff(first)) + 1
    return Ranked(TopicRanks(n, ranks, first), np.diff(starts))


@_compiled()
def _slot(key: Any, mask: Any) -> Any:
    return ((((key ^ (key >> 32)) & _KEY_BITS) * _SPREAD) >> 24) & mask


@_compiled()
def _find_hits(qrels: Any, run: Any, rel_lvl: int, hits: Any) -> int:
    """Mark the relevant documents in `hits`; return how many relevant ones the topic has."""
    n = 0
    for j in range(qrels.shape[0]):
        if qrels[j, 1] >= rel_lvl:
            n += 1
    if n == 0 or hits.shape[0] == 0:
        return n

    # -0.0 and 0.0 are equal but differ in one bit. Adding 0.0 turns -0.0 into 0.0.
    relevant = np.empty(n, dtype=np.float64)
    i = 0
    for j in range(qrels.shape[0]):
        if qrels[j, 1] >= rel_lvl:
            relevant[i] = qrels[j, 0] + 0.0
            i += 1
    retrieved = np.empty(hits.shape[0], dtype=np.float64)
    for r in range(hits.shape[0]):
        retrieved[r] = run[r, 0] + 0.0

    # A hash table, in which NaN marks an empty slot. ranx's own loops, which compare
    # every retrieved document with every relevant one, are slower. Most slots stay
    # empty, so that the processor predicts the first branch of a look-up correctly.
    size = 16
    while size < 16 * n:
        size *= 2
    mask = size - 1
    table = np.empty(size, dtype=np.float64)
    for i in range(size):
        table[i] = np.nan
    keys = relevant.view(np.int64)
    for i in range(n):
        slot = _slot(keys[i], mask)
        while table[slot] == table[slot]:
            slot = (slot + 1) & mask
        table[slot] = relevant[i]

    keys = retrieved.view(np.int64)
    for r in range(hits.shape[0]):
        slot = _slot(keys[r], mask)
        while table[slot] == table[slot]:
            if table[slot] == retrieved[r]:
                hits[r] = True
                break
            slot = (slot + 1) & mask
    return n


@_compiled(parallel=True)
def _find_hits_parallel(qrels: Any, run: Any, k: int, rel_lvl: int) -> Any:
    """Return the number of relevant documents per topic, each topic's start, and the hits."""
    starts = np.zeros(len(qrels) + 1, dtype=np.int64)
    for t in range(len(qrels)):
        depth = run[t].shape[0]
        starts[t + 1] = starts[t] + (depth if k == 0 or k > depth else k)
    n = np.zeros(len(qrels), dtype=np.int64)
    hits = np.zeros(starts[-1], dtype=np.bool_)
    for unsigned in prange(len(qrels)):
        # prange yields unsigned integers, and numba warns if they are mixed with signed ones.
        i = np.int64(unsigned)
        n[i] = _find_hits(qrels[i], run[i], rel_lvl, hits[starts[i] : starts[i + 1]])
    return n, starts, hits
