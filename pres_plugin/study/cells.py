"""Format the values of tables for terminals, pages and notebooks."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

from tabulate import tabulate

from pres_plugin.escaping import in_table
from pres_plugin.study.columns import Column, Columns, columns_of
from pres_plugin.study.directions import has_direction
from pres_plugin.study.headings import heading
from pres_plugin.study.sentences.words import fixed

if TYPE_CHECKING:
    import pandas as pd
    from typing_extensions import Self

#: What a cell without a value shows.
NONE = "–"

# From this value on, numbers are ranks or counts. A mean of ranks needs one decimal.
_RANKS = 10

# In tables with a column `measure`, the columns with values of that measure.
_OF_MEASURES = frozenset({"mean", "difference", "low", "high"})

# The kinds of numpy's and pandas' types for numbers.
_NUMBERS = "biufc"

# A number with its interval or range, such as 0.6717 [0.5830, 0.7440], or a percentage.
_WITH_RANGE = re.compile(r"-?\d[\d.]*( [\[(].*[\])]| %)")


class Estimate(float):
    """A number with the bounds of its confidence interval, which may be NaN.

    >>> import pandas as pd
    >>> from pres_plugin.study.cells import Estimate, written
    >>> written(pd.Series([Estimate(0.5, 0.25, 0.75)], dtype=object), 2)
    ['0.50 [0.25, 0.75]']
    """

    low: float
    high: float

    def __new__(cls, value: float, low: float, high: float) -> Self:
        """Create the number, which keeps its bounds as attributes."""
        number = super().__new__(cls, value)
        number.low, number.high = low, high
        return number


def written(column: Column | pd.Series, places: int = 4) -> list[str]:
    """Return the values of a column as text.

    Whole numbers get no decimals, and means of ranks get one. Scores get `places` decimals, or
    full precision if `places` is -1, even if every score in the column is 0 or 1. A column named
    after a measure without a direction, such as LastRel, contains ranks or counts. A p-value
    that would look like 0 is written as less than the smallest number with these decimals.

    >>> import pandas as pd
    >>> from pres_plugin.study.cells import written
    >>> written(pd.Series([0.5, 1.0, None])), written(pd.Series([12.0, 7.0, None]))
    (['0.5000', '1.0000', '–'], ['12', '7', '–'])
    """
    return _written(column.tolist(), places, str(column.name))


def _written(values: Sequence[Any], places: int, name: str) -> list[str]:
    places = _decimals(values, places, name)
    least = 10.0**-places if name == "p_value" and places > 0 else 0.0
    return [
        f"<{least:.{places}f}" if least and value < least else _cell(value, places)
        for value in values
    ]


def written_columns(frame: Columns | pd.DataFrame, places: int = 4) -> list[list[str]]:
    """Return the values of each column as text; see :func:`written`.

    If the rows belong to different measures, some with scores and some with ranks, the number of
    decimals is chosen separately for each measure.
    """
    columns = columns_of(frame)
    for column in columns:
        if column.name == "measure":
            rows: dict[Any, list[int]] = {}
            for row, measure in enumerate(column.tolist()):
                rows.setdefault(measure, []).append(row)
            return [_written_by_measure(each, rows, places) for each in columns]
    # Columns that are named by cutoffs contain the scores of one measure, as in Sweep.by_run().
    of_cutoffs = [column for column in columns if isinstance(column.name, Integral)]
    together = [value for column in of_cutoffs for value in column.tolist()]
    measure = frame.measure if isinstance(frame, Columns) else frame.columns.name
    shared = _decimals(together, places, str(measure))
    return [
        [_cell(value, shared) for value in column.tolist()]
        if isinstance(column.name, Integral)
        else written(column, places)
        for column in columns
    ]


def _written_by_measure(column: Column, rows: dict[Any, list[int]], places: int) -> list[str]:
    values = column.tolist()
    texts = [""] * len(values)
    for measure, of_measure in rows.items():
        name = str(measure if column.name in _OF_MEASURES else column.name)
        some = _written([values[row] for row in of_measure], places, name)
        for row, text in zip(of_measure, some, strict=True):
            texts[row] = text
    return texts


def _decimals(values: Sequence[Any], places: int, name: str = "") -> int:
    """Return the number of decimals for all values of a column."""
    numbers = [value for value in values if isinstance(value, float)]
    estimates = [value for value in numbers if isinstance(value, Estimate)]
    bounds = [bound for value in estimates for bound in (value.low, value.high)]
    sizes = [abs(x) for x in (*numbers, *bounds) if math.isfinite(x) and x]
    if not has_direction(name):
        return 0 if all(size.is_integer() for size in sizes) else min(places, 1)
    if not sizes or max(sizes) <= 1:
        return places
    if all(size.is_integer() for size in sizes):
        return 0
    return min(places, 1) if min(sizes) >= 1 and max(sizes) >= _RANKS else places


def _cell(value: Any, places: int) -> str:
    if value is None:
        return NONE
    if isinstance(value, Estimate) and not math.isnan(value.low):
        number, low, high = (_cell(float(x), places) for x in (value, value.low, value.high))
        return f"{number} [{low}, {high}]"
    if isinstance(value, float):
        return NONE if math.isnan(value) else fixed(value, places)
    return in_table(str(value))


def is_numeric(column: Column | pd.Series) -> bool:
    """Return whether all values of a column have a numeric type, in an array or a Series."""
    return column.dtype is not None and column.dtype.kind in _NUMBERS


def has_numbers(column: Column | pd.Series) -> bool:
    """Return whether a column contains numbers, which may have intervals, ranges or dashes."""
    if is_numeric(column):
        return True
    values = [value for value in column.tolist() if value is not None]
    return bool(values) and all(
        _WITH_RANGE.fullmatch(value) if isinstance(value, str) else isinstance(value, Real)
        for value in values
    )


def headings(frame: Columns | pd.DataFrame) -> list[str]:
    """Return the headings of a table's columns, in words."""
    return [in_table(heading(str(name))) for name in frame.columns]


def as_text(frame: Columns | pd.DataFrame, places: int) -> str:
    """Return a table as plain text, with numbers aligned to the right."""
    return tabulate(
        list(zip(*written_columns(frame, places), strict=True)),
        headers=headings(frame),
        disable_numparse=True,
        colalign=["right" if has_numbers(column) else "left" for column in columns_of(frame)]
        if len(frame)
        else None,
    )
