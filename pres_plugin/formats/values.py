"""Check the ids and numbers of rows, and give their columns the types that scoring needs."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from pres_plugin.remedy import NAN, RemediedError, quoted

#: The largest rank. Scores are compared as 32-bit floats, which represent every whole number up
#: to this one exactly.
MOST_RANKS = 1 << 24

# What a spreadsheet may have made of an id: 7.26E+06, or a date.
_SPOILT = r"^([0-9][.,][0-9]+E\+[0-9]+|[0-9]{4}-[0-9]{2}-[0-9]{2} 00:00:00)$"
_IDS = {"run": "run", "query_id": "topic", "doc_id": "document"}
_NUMBERS = {"relevance": pl.Int64(), "score": pl.Float64(), "rank": pl.Int64()}
_NOT_A_NUMBER = {
    "relevance": "the relevance {} is not a whole number that fits 64 bits; write 1 or 0",
    "score": "the score {} is not a number",
    "rank": f"the rank {{}} is not a whole number from 0 to {MOST_RANKS:,}",
}

# What people write for a relevance of 1 and of 0, in English and German.
_RELEVANCE = {
    **dict.fromkeys(("yes", "y", "true", "ja", "j", "wahr"), "1"),
    **dict.fromkeys(("no", "n", "false", "nein", "falsch"), "0"),
}

# Which rows are wrong, the column to quote, and the problem.
_Check = tuple[pl.Expr, str, str]


def typed(
    rows: pl.DataFrame,
    *,
    by_hand: bool = False,
    decimal_comma: bool = False,
    words: bool = False,
    replaced: bool = False,
) -> pl.DataFrame:
    """Return rows as :meth:`.base.DataFile.batches` yields them, or raise a RemediedError.

    The columns are `query_id`, `doc_id`, `run` if there are several runs, and `relevance`,
    `score` or `rank`. Ids are strings. Numbers may be strings, too. `by_hand` rejects ids that are
    empty, or that begin or end with white space, which happens in tables that people edit. With
    `decimal_comma`, a comma in a score means the same as a decimal point. With `words`, a relevance
    may also be yes or no. `replaced` states whether
    invalid UTF-8 was replaced by replacement characters, which are then rejected.
    """
    ids = [name for name in _IDS if name in rows.columns]
    [name] = [name for name in _NUMBERS if name in rows.columns]
    number = rows[name]
    if number.dtype == pl.String:
        number = number.str.strip_chars().replace("", None)
        if decimal_comma and name == "score":
            number = number.str.replace(",", ".", literal=True)
        if words and name == "relevance":
            number = number.str.to_lowercase().replace(_RELEVANCE)
    typed_number = number.cast(_NUMBERS[name], strict=False)
    checked = rows.select(*ids, found=name, missing=number.is_null(), number=typed_number)
    checks = [check for each in ids for check in _of_ids(each, by_hand, replaced)]
    _check(checked, [*checks, *_of_numbers(name)])
    rows = rows.select(*ids, typed_number)
    if name == "rank":
        rows = rows.select(*ids, (-pl.col("rank").cast(pl.Float64)).alias("score"), "rank")
    return rows


def without_empty_rows(rows: pl.DataFrame) -> pl.DataFrame:
    """Return rows of strings without those in which all cells are empty or blank."""
    return rows.filter(pl.any_horizontal(pl.all().str.strip_chars() != ""))


def _of_ids(name: str, by_hand: bool, replaced: bool) -> Iterator[_Check]:
    column, what = pl.col(name), f"the {_IDS[name]}"
    stripped = column.str.strip_chars()
    yield (
        column.is_null() | ((stripped == "") & by_hand),
        name,
        f"{what} is empty; fill it in, or delete the row",
    )
    if by_hand:
        # White space is hard to see.
        blanks = f"{what} begins or ends with white space; remove it"
        yield stripped != column, name, blanks
        spoilt = (
            f"{what} is not an id, but what a spreadsheet made of one; format the column as text "
            "(or as a number without decimals), check the ids, and save again"
        )
        yield column.str.contains(_SPOILT), name, spoilt
    if replaced:
        is_replaced = column.str.contains("\ufffd", literal=True)
        not_utf8 = f"{what} is not UTF-8 text; save the file in UTF-8 (in Excel: as CSV UTF-8)"
        yield is_replaced, name, not_utf8


def _of_numbers(name: str) -> Iterator[_Check]:
    number = pl.col("number")
    yield pl.col("missing"), "found", f"the {name} is missing; fill it in, or delete the row"
    if name == "score":
        yield number.is_nan(), "found", NAN
    is_wrong = ~number.is_between(0, MOST_RANKS) if name == "rank" else number.is_null()
    yield number.is_null() | is_wrong, "found", _NOT_A_NUMBER[name]


def _check(rows: pl.DataFrame, checks: list[_Check]) -> None:
    """Raise a RemediedError for the first row that is wrong."""
    if not rows.select(pl.any_horizontal(is_wrong.any() for is_wrong, *_ in checks)).item():
        return
    for is_wrong, column, problem in checks:
        for row in rows.filter(is_wrong).head(1).iter_rows(named=True):
            found = row[column]
            shown = quoted(found) if isinstance(found, str) else str(found)
            where = [f"{name} {quoted(row[key])}" for key, name in _IDS.items() if row.get(key)]
            raise RemediedError(f"{', '.join(where)}: {problem.format(shown)}")
