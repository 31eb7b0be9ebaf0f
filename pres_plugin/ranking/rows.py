"""Rank documents given as rows: columns of polars and arrays of numpy.

The order is trec_eval's: by descending score, compared as 32-bit floats, then by descending id.
Ids are compared only where that decides something, because comparing strings takes longest. 64-bit
hashes show which rows may be equal, and then the ids themselves are compared.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Keys = NDArray[np.uint64]

_HALF = np.uint64(32)
_SIGN, _BITS = np.uint32(1 << 31), np.uint32(0xFFFFFFFF)
# An odd number with irregular bits, so that products with it differ in all bits.
_MIX = np.uint64(0x9E3779B97F4A7C15)


def hashes(doc_ids: pl.Series) -> Keys:
    """Return a 64-bit hash of each id; equal ids have equal hashes."""
    return doc_ids.hash().to_numpy()


def keys_of(topic: Ints, hashed: Keys) -> Keys:
    """Return a 64-bit number for each row; rows with the same topic and id have the same one."""
    return hashed ^ (topic.astype(np.uint64) + np.uint64(1)) * _MIX


def repeated(topic: Ints, doc_ids: pl.Series, keys: Keys) -> Ints:
    """Return the rows whose document occurs more than once in its topic, ascending."""
    in_order = np.sort(keys)
    twice = np.unique(in_order[1:][in_order[1:] == in_order[:-1]])
    if not len(twice):
        return np.empty(0, dtype=np.int64)
    rows = np.flatnonzero(twice[np.minimum(twice.searchsorted(keys), len(twice) - 1)] == keys)
    same = pl.DataFrame({"topic": topic[rows], "doc_id": doc_ids[rows]}).is_duplicated()
    return rows[same.to_numpy()]


def kept_once(
    topic: Ints, doc_ids: pl.Series, rows: Ints, keep: Literal["first", "last"]
) -> NDArray[np.bool_]:
    """Return which rows stay if each document is kept once; `rows` come from :func:`repeated`."""
    stay = np.ones(len(topic), dtype=np.bool_)
    stay[rows] = False
    some = pl.DataFrame({"topic": topic[rows], "doc_id": doc_ids[rows], "row": rows})
    stay[some.unique(["topic", "doc_id"], keep=keep)["row"].to_numpy()] = True
    return stay


def matches(
    keys: Keys, doc_ids: pl.Series, wanted: Keys, wanted_ids: pl.Series
) -> tuple[Ints, Ints]:
    """Find documents among rows: return pairs of a row and the position of a wanted document.

    `keys` and `wanted` come from :func:`keys_of`, with the same numbers of topics.
    """
    rows = pl.DataFrame({"key": keys}).with_row_index("row")
    documents = pl.DataFrame({"key": wanted}).with_row_index("document")
    pairs = rows.join(documents, on="key").select(pl.col("row", "document").cast(pl.Int64))
    same = doc_ids[pairs["row"]] == wanted_ids[pairs["document"]]
    row, document = (pairs.filter(same)[column].to_numpy() for column in pairs.columns)
    return row, document


def ranks_of(found: Ints, topic: Ints, scores: NDArray[Any], doc_ids: pl.Series) -> Ints:
    """Return the 1-based ranks of some rows, given by their positions in `found`.

    The numbers in `topic` ascend. No score is NaN.
    """
    order = _descending(topic, scores)
    is_sorted = (order[1:] >= order[:-1]).all()
    in_order = order if is_sorted else np.sort(order)
    wanted = order[found]
    first = in_order.searchsorted(wanted)
    ranks: Ints = 1 + first - topic.searchsorted(topic[found])
    is_tied = in_order.searchsorted(wanted, side="right") - first > 1
    if is_tied.any():
        ranks[is_tied] += _higher_ids(found[is_tied], order, doc_ids)
    return ranks


def _descending(topic: Ints, scores: NDArray[Any]) -> Keys:
    """Return numbers that order rows by topic, then by descending 32-bit score."""
    with np.errstate(over="ignore"):  # as in trec_eval, large scores become infinite
        rounded = scores.astype(np.float32) + np.float32(0)  # -0.0 equals 0.0
    bits = rounded.view(np.uint32)
    # As integers, negative floats ascend with their size.
    ascending = np.where(bits & _SIGN, ~bits, bits | _SIGN)
    return (topic.astype(np.uint64) << _HALF) | (_BITS - ascending)


def _higher_ids(found: Ints, order: Keys, doc_ids: pl.Series) -> Ints:
    """Count the rows that tie with each found row and have a higher id."""
    tied = np.unique(order[found])
    group = np.minimum(tied.searchsorted(order), len(tied) - 1)
    rows = np.flatnonzero(tied[group] == order)
    # Sorting strings is much faster than finding the order of rows by group and id.
    names = pl.Series(np.arange(len(tied))).cast(pl.String).str.zfill(10)
    in_order = (names[group[rows]] + doc_ids[rows]).sort()
    up_to = in_order.search_sorted(names[group[found]] + doc_ids[found], side="right").to_numpy()
    ends = np.bincount(group[rows]).cumsum()
    higher: Ints = ends[group[found]] - up_to.astype(np.int64)
    return higher


def numbered(frame: pl.DataFrame, keys: list[str]) -> tuple[pl.DataFrame, Ints, pl.DataFrame]:
    """Bring the rows of each topic together, topics in order of first appearance.

    `keys` are the columns that identify a topic. Return the rows, the 0-based number of each row's
    topic, and the keys of each topic.
    """
    key = pl.col(keys[0]) if len(keys) == 1 else pl.struct(keys)
    stretches = frame.select(key.rle().alias("of")).unnest("of")
    lengths, topics = stretches["len"].to_numpy(), pl.DataFrame({"key": stretches["value"]})
    number = np.arange(topics.height)
    if topics["key"].n_unique() < topics.height:  # some topics are not contiguous
        unique = topics.unique(maintain_order=True).with_row_index("number")
        number = topics.join(unique, on="key", how="left", maintain_order="left")["number"]
        number, topics = number.cast(pl.Int64).to_numpy(), unique.select("key")
    topic = np.repeat(number, lengths)
    if len(number) > topics.height:
        order = topic.argsort(kind="stable")
        frame, topic = frame[order], topic[order]
    return frame, topic, topics.unnest("key") if len(keys) > 1 else topics.rename({"key": keys[0]})
