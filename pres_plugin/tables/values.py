"""Check the ids and numbers of rows, and give their columns the types that scoring needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

import polars as pl

from pres_plugin.measures.parameters import LARGEST, LARGEST_IN_FLOATS
from pres_plugin.messages import InputError, quoted, shortened
from pres_plugin.tables.base import Grades

# What a spreadsheet may have made of an id: 7.26E+06, or a date.
_SPOILT = r"^([0-9][.,][0-9]+E\+[0-9]+|[0-9]{4}-[0-9]{2}-[0-9]{2} 00:00:00)$"
# Where several ids end up in one cell of a spreadsheet.
_LINE_BREAK = r"[\n\r]"
_IDS = {
    "run": "run",
    "query_id": "topic",
    "doc_id": "document",
    "family": "family",
    "group": "group",
    "measure": "measure",
}
_NOT_A_NUMBER = {
    "relevance": "not a whole number that fits 64 bits",
    "score": "not a number",
    "rank": f"not a whole number from 0 to {LARGEST:,}",
    "N": "not a whole number",
}
# What columns with types contain, and how to get it.
_TEXT = "ids are strings, as in trec_eval and ir-measures, so cast the column to strings"
_WHOLE = "expected whole numbers, so cast the column to integers"
_EXPECTED = {
    **dict.fromkeys(_IDS, _TEXT),
    **dict.fromkeys(("score", "value"), "expected numbers, so cast the column to floats"),
    **dict.fromkeys(("relevance", "rank", "N"), _WHOLE),
}

# What people and tools write for a relevance of 1 and of 0, in English and German. I and E are not
# among them: in some files they mean included and excluded, in others irrelevant and exact.
_RELEVANCE = {
    **dict.fromkeys(("yes", "y", "true", "ja", "j", "wahr"), 1),
    **dict.fromkeys(("include", "included", "relevant"), 1),
    **dict.fromkeys(("no", "n", "false", "nein", "falsch"), 0),
    **dict.fromkeys(("exclude", "excluded", "irrelevant", "not relevant"), 0),
}

# Which rows are wrong, and the problem, with {} for a number.
_Check = tuple[pl.Expr, str]


def of_type(values: pl.Series, column: str) -> pl.Series:
    """Return a column of ids or numbers, with text as strings; raise an InputError for others.

    The user calls the column `column`.
    """
    dtype, expected = values.dtype, _EXPECTED.get(values.name)
    if dtype == pl.Null or values.is_empty():
        # Libraries cannot infer the types of these columns.
        unknown = pl.Series(values.name, [None] * len(values))
        return unknown.cast(pl.String if expected == _TEXT else pl.Int64)
    is_text = dtype in (pl.String, pl.Categorical, pl.Enum)
    is_number = dtype.is_numeric() or (values.name == "relevance" and dtype == pl.Boolean)
    if expected and not (is_text if expected == _TEXT else is_number):
        raise wrong_type(values.name, column, dtype)
    return values.cast(pl.String) if is_text else values


def of_file(values: pl.Series, column: str) -> pl.Series:
    """Return a column as :func:`of_type` does, but read ids and numbers as in a file of text.

    Ids may be whole numbers, and numbers may be text.
    """
    if values.dtype.is_integer() and values.name in _IDS:
        return values.cast(pl.String)
    return values if values.dtype == pl.String else of_type(values, column)


def wrong_type(name: str, column: str, dtype: object, reason: object = None) -> InputError:
    """Return the error for a column of a wrong type: ours is called `name`, the user's `column`."""
    expected = _EXPECTED.get(name, "polars cannot compare them, so cast the column to strings")
    because = f" ({reason})" if reason else ""
    return InputError(f"column {quoted(column)} contains {dtype}{because}; {expected}")


def typed(
    rows: pl.DataFrame,
    columns: Mapping[str, str] = MappingProxyType({}),
    *,
    by_hand: bool = False,
    replaced: bool = False,
    words: Words | None = None,
    topics_alone: bool = False,
) -> pl.DataFrame:
    """Return the rows of any table with typed values, or raise an InputError.

    The columns are ids (`run`, `query_id`, `doc_id`, `family`, `group`), other columns that
    distinguish runs, and at most one number: `relevance`, `score`, `rank` or `N`. Ids are strings.
    Numbers may be strings, too. `columns` maps the columns to the user's, if errors are to name
    these. `by_hand` rejects ids that are empty, that contain a line break, or that begin or end
    with white space, which happens in tables that people edit.
    `replaced` states whether invalid UTF-8 was replaced by replacement characters, which are then
    rejected. `words` replaced words for a relevance; a relevance may then be missing. With
    `topics_alone`, a row may lack a document and a relevance.
    """

    def called(name: str) -> str:
        where = f" in column {quoted(columns[name])}" if name in columns else ""
        return f"the {_IDS.get(name, name if name in _NOT_A_NUMBER else 'run')}{where}"

    ids = [name for name in rows.columns if name not in (*_NOT_A_NUMBER, "value")]
    checked = rows.select(ids)
    how = (by_hand, replaced, words is not None)
    checks = [check for each in ids for check in _of_ids(each, called(each), *how)]
    for name in number_columns(rows):
        number = rows[name]
        if number.dtype == pl.String:
            number = number.str.strip_chars().replace("", None)
        elif name == "relevance" and number.dtype.is_float():
            number = number.fill_nan(None)
        value = number.cast(pl.Float64, strict=False) if name == "score" else _whole(number)
        checked = checked.with_columns(found=rows[name], missing=number.is_null(), number=value)
        checks.extend(_of_numbers(name, called(name), words))
        rows = rows.with_columns(value.alias(name))
    if topics_alone:
        checked = checked.filter(pl.col("doc_id").is_not_null() | ~pl.col("missing"))
    _check(checked, checks)
    return rows


