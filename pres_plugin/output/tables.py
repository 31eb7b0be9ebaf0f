"""One type of table for all results: a polars frame, and how to show each of its columns.

The terminal, the page and notebooks show words and rounded numbers; files contain plain values.
Importing pandas takes longer than scoring most runs, so only users get its dataframes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from pres_plugin.escaping import in_table, in_tsv
from pres_plugin.output import words
from pres_plugin.scoring import direction

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import ArrayLike, NDArray

#: How to write a value with some decimals.
Write = Callable[[Any, int], str]

#: What a cell without a value shows.
NONE = "–"

# The number of rows to write into a file at a time.
_CHUNK = 100_000


class Table:
    """Columns of the same length, by name.

    .. versionadded:: 0.2.0

    Parameters
    ----------
    values : mapping of str to array_like, or pandas.DataFrame
        The values of each column. None is a missing value. Numbers are shown as scores if they
        are floats, and otherwise as whole numbers.
    headings : mapping of str to str, optional
        The headings of columns, where they differ from the name.
    measures : sequence of str
        The measures that have a column of that name. Its heading is a label. If high
        values are not better, they are ranks or counts, or means with at most one decimal.
    **write : callable
        How to write the values of some columns, such as `as_percent`.

    Attributes
    ----------
    frame : polars.DataFrame
        The values.

    Examples
    --------
    >>> from pres_plugin.output.tables import Table, as_percent
    >>> values = {"kept": [0.2, 0.8], "tau": [0.5, 1]}
    >>> print(Table(values, {"tau": "lowest τ"}, kept=as_percent).printed(2))
      kept    lowest τ
    ------  ----------
      20 %        0.50
      80 %        1.00
    """

    def __init__(
        self,
        values: Mapping[str, Any] | pd.DataFrame,
        headings: Mapping[str, str] | None = None,
        /,
        *,
        measures: Sequence[str] = (),
        **write: Write,
    ) -> None:
        self.frame: pl.DataFrame = pl.DataFrame(
            {str(name): column(values[name]) for name in values}
        )
        self._headings = {**(headings or {}), **words.labels(measures)}
        self._write: dict[str, Write] = {**{each: as_value(each) for each in measures}, **write}

    def __repr__(self) -> str:
        return repr(self.frame)

    def __len__(self) -> int:
        return self.frame.height

    def __getitem__(self, name: str) -> pl.Series:
        return self.frame[name]

    def with_frame(self, frame: pl.DataFrame) -> Table:
        """Return a table with another frame, whose columns are shown as those of this one."""
        table = copy(self)
        table.frame = frame
        return table

    def rows(self, which: Any) -> Table:
        """Return the rows in a slice, or those at some positions."""
        return self.with_frame(self.frame[which])

    def without(self, *names: str) -> Table:
        """Return the table without some columns."""
        return self.with_frame(self.frame.drop(names, strict=False))

    def pandas(self) -> pd.DataFrame:
        """Return a dataframe."""
        import pandas as pd

        return pd.DataFrame(
            {
                # As objects, because pandas would turn None among whole numbers into NaN.
                each.name: pd.Series(each.to_list(), dtype=object if each.null_count() else None)
                for each in self.frame
            }
        )

    def texts(self, decimals: int = words.DECIMALS) -> list[list[str]]:
        """Return the values of each column as text."""
        texts = []
        for values in self.frame:
            write = self._write.get(values.name) or _writing(values.dtype)
            if values.dtype == pl.Struct:
                write = partial(_estimate, write)
            texts.append(
                [NONE if each is None or each != each else write(each, decimals) for each in values]
            )
        return texts

    @property
    def headings(self) -> list[str]:
        """The headings of the columns, in words."""
        return [in_table(self._headings.get(name, name)) for name in self.frame.columns]

    @property
    def are_numbers(self) -> list[bool]:
        """Whether each column contains numbers, which are aligned to the right."""
        return [dtype != pl.String for dtype in self.frame.dtypes]

    def printed(self, decimals: int = words.DECIMALS) -> str:
        """Return the table as plain text."""
        from tabulate import tabulate

        sides = ["right" if number else "left" for number in self.are_numbers]
        return str(
            tabulate(
                list(zip(*self.texts(decimals), strict=True)),
                headers=self.headings,
                disable_numparse=True,  # keep names and decimals as formatted
                colalign=sides if len(self) else None,
            )
        )

    def write_tsv(self, path: Path | None = None) -> str | None:
        """Write the table as TSV, or return it; each record is one line, without quotes.

        Names are escaped. Missing values and NaN are empty.
        """
        rows = self.frame.with_columns(
            pl.selectors.float().fill_nan(None),
            pl.selectors.string().map_elements(in_tsv, pl.String),
        )
        return rows.rename(in_tsv).write_csv(path, separator="\t", quote_style="never")

    def json_records(self) -> Iterator[str]:
        """Yield the rows as JSON objects, one per line, many rows at a time.

        Missing values and numbers that are not finite become null.
        """
        between = "\n"
        for chunk in self.frame.iter_slices(_CHUNK):
            # Line breaks in texts are escaped, so each one ends a record.
            yield between + chunk.write_ndjson().rstrip("\n").replace("\n", ",\n")
            between = ",\n"


def column(values: Any) -> pl.Series:
    """Return the values of a column; bytes of file names that UTF-8 cannot write are escaped."""
    if not isinstance(values, pl.Series | list | tuple):
        values = np.asarray(values)
        values = values.tolist() if values.dtype.kind in "OU" else values
    try:
        return pl.Series(values, strict=False)
    except UnicodeEncodeError:
        return pl.Series([each.encode(errors="backslashreplace").decode() for each in values])


def by_measure(measures: Sequence[str], values: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """Return one column per measure, which are the last axis of an array."""
    return dict(zip(measures, values.reshape(-1, len(measures)).T, strict=True))


def bounded(values: ArrayLike, low: ArrayLike, high: ArrayLike) -> pl.Series:
    """Return the values of a column with the bounds of their intervals, which may be NaN.

    .. versionadded:: 0.2.0
    """
    return pl.DataFrame({"value": values, "low": low, "high": high}, strict=False).to_struct()


#: How to write p-values: one that would look like 0 is less than a number.
as_p_value: Write = words.p_value


def as_percent(value: float, _decimals: int = 0) -> str:
    """Write a fraction in percent.

    .. versionadded:: 0.2.0
    """
    return words.percent(value)


def as_measure(measures: Sequence[str]) -> Write:
    """Return how to write the names of measures: as labels.

    .. versionadded:: 0.2.0
    """
    shown = words.labels(measures)
    return lambda value, _: in_table(shown[value])


def as_value(measure: str) -> Write:
    """Return how to write values of a measure: as ranks or counts if high ones are not better."""
    return words.decimal if direction(measure) > 0 else _rank


def _rank(value: float, decimals: int) -> str:
    """Write a rank, a count, or a mean of these, which needs one decimal at most."""
    return words.decimal(value, min(decimals, int(value % 1 > 0)))


def _writing(dtype: pl.DataType) -> Write:
    """Return how to write the values of a column if nothing is said about them."""
    if dtype == pl.String:
        return lambda value, _: in_table(value)
    if dtype.is_float() or dtype == pl.Struct:
        return words.decimal
    return lambda value, _: str(value)


def _estimate(write: Write, value: dict[str, float], decimals: int) -> str:
    number, low, high = (write(each, decimals) for each in value.values())
    return number if math.isnan(value["low"]) else f"{number} [{low}, {high}]"
