"""Ranks in frames."""

from __future__ import annotations

from typing import Any

import narwhals as nw

__all__ = ["with_ranks"]


def with_ranks(run: Any, partition: list[str]) -> Any:
    """The same frame with a column ``rank``: by score, then by document id, descending."""
    below = nw.col("score").cum_count().over(*partition, order_by=["score", "doc_id"])
    rank = nw.len().over(*partition).cast(nw.Int64) - below.cast(nw.Int64) + 1
    return run.with_columns(rank=rank)
