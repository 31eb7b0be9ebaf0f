"""Runs and judgements as dicts, and their conversion to dataframes and back."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

from pres_plugin.remedy import KEEP_ONE, RemediedError, quoted

if TYPE_CHECKING:
    import polars as pl

Dicts = dict[str, dict[str, Any]]

#: What to do when a document occurs twice in a topic.
Duplicates = Literal["error", "first", "last"]


class Topics:
    """The documents of each topic, in the order in which they are added."""

    def __init__(self, duplicates: Duplicates) -> None:
        self.dicts: Dicts = {}
        self._duplicates = duplicates

    def add(self, query_id: str, doc_id: str, value: Any) -> None:
        """Add a document; raise a RemediedError for a duplicate if duplicates are not allowed."""
        docs = self.dicts.setdefault(query_id, {})
        if doc_id in docs:
            if self._duplicates == "error":
                problem = f"document {quoted(doc_id)} is in topic {quoted(query_id)} already"
                raise RemediedError(problem, KEEP_ONE)
            if self._duplicates == "first":
                return
        docs[doc_id] = value


def to_dicts(rows: pl.DataFrame, value: str) -> Dicts:
    """Return the `value` of each document, by topic; no topic may repeat a document.

    The column `topic` numbers the topics in the order of the result. A row whose document is
    null means that the topic has no documents.
    """
    import polars as pl

    rows = rows.sort("topic", maintain_order=True)
    sizes = rows.select(pl.col("query_id").rle()).unnest("query_id").iter_rows()
    documents = zip(rows["doc_id"], rows[value], strict=True)
    topics: Dicts = {query_id: dict(islice(documents, size)) for size, query_id in sizes}
    for docs in topics.values():
        docs.pop(None, None)  # type: ignore[call-overload]
    return topics


def from_dicts(topics: Dicts, value: str) -> pl.DataFrame:
    """Return columns `query_id`, `doc_id` (String) and `value`: `relevance` or `score`.

    In judgements, a topic without documents becomes one row with nulls. In runs, it is omitted.
    """
    import polars as pl

    columns: dict[str, list[Any]] = {"query_id": [], "doc_id": [], value: []}
    query_ids, doc_ids, values = columns.values()
    for query_id, docs in topics.items():
        if not docs and value == "relevance":
            docs = {None: None}  # type: ignore[dict-item]
        query_ids += [query_id] * len(docs)
        doc_ids += docs
        values += docs.values()
    kind = pl.Float64 if value == "score" else pl.Int64
    return pl.DataFrame(columns, schema={"query_id": pl.String, "doc_id": pl.String, value: kind})
