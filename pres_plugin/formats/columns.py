"""The names of columns in tables, and of fields in JSON: those that common tools write."""

from __future__ import annotations

from collections.abc import Sequence

from pres_plugin.formats.base import Value
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


def columns_of(found: Sequence[str], value: Value) -> dict[str, str]:
    """Choose the columns to read among the columns that a table contains.

    Return the names that the table uses for `query_id`, `doc_id` and one of `relevance`,
    `score` and `rank`. If a table of runs contains a column `run`, include its name. Raise a
    RemediedError if a column is missing, or if two have the same meaning.
    """
    chosen: dict[str, str] = {}
    missing = []
    for group in (("query_id",), ("doc_id",), _numbers(found, value)):
        kind = next((kind for kind in group if _named(kind, found)), None)
        if kind is None:
            first, *others = [name for kind in group for name in NAMES[kind]]
            missing.append(f"{first} (or {', '.join(others)})")
        else:
            chosen[value if kind == "score" else kind] = _only(kind, found)
    if missing:
        lacking = "there is no column" if len(missing) == 1 else "these columns are missing:"
        raise RemediedError(
            f"{lacking} {listed(missing)}; the columns are {some(found, 20) or 'none'}"
        )
    if value == "score" and _named("run", found):
        chosen["run"] = _only("run", found)
    return chosen


def is_table(found: Sequence[str]) -> bool:
    """Return whether these are the columns of a table with topics and documents."""
    return bool(_named("query_id", found) and _named("doc_id", found))


def _numbers(found: Sequence[str], value: Value) -> tuple[str, ...]:
    """Return what the column with the numbers may contain; the first one found is used."""
    if value == "score":
        return ("score", "rank")
    # ranx and BEIR call a relevance a score. With ranks or names of runs, the table is a run.
    is_run = _named("rank", found) or _named("run", found)
    return ("relevance",) if is_run else ("relevance", "score")


def _named(kind: str, found: Sequence[str]) -> list[str]:
    return [name for name in found if name in NAMES[kind]]


def _only(kind: str, found: Sequence[str]) -> str:
    name, *others = _named(kind, found)
    if others:
        names = listed(list(map(shortened, (name, *others))))
        raise RemediedError(f"columns {names} have the same meaning; keep one of them")
    return name
