"""trec_eval's order of documents, as whole numbers.

Documents are ordered by descending score, compared as 32-bit floats, then by descending id. A
document's key is a 64-bit number: the number of its ranking, and its score such that higher scores
come first. So a single sort orders the documents of many rankings, and a document's rank is the
position of its key. Only documents with equal keys have to be compared by their ids.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
UInts = NDArray[np.uint64]

_SCORE_BITS = np.uint64(32)


def order_keys(numbers: NDArray[Any], scores: NDArray[Any]) -> UInts:
    """Return the key of each document. `numbers`, below 2³², are those of the rankings.

    No score is NaN.
    """
    with np.errstate(over="ignore"):  # as in trec_eval, large scores become infinite
        # Adding 0 turns -0 into 0, which equals it.
        bits = (scores.astype(np.float32) + np.float32(0)).view(np.uint32)
    # The bits of a positive float grow with it; those of a negative one are larger and shrink
    # with it.
    descending = np.where(bits >> 31, bits, ~bits & np.uint32(2**31 - 1))
    return numbers.astype(np.uint64) << _SCORE_BITS | descending


def ranks_in(ordered: UInts, wanted: UInts) -> tuple[Ints, Ints]:
    """Return the best rank of each wanted key, from 1 in each ranking, and how often it occurs.

    `ordered` contains the keys of all documents in ascending order, and each wanted one.
    """
    # Searching for keys in ascending order is several times as fast.
    order = np.argsort(wanted)
    keys = wanted[order]
    start = ordered.searchsorted(keys >> _SCORE_BITS << _SCORE_BITS)
    first, last = ordered.searchsorted(keys), ordered.searchsorted(keys, side="right")
    ranks, counts = np.empty((2, len(wanted)), dtype=np.int64)
    ranks[order], counts[order] = first - start + 1, last - first
    return ranks, counts
