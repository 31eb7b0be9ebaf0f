"""Rank and compare documents in tables of many rows, with polars and numpy.

The functions know nothing about runs or their formats. A table has one row per document, and
belongs to any number of rankings, whose rows may be mixed. Documents are ordered as in trec_eval:
by descending score, compared as 32-bit floats, then by descending id. Ids are compared only where
hashes or scores are equal, because comparing strings takes most of the time of sorting rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

Ints = NDArray[np.int64]
UInts = NDArray[np.uint64]

# The golden ratio as a fraction of 2⁶⁴, whose multiples spread over all 64-bit numbers.
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def numbered(rows: pl.DataFrame) -> tuple[Ints, pl.DataFrame]:
    """Number the distinct rows from 0, in the order in which they first appear.

    Return the number of each row, and the distinct rows. Rows contain no nulls. Equal rows that
    follow each other are looked up only once.
    """
    changed = rows.select(pl.any_horizontal(pl.all().ne_missing(pl.all().shift()))).to_series()
    is_first = changed.to_numpy()
    first, numbers = rows[np.flatnonzero(is_first)], np.cumsum(is_first) - 1
    if first.hash_rows().n_unique() == first.height:  # equal rows follow each other
        return numbers, first
    distinct = first.unique(maintain_order=True).with_row_index("_number")
    found = first.join(distinct, on=rows.columns, how="left", maintain_order="left")["_number"]
    return found.to_numpy().astype(np.int64)[numbers], distinct.drop("_number")


def hashes(ids: pl.Series) -> UInts:
    """Return a 64-bit hash of each id; equal ids have equal hashes."""
    return np.asarray(ids.hash().to_numpy())


def keys_of(numbers: NDArray[Any], hashed: UInts) -> UInts:
    """Return a 64-bit number for each row; rows with the same ranking and id have the same one."""
    return hashed ^ (numbers.astype(np.uint64) * _GOLDEN)


def repeated(numbers: NDArray[Any], ids: pl.Series, hashed: UInts) -> Ints:
    """Return the positions of the rows whose id occurs several times in their ranking.

    Rows with equal `numbers` belong to the same ranking. `hashed` are the hashes of the ids.
    """
    keys = pl.Series(keys_of(numbers, hashed))
    # Counting takes less time than sorting, and mostly shows that no key occurs twice.
    if keys.n_unique() == len(keys):
        return np.zeros(0, dtype=np.int64)
    suspects = np.flatnonzero(keys.is_duplicated())
    rows = pl.DataFrame({"number": numbers[suspects], "id": ids.gather(suspects)})
    positions: Ints = suspects[rows.is_duplicated().to_numpy()]
    return positions


def ranks(numbers: NDArray[Any], scores: NDArray[Any], ids: pl.Series, wanted: Ints) -> Ints:
    """Return the ranks of the rows at the positions `wanted`, from 1 in each ranking.

    Rows with equal `numbers`, which are below 2³², belong to the same ranking. No score is NaN, and
    no ranking repeats an id.
    """
    starts = numbers.astype(np.uint64) << np.uint64(32)
    keys = starts | _descending(scores)
    ordered = pl.Series(keys).sort().to_numpy()
    # Searching for keys in ascending order is several times as fast.
    position = keys[wanted].argsort()
    order = wanted[position]
    start = ordered.searchsorted(starts[order])
    first, last = ordered.searchsorted(keys[order]), ordered.searchsorted(keys[order], side="right")
    found = first - start + 1
    is_tied = last - first > 1
    if is_tied.any():
        found[is_tied] += _higher_ids(keys, ids, order[is_tied])
    of_wanted = np.empty_like(found)
    of_wanted[position] = found
    return of_wanted


def _descending(scores: NDArray[Any]) -> NDArray[np.uint32]:
    """Return whole numbers that are in ascending order where scores are in descending order."""
    with np.errstate(over="ignore"):  # as in trec_eval, large scores become infinite
        # Adding 0 turns -0 into 0, which equals it.
        bits = (scores.astype(np.float32) + np.float32(0)).view(np.uint32)
    # The bits of a positive float grow with it; those of a negative one are larger and shrink
    # with it.
    return np.where(bits >> 31, bits, ~bits & np.uint32(2**31 - 1))


def _higher_ids(keys: UInts, ids: pl.Series, tied: Ints) -> Ints:
    """Count, for each of the rows `tied`, the rows with the same key and a higher id."""
    groups = np.unique(keys[tied])
    group = groups.searchsorted(keys)
    rows = np.flatnonzero(groups.take(group, mode="clip") == keys)
    group = group[rows]
    # Sorting strings is much faster than finding the order of rows by group and id.
    names = pl.Series(np.arange(len(groups))).cast(pl.String).str.zfill(10)
    in_order = (names[group] + ids[rows]).sort()
    own = groups.searchsorted(keys[tied])
    up_to = in_order.search_sorted(names[own] + ids[tied], side="right").to_numpy()
    higher: Ints = np.bincount(group).cumsum()[own] - up_to.astype(np.int64)
    return higher
