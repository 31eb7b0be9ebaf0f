"""Check rows before ranking: no NaN scores, and each document only once per topic."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from pres_plugin.formats.base import Duplicates, UnclearError
from pres_plugin.formats.ranks import same_rank
from pres_plugin.remedy import KEEP_ONE, NAN, in_topic, quoted

#: How many rows a buffer may contain before it is searched for repeated documents.
ROWS_UNTIL_CHECK = 1_000_000


def check_scores(frame: pl.DataFrame) -> None:
    """Raise an UnclearError if a score is NaN."""
    if frame["score"].is_nan().any():
        row = frame.filter(pl.col("score").is_nan()).row(0, named=True)
        raise UnclearError(f"{in_topic(row['query_id'], row['doc_id'])}: {NAN}")


def check_ranks(rows: pl.DataFrame) -> None:
    """Raise an UnclearError if two documents of a topic have the same rank.

    The rows come from :func:`once_each`. Most runs have scores in place of ranks.
    """
    if "rank" not in rows.columns:
        return
    same = rows.filter(pl.struct("topic", "rank").is_duplicated())
    if not same.is_empty():
        first = same.row(0, named=True)
        doc_id, other = same.filter(topic=first["topic"], rank=first["rank"])["doc_id"][:2]
        raise UnclearError(same_rank(first["query_id"], doc_id, other, first["rank"]))


def numbered(frame: pl.DataFrame, keys: list[str]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Number the topics, which the columns `keys` identify, in order of first appearance.

    Return the rows with a column `topic` (Int64), the 0-based number of each row's topic, and
    the keys of each topic.
    """
    key = pl.col(keys[0]) if len(keys) == 1 else pl.struct(keys)
    stretches = frame.select(key.rle().alias("of")).unnest("of")
    topics = pl.DataFrame(stretches["value"])
    if topics["value"].n_unique() == topics.height:
        topic = np.repeat(np.arange(topics.height), stretches["len"].to_numpy())
        # Marked as sorted, so that polars need not sort rows by topic again.
        rows = frame.with_columns(topic=pl.Series(topic, dtype=pl.Int64).set_sorted())
    else:  # some topics are not contiguous
        topics = topics.unique(maintain_order=True)
        places = topics.with_row_index("topic").cast({"topic": pl.Int64})
        on = frame.select(key.alias("value")).join(places, "value", maintain_order="left")
        rows = frame.with_columns(on["topic"])
    return rows, topics.unnest("value") if len(keys) > 1 else topics.rename({"value": keys[0]})


class Pile:
    """A buffer for rows that must be in memory together.

    Once it contains many rows, repeated documents are dropped, or raise an error, depending
    on `duplicates`. A file of a few megabytes may repeat a row 100 million times. `keys` are
    the columns that identify a topic.
    """

    def __init__(self, keys: list[str], duplicates: Duplicates) -> None:
        self._keys = keys
        self._duplicates = duplicates
        self._frames: list[pl.DataFrame] = []
        self._height = 0
        self._has_dropped = False
        self._limit = ROWS_UNTIL_CHECK

    def add(self, frame: pl.DataFrame) -> None:
        """Add rows; once there are many, drop repeated documents or raise an UnclearError."""
        self._frames.append(frame)
        self._height += frame.height
        if self._height > self._limit:
            numbered_rows, _ = numbered(pl.concat(self._frames), self._keys)
            once, _ = once_each(numbered_rows, self._duplicates)
            self._has_dropped |= once.height < self._height
            self._frames, self._height = [once.drop("topic")], once.height
            self._limit = max(ROWS_UNTIL_CHECK, 2 * once.height)

    def rows(self) -> pl.DataFrame:
        """Return all rows in one frame, in the order of topics if some were dropped."""
        rows = pl.concat(self._frames)
        if self._has_dropped:  # as once_each does when it drops the same rows
            rows = numbered(rows, self._keys)[0].sort("topic", maintain_order=True).drop("topic")
        return rows


def once_each(rows: pl.DataFrame, duplicates: Duplicates) -> tuple[pl.DataFrame, NDArray[np.int64]]:
    """Keep each document once per topic, and count the documents of each topic.

    The rows come from :func:`numbered`. Raise an UnclearError if `duplicates` is 'error' and
    a document occurs twice in a topic.
    """
    sizes = rows.group_by("topic").agg(distinct=pl.col("doc_id").n_unique(), len=pl.len())
    sizes = sizes.sort("topic").select(pl.col("distinct", "len").cast(pl.Int64))
    if (sizes["distinct"] < sizes["len"]).any():
        if duplicates == "error":
            row = rows.filter(pl.struct("topic", "doc_id").is_duplicated()).row(0, named=True)
            raise UnclearError(
                f"document {quoted(row['doc_id'])} is in topic {quoted(row['query_id'])} twice",
                KEEP_ONE,
            )
        rows = rows.unique(["topic", "doc_id"], keep=duplicates, maintain_order=True)
        # The row that is kept may come after rows of other topics.
        rows = rows.sort("topic", maintain_order=True)
    return rows, sizes["distinct"].to_numpy()