def number_columns(rows: pl.DataFrame) -> list[str]:
    """Return the names of the columns that contain numbers: one, or none."""
    return [name for name in rows.columns if name in _NOT_A_NUMBER]


def is_value(kind: str, text: str) -> bool:
    """Return whether a text is a number of this kind, rather than the name of a column."""
    number = Words().replaced(pl.Series(kind, [text])).str.strip_chars()
    return kind in _NOT_A_NUMBER and not number.cast(pl.Float64, strict=False).has_nulls()


class Words:
    """Replaces words for a relevance by numbers, and remembers those that it does not know.

    Without `grades`, the words are those that people often write, in upper or lower case.
    """

    def __init__(self, grades: Grades | None = None) -> None:
        self._grades = grades
        self._unknown: dict[str, None] = {}

    def replaced(self, number: pl.Series) -> pl.Series:
        """Return a column of texts with numbers in place of words, if it contains relevances."""
        is_text = number.dtype == pl.String or self._grades is not None
        if number.name != "relevance" or not is_text:
            return number
        written = number.cast(pl.String).str.strip_chars()
        words, known = written, self._grades
        if known is None:
            words, known = words.str.to_lowercase(), _RELEVANCE
        texts = {word: None if grade is None else str(grade) for word, grade in known.items()}
        replaced = words.replace_strict(texts, default=written, return_dtype=pl.String)
        is_word = replaced.cast(pl.Float64, strict=False).is_null() & (replaced != "")
        unknown = written.filter(is_word)
        self._unknown |= dict.fromkeys(unknown.unique(maintain_order=True).head(20))
        return replaced

    def advice(self) -> str:
        """Return how to say what the unknown words mean, if there are any."""
        if not self._unknown:
            return "write 1 or 0"
        grades = ",".join(f"{shortened(word)}=…" for word in self._unknown)
        return (
            "say which number each word means, with grades={'WORD': NUMBER} "
            f'(--grades "{grades}")'
        )


def _whole(number: pl.Series) -> pl.Series:
    """Return whole numbers, which may be written as 1.0, as integers; null for other values."""
    if number.dtype.is_integer() or number.dtype == pl.Boolean:
        return number.cast(pl.Int64, strict=False)
    as_float = number.cast(pl.Float64, strict=False)
    is_whole = (as_float == as_float.floor()) & (as_float.abs() <= LARGEST_IN_FLOATS)
    whole = as_float.set(~is_whole.fill_null(False), None).cast(pl.Int64)
    # Floats do not represent all numbers of 64 bits, but text does.
    return (
        number.cast(pl.Int64, strict=False).fill_null(whole) if number.dtype == pl.String else whole
    )


def without_empty_rows(rows: pl.DataFrame) -> pl.DataFrame:
    """Return rows of strings without those in which all cells are empty or blank."""
    return rows.filter(pl.any_horizontal(pl.all().str.strip_chars() != ""))


def _of_ids(name: str, what: str, by_hand: bool, replaced: bool, in_file: bool) -> Iterator[_Check]:
    column = pl.col(name)
    stripped = column.str.strip_chars() if by_hand else column
    is_empty = column.is_null() | (stripped == "") if in_file else column.is_null()
    yield is_empty, f"{what} is empty; fill it in, or delete the row"
    if by_hand:
        # White space is hard to see.
        yield stripped != column, f"{what} begins or ends with white space; remove it"
        yield (
            column.str.contains(_LINE_BREAK),
            f"{what} contains a line break; write each of several ids into a row of its own",
        )
        spoilt = (
            f"{what} is not an id, but what a spreadsheet made of one; format the column as text "
            "(or as a number without decimals), check the ids, and save again"
        )
        yield column.str.contains(_SPOILT), spoilt
    if replaced:
        is_replaced = column.str.contains("\ufffd", literal=True)
        not_utf8 = f"{what} is not UTF-8 text; save the file in UTF-8 (in Excel: as CSV UTF-8)"
        yield is_replaced, not_utf8


def _of_numbers(name: str, what: str, words: Words | None) -> Iterator[_Check]:
    number, problem = pl.col("number"), _NOT_A_NUMBER[name]
    if words is None or name != "relevance":  # otherwise, the document is unjudged
        is_nan = number.is_nan() if name == "score" else False
        yield pl.col("missing") | is_nan, f"{what} is missing or NaN; fill it in, or delete the row"
    if name == "relevance":
        problem += f"; {(words or Words()).advice()}"
    is_wrong = ~number.is_between(0, LARGEST) if name == "rank" else False
    yield (number.is_null() & ~pl.col("missing")) | is_wrong, f"{what} is {{}}, {problem}"


def _check(rows: pl.DataFrame, checks: list[_Check]) -> None:
    """Raise an InputError for the first row that is wrong."""
    if not rows.select(pl.any_horizontal(False, *(wrong.any() for wrong, _ in checks))).item():
        return
    for is_wrong, problem in checks:
        for row in rows.filter(is_wrong).iter_rows(named=True):
            found = row.get("found")
            shown = quoted(found) if isinstance(found, str) else str(found)
            where = [f"{name} {quoted(row[key])}" for key, name in _IDS.items() if row.get(key)]
            shown_where = f"{', '.join(where)}: " if where else ""
            raise InputError(f"{shown_where}{problem.replace('{}', shown)}")
