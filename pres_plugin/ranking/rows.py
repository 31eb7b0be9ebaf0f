"""Rank and compare documents in tables of many rows, with polars and numpy.

The functions know nothing about runs or their formats. A table has one row per document, and
belongs to any number of rankings, whose rows may be mixed. Strings are compared only where
hashes or scores are equal, because comparing strings takes most of the time of sorting rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

UInts = NDArray[np.uint64]
Positions = NDArray[np.int64]

# The golden ratio as a fraction of 2⁶⁴, whose multiples spread over all 64-bit numbers.
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def numbered(rows: pl.DataFrame) -> UInts:
    """Number the distinct rows from 0, and return the number of each row.

    Rows contain no nulls. Equal rows that follow each other are looked up only once.
    """
    changed = rows.select(pl.any_horizontal(pl.all().ne_missing(pl.all().shift()))).to_series()
    first = rows.filter(changed)
    distinct = first.unique().with_row_index("_number")
    found = first.join(distinct, on=rows.columns, how="left", maintain_order="left")["_number"]
    block = np.cumsum(changed.to_numpy()) - 1
    numbers: UInts = found.to_numpy().astype(np.uint64)[block]
    return numbers


def repeated(numbers: UInts, values: pl.Series) -> Positions:
    """Return the positions of the rows whose value occurs several times in their ranking.

    Rows with equal `numbers` belong to the same ranking.
    """
    hashes = values.hash().to_numpy() ^ (numbers * _GOLDEN)
    suspects = np.flatnonzero(_is_among(hashes, _several_times(np.sort(hashes))))
    rows = pl.DataFrame({"number": numbers[suspects], "value": values.gather(suspects)})
    positions: Positions = suspects[rows.is_duplicated().to_numpy()]
    return positions


def ranks(
    numbers: UInts, scores: NDArray[np.float32], ids: pl.Series, wanted: Positions
) -> Positions:
    """Return the ranks of the rows at the positions `wanted`, from 1 in each ranking.

    Rows with equal `numbers`, which are below 2³², belong to the same ranking. They are ordered
    by score, then by id, both descending. No score is NaN, and no ranking repeats an id.
    """
    keys = (numbers << np.uint64(32)) | _descending(scores)
    ordered = np.sort(keys)
    # Searching for keys in ascending order is several times as fast.
    order = np.argsort(keys[wanted])
    found = keys[wanted][order]
    start = ordered.searchsorted(numbers[wanted][order] << np.uint64(32))
    first, last = ordered.searchsorted(found), ordered.searchsorted(found, side="right")
    ranks = np.empty(len(wanted), dtype=np.int64)
    ranks[order] = first - start + 1
    tied = found[last - first > 1]
    return ranks + _with_higher_ids(keys, ids, tied)[wanted] if len(tied) else ranks


def _descending(scores: NDArray[np.float32]) -> NDArray[np.uint32]:
    """Return whole numbers that are in ascending order where scores are in descending order."""
    # The bits of a positive float grow with it; those of a negative one are larger and shrink
    # with it. Adding 0 turns -0 into 0, which equals it.
    bits = (scores + np.float32(0)).view(np.uint32)
    return np.where(bits >> 31, bits, ~bits & np.uint32(2**31 - 1))


def _with_higher_ids(keys: UInts, ids: pl.Series, tied: UInts) -> Positions:
    """Return, for each row with a key in `tied`, how many rows with this key have a higher id."""
    positions = np.flatnonzero(_is_among(keys, tied))
    groups = pl.DataFrame(
        {"position": positions, "key": keys[positions], "id": ids.gather(positions)}
    ).sort("key", "id", descending=[False, True])
    key = groups["key"].to_numpy()
    higher = np.zeros(len(keys), dtype=np.int64)
    higher[groups["position"].to_numpy()] = np.arange(len(key)) - key.searchsorted(key)
    return higher


def _several_times(ordered: UInts) -> UInts:
    again: UInts = ordered[1:][ordered[1:] == ordered[:-1]]
    return again


def _is_among(numbers: UInts, chosen: UInts) -> NDArray[np.bool_]:
    # Without this check, a hash would be computed for each number.
    if not len(chosen):
        return np.zeros(len(numbers), dtype=np.bool_)
    found: NDArray[Any] = pl.Series(numbers).is_in(pl.Series(chosen).implode()).to_numpy()
    return found
