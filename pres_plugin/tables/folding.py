"""Fold the documents in rows into families, as :mod:`pres_plugin.families` does in dicts."""

from __future__ import annotations

import warnings
from collections.abc import Mapping

import polars as pl

from pres_plugin.families import finder

# After how many batches the documents of all of them are joined.
_JOINED_AT = 64


class Folding:
    """Folds documents into families, and counts the documents that have no family."""

    def __init__(self, families: Mapping[str, str] | str) -> None:
        self._family_of = finder(families)
        self._seen: list[pl.DataFrame] = []

    def family(self, doc_ids: pl.Series) -> pl.Series:
        """Return the family of each document, or null if it has none."""
        found = {each: self._family_of(each) or None for each in doc_ids.unique().drop_nulls()}
        return doc_ids.replace_strict(found, default=None, return_dtype=pl.String)

    def folded(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Fold the documents of each topic; the column `topic` contains its number.

        The highest score or relevance of a family counts, and its best rank. The order of the
        topics is kept.
        """
        doc_ids = rows["doc_id"]
        family = self.family(doc_ids)
        seen = pl.DataFrame({"doc_id": doc_ids, "has_family": family.is_not_null()}).drop_nulls()
        # Hashes take less memory, and so does joining them now and then.
        self._seen.append(seen.unique().with_columns(pl.col("doc_id").hash()))
        if len(self._seen) > _JOINED_AT:
            self._seen = [pl.concat(self._seen).unique()]
        rows = rows.with_columns(doc_id=family.fill_null(doc_ids))
        order = pl.selectors.by_name("rank", "position", require_all=False)
        best = [pl.selectors.exclude("topic", "doc_id", order).max(), order.min()]
        return rows.group_by("topic", "doc_id", maintain_order=True).agg(*best)

    def report(self, path: str) -> None:
        """Warn about the documents in the files at a path that have no family."""
        seen = pl.concat(self._seen).unique()
        if n_without := seen.height - seen["has_family"].sum():
            warnings.warn(
                f"{path}: {n_without:,} of {seen.height:,} documents have no family, so each of "
                "them counts as a family of its own",
                stacklevel=2,
            )
