"""Convert dataframes to dicts of dicts and back."""

from __future__ import annotations

from typing import Any

import polars as pl

Dicts = dict[str, dict[str, Any]]


def to_dicts(frame: pl.DataFrame, value: str) -> Dicts:
    """Return the `value` of each document, by topic; no topic may repeat a document."""
    return {
        str(query_id): dict(zip(rows["doc_id"].to_list(), rows[value].to_list(), strict=True))
        for (query_id,), rows in frame.group_by(["query_id"], maintain_order=True)
    }


def from_dicts(topics: Dicts, value: str, kind: Any) -> pl.DataFrame:
    """Return columns `query_id`, `doc_id` (String) and `value`, of type `kind`."""
    return pl.DataFrame(
        {
            "query_id": [query_id for query_id, docs in topics.items() for _ in docs],
            "doc_id": [doc_id for docs in topics.values() for doc_id in docs],
            value: [number for docs in topics.values() for number in docs.values()],
        },
        schema={"query_id": pl.String, "doc_id": pl.String, value: kind},
    )
