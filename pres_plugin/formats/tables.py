"""Tables with named columns: what their columns mean, and a base class of their formats."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence

import polars as pl

from pres_plugin.formats.base import DataFile, Value
from pres_plugin.formats.values import typed
from pres_plugin.remedy import RemediedError, listed, shortened, some

#: What a column contains, and the names that ir-measures, PyTerrier, ranx and BEIR give it.
NAMES: dict[str, tuple[str, ...]] = {
    "run": ("run",),
    "query_id": ("query_id", "qid", "q_id", "query-id"),
    "doc_id": ("doc_id", "docno", "corpus-id", "corpus_id"),
    "relevance": ("relevance", "label", "rel"),
    "score": ("score",),
    "rank": ("rank",),
}


class TableFile(DataFile):
    """A table whose columns have names; others than those in :data:`NAMES` are ignored."""

    #: The names of the columns.
    names: Sequence[str] = ()
    #: Whether people edit such tables, so that ids may contain blanks by mistake.
    by_hand: bool = False
    #: Whether a comma in a number means the same as a decimal point.
    decimal_comma: bool = False

    @abstractmethod
    def tables(self, columns: dict[str, str]) -> Iterator[pl.DataFrame]:
        """Yield the rows in batches; `columns` maps the names of their columns to the file's."""

    def batches(self, value: Value) -> Iterator[pl.DataFrame]:
        """Yield the rows with the columns that are needed."""
        for rows in self.tables(self.columns(value)):
            with self.located():
                yield typed(rows, by_hand=self.by_hand, decimal_comma=self.decimal_comma)

    def columns(self, value: Value) -> dict[str, str]:
        """Choose the columns to read; raise a FileError if one is missing."""
        with self.located():
            return columns_of(self.names, value)


def columns_of(found: Sequence[str], value: Value) -> dict[str, str]:
    """Choose the columns to read among the columns that a table contains.

    Return the names that the table uses for `query_id`, `doc_id` and one of `relevance`,
    `score` and `rank`. If a table of runs contains a column `run`, include its name. Raise a
    RemediedError if a column is missing, or if two have the same meaning.
    """
    named = {kind: [name for name in found if name in names] for kind, names in NAMES.items()}
    numbers = ["score", "rank"]
    if value == "relevance":
        # ranx and BEIR call a relevance a score. With ranks or names of runs, the table is a run.
        numbers = ["relevance", *([] if named["rank"] or named["run"] else ["score"])]
    chosen: dict[str, str] = {}
    missing = []
    for kinds in (["query_id"], ["doc_id"], numbers):
        kind = next((kind for kind in kinds if named[kind]), None)
        if kind is None:
            first, *others = [name for kind in kinds for name in NAMES[kind]]
            missing.append(f"{first} (or {', '.join(others)})")
        else:
            chosen[value if kind == "score" else kind] = _only(named[kind])
    if missing:
        lacking = "there is no column" if len(missing) == 1 else "these columns are missing:"
        hint = "" if is_table(found) else "; the first row must name the columns"
        raise RemediedError(
            f"{lacking} {listed(missing)}; the columns are {some(found, 20) or 'none'}{hint}"
        )
    if value == "score" and named["run"]:
        chosen["run"] = _only(named["run"])
    return chosen


def is_table(found: Sequence[str]) -> bool:
    """Return whether these are the columns of a table with topics and documents."""
    return not any(set(NAMES[kind]).isdisjoint(found) for kind in ("query_id", "doc_id"))


def _only(names: list[str]) -> str:
    if len(names) > 1:
        both = listed(list(map(shortened, names)))
        raise RemediedError(f"columns {both} have the same meaning; keep one of them")
    return names[0]
