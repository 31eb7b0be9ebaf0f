"""Check the ids and numbers of rows, and give their columns the types that scoring needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl

from pres_plugin.remedy import NAN, RemediedError, in_topic, quoted

#: The largest rank. Scores are compared as 32-bit floats, which represent every whole number up
#: to this one exactly.
MOST_RANKS = 1 << 24

# White space that an id may not begin or end with, because it is hard to see.
_BLANKS = " \t\r\n\v\f"
_IDS = {"run": "run", "query_id": "topic", "doc_id": "document"}
_NUMBERS = {"relevance": pl.Int64(), "score": pl.Float64(), "rank": pl.Int64()}


def typed(
    rows: pl.DataFrame,
    *,
    by_hand: bool = False,
    decimal_comma: bool = False,
    replaced: bool = False,
) -> pl.DataFrame:
    """Return rows as :meth:`.base.DataFile.batches` yields them, or raise a RemediedError.

    The columns are `query_id`, `doc_id`, `run` if there are several runs, and `relevance`,
    `score` or `rank`. Ids are strings. Numbers may be strings, too. `by_hand` rejects ids that are
    empty or begin or end with white space, as happens in tables that people edit. With
    `decimal_comma`, a comma in a number means the same as a decimal point. `replaced` says that
    bytes that are not UTF-8 have become replacement characters.
    """
    ids = [name for name in _IDS if name in rows.columns]
    for name in ids:
        _check_ids(rows, name, by_hand, replaced)
    [number] = [name for name in _NUMBERS if name in rows.columns]
    rows = _with_numbers(rows.select(*ids, number), number, decimal_comma)
    if number == "rank":
        rows = rows.with_columns(score=-pl.col("rank").cast(pl.Float64))
        rows = rows.select(*ids, "score", "rank")
    return rows


def _check_ids(rows: pl.DataFrame, name: str, by_hand: bool, replaced: bool) -> None:
    column, what = pl.col(name), _IDS[name]
    is_wrong = column.is_null()
    if by_hand:
        stripped = column.str.strip_chars(_BLANKS)
        is_wrong |= (stripped == "") | (stripped != column)
    if replaced:
        is_wrong |= column.str.contains("\ufffd", literal=True)

    def problem(row: dict[str, Any]) -> str:
        found = row[name]
        if not (found or "").strip(_BLANKS):
            topic = row.get("query_id") if name == "doc_id" else None
            where = f"topic {quoted(topic)}: " if topic else ""
            return f"{where}the {what} is empty"
        if replaced and "\ufffd" in found:
            return f"the {what} {quoted(found)} is not UTF-8 text"
        return f"the {what} {quoted(found)} begins or ends with white space; remove it"

    _check(rows, is_wrong, problem)


def _with_numbers(rows: pl.DataFrame, name: str, decimal_comma: bool) -> pl.DataFrame:
    """Convert a column to numbers; a rank must be in the range of ranks."""
    number, dtype = pl.col(name), _NUMBERS[name]
    if rows.schema[name] == pl.String:
        number = number.str.strip_chars()
        if decimal_comma and name == "score":
            number = number.str.replace(",", ".", literal=True)
    number = number.cast(dtype, strict=False)
    is_wrong = number.is_null()
    if name == "score":
        is_wrong |= number.is_nan()
    if name == "rank":
        is_wrong |= ~number.is_between(0, MOST_RANKS)

    def problem(row: dict[str, Any]) -> str:
        where, found = in_topic(row["query_id"], row["doc_id"]), row[name]
        shown = quoted(found) if isinstance(found, str) else found
        if found is None or found == "":
            return f"{where}: the {name} is missing"
        if name == "rank":
            return f"{where}: a rank is a whole number from 0 to {MOST_RANKS:,}, got {shown}"
        if name == "relevance":
            return f"{where}: the relevance {shown} is not a whole number that fits 64 bits"
        is_nan = str(found).strip().strip("+-").lower() == "nan"
        return f"{where}: {NAN}" if is_nan else f"{where}: the score {shown} is not a number"

    _check(rows, is_wrong, problem)
    return rows.with_columns(number)


def _check(rows: pl.DataFrame, is_wrong: pl.Expr, problem: Callable[[dict[str, Any]], str]) -> None:
    wrong = rows.filter(is_wrong).head(1)
    for row in wrong.iter_rows(named=True):
        raise RemediedError(problem(row))
