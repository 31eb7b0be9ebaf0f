"""Rows that can be ranked: each document of a topic once, and no score NaN."""

from __future__ import annotations

from typing import Literal

import polars as pl

__all__ = ["RowsError", "check_scores", "once_each"]


class RowsError(ValueError):
    """Rows that cannot be scored; the message says which, but not of what file."""


def check_scores(frame: pl.DataFrame) -> None:
    """Raise a RowsError if a score is NaN."""
    if frame["score"].is_nan().any():
        raise _nan_error(frame)


def once_each(
    frame: pl.DataFrame, keys: list[str], duplicates: Literal["error", "first", "last"]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Each document of a topic once, and the topics in order with their sizes (`len`).

    Parameters
    ----------
    frame : DataFrame
        Whole topics.
    keys : list of str
        The columns that tell topics apart.
    duplicates : {'error', 'first', 'last'}
        Which row counts of a document that a topic holds twice.

    Raises
    ------
    RowsError
        If a topic holds a document twice, for 'error'.
    """
    sizes = _sizes(frame, keys)
    twice = sizes.filter(pl.col("distinct") < pl.col("len"))
    if twice.is_empty():
        return frame, sizes
    if duplicates == "error":
        raise _twice_error(frame.join(twice, on=keys, how="semi"), keys)
    frame = frame.unique([*keys, "doc_id"], keep=duplicates, maintain_order=True)
    return frame, sizes.with_columns(len=pl.col("distinct"))


def _sizes(frame: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    return frame.group_by(keys, maintain_order=True).agg(
        distinct=pl.col("doc_id").n_unique(), len=pl.len()
    )


def _nan_error(frame: pl.DataFrame) -> RowsError:
    row = frame.filter(pl.col("score").is_nan()).row(0, named=True)
    return RowsError(
        f"topic {row['query_id']!r}, document {row['doc_id']!r}: "
        "the score is NaN, which has no place in an order"
    )


def _twice_error(frame: pl.DataFrame, keys: list[str]) -> RowsError:
    row = frame.filter(pl.struct(*keys, "doc_id").is_duplicated()).row(0, named=True)
    return RowsError(
        f"document {row['doc_id']!r} is in topic {row['query_id']!r} twice; "
        "keep one of them with --duplicates first or last"
    )
