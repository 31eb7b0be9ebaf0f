"""Check the values of runs and qrels in tables of polars."""

from __future__ import annotations

import polars as pl

from pres_plugin.frames.columns import Names
from pres_plugin.measures.parameters import LARGEST, LARGEST_IN_FLOATS
from pres_plugin.messages import InputError

#: The columns of ids, which are strings.
IDS = ("query_id", "doc_id")
# What the values of a column are, and how to get them.
_EXPECTED = {
    **dict.fromkeys(
        IDS, "ids are strings, as in trec_eval and ir-measures, so cast the column to strings"
    ),
    "score": "scores are numbers, so cast the column to floats",
    "rank": "ranks are whole numbers, so cast the column to integers",
    "relevance": "relevance is a whole number, so cast the column to integers",
}
_BOUNDS = {"rank": (0, LARGEST), "relevance": (-(2**63), 2**63 - 1)}


def wrong_type(
    what: str, name: str, column: str, dtype: object, reason: object = None
) -> InputError:
    """Return the error for a column of a wrong type: ours is called `name`, the user's `column`."""
    expected = _EXPECTED.get(name, "polars cannot compare them, so cast the column to strings")
    because = f" ({reason})" if reason else ""
    return InputError(f"{what}: column '{column}' contains {dtype}{because}; {expected}")


def checked(rows: pl.DataFrame, what: str, names: Names) -> pl.DataFrame:
    """Return the columns of a run or of qrels with ids as strings, and other values as numbers.

    `names` maps the names of the columns to the user's. Raise an InputError for a wrong type or
    value.
    """
    rows = rows.select(_of_type(rows[name], what, column) for name, column in names.items())
    for name, column in names.items():
        for row in rows.filter(rows[name].is_null()).head(1).iter_rows(named=True):
            raise InputError(f"{what}: {_where(row)}: null or NaN in column '{column}'")
        if name in _BOUNDS:
            rows = rows.with_columns(_whole_numbers(rows, what, name))
    return rows


def _of_type(values: pl.Series, what: str, column: str) -> pl.Series:
    is_text = values.dtype in (pl.String, pl.Categorical, pl.Enum)
    is_id = values.name in IDS
    if values.dtype == pl.Null or not len(values):
        # Libraries cannot infer the types of these columns.
        return pl.Series(values.name, [None] * len(values), pl.String if is_id else pl.Int64)
    if values.name in _EXPECTED and not (is_text if is_id else values.dtype.is_numeric()):
        raise wrong_type(what, values.name, column, values.dtype)
    if values.name == "score":
        return values.cast(pl.Float64).fill_nan(None)
    return values.cast(pl.String) if is_text else values


def _where(row: dict[str, object]) -> str:
    return f"topic '{row['query_id']}', document '{row['doc_id']}'"


def _whole_numbers(rows: pl.DataFrame, what: str, name: str) -> pl.Series:
    """Return numbers as 64-bit integers; raise if one of them is not whole or out of range."""
    numbers, (least, most) = rows[name], _BOUNDS[name]
    if numbers.dtype.is_float():
        # pandas turns whole numbers into floats if one is missing.
        least, most = max(least, -LARGEST_IN_FLOATS), min(most, LARGEST_IN_FLOATS)
    whole = numbers.cast(pl.Int64, strict=False)
    is_right = (whole == numbers) & whole.is_between(least, most)
    for row in rows.filter(~is_right.fill_null(False)).head(1).iter_rows(named=True):
        raise InputError(
            f"{what}: {_where(row)}: the {name} is {row[name]}, which is not a whole number from "
            f"{least} to {most}"
        )
    return whole
