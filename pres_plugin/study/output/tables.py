"""One type of table for all results: a polars frame whose columns know how to be shown.

What makes a column states what it contains: :func:`text`, :func:`measure_names`, :data:`score`,
:func:`rank`, :data:`count`, :data:`p_value`, :data:`percent` or :func:`estimate`. The terminal, the
page and notebooks format it accordingly; files contain its plain values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from pres_plugin.escaping import in_table, in_tsv
from pres_plugin.kernel.topics import Floats
from pres_plugin.study.output import words
from pres_plugin.study.scoring import has_direction

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import ArrayLike

#: What a cell without a value shows.
NONE = "–"

# The number of rows to write into a file at a time.
_CHUNK = 100_000


class Column(NamedTuple):
    """The values of a column, how to write one with some decimals, and its heading, if any."""

    values: pl.Series
    write: Callable[[Any, int], str]
    heading: str | None


@dataclass(frozen=True)
class Kind:
    """A kind of numbers: call it with the values and a heading to make a column."""

    write: Callable[[Any, int], str]
    dtype: type[pl.DataType] = pl.Float64

    def __call__(self, values: Any, heading: str | None = None) -> Column:
        """Return a column of numbers; None is a missing value."""
        return Column(pl.Series(values, dtype=self.dtype, strict=False), self.write, heading)


def _estimate(value: dict[str, float], decimals: int) -> str:
    number, low, high = (words.decimal(each, decimals) for each in value.values())
    return number if math.isnan(value["low"]) else f"{number} [{low}, {high}]"


#: Scores, correlations or differences, with all decimals of the table.
score: Kind = Kind(words.decimal)

#: Whole numbers.
count: Kind = Kind(lambda value, _: str(value), pl.Int64)

#: P-values; one that would look like 0 is shown as less than a number.
p_value: Kind = Kind(words.p_value)

#: Fractions, which are shown in percent.
percent: Kind = Kind(lambda value, _: words.percent(value))


def text(
    values: Sequence[str], heading: str | None = None, which: ArrayLike | None = None
) -> Column:
    """Return a column of names or sentences, or of those at the indices `which`."""
    # File names may contain bytes that UTF-8 cannot write.
    encodable = [value.encode(errors="backslashreplace").decode() for value in values]
    series = pl.Series(encodable, dtype=pl.String)
    if which is not None:  # polars repeats names faster than Python
        series = series[np.asarray(which, dtype=np.intp)]
    return Column(series, lambda value, _: in_table(value), heading)


def measure_names(
    values: Sequence[str], heading: str | None = None, which: ArrayLike | None = None
) -> Column:
    """Return a column of measures, or of those at the indices `which`; tables show their labels."""
    shown = words.labels(values)
    column = text(values, heading, which)
    return column._replace(write=lambda value, _: in_table(shown.get(value, value)))


def rank(values: ArrayLike, heading: str | None = None) -> Column:
    """Return a column of ranks, or of means of ranks or counts, with at most one decimal."""
    ranks = score(values).values
    most = int((ranks != ranks.round()).any())
    return Column(ranks, lambda value, decimals: words.decimal(value, min(decimals, most)), heading)


def estimate(
    values: ArrayLike, low: ArrayLike, high: ArrayLike, heading: str | None = None
) -> Column:
    """Return a column of scores with the bounds of their intervals, which may be NaN."""
    parts = {"value": values, "low": low, "high": high}
    columns = {name: score(part).values for name, part in parts.items()}
    return Column(pl.DataFrame(columns).to_struct(), _estimate, heading)


def of_measure(measure: str, values: ArrayLike, heading: str | None = None) -> Column:
    """Return a column of values of a measure: ranks or counts if it has no better direction."""
    return (score if has_direction(measure) else rank)(values, heading)


def by_measure(measures: Sequence[str], values: Floats) -> dict[str, Column]:
    """Return one column per measure, which is the last axis of `values`, under its label."""
    columns = map(
        of_measure, measures, values.reshape(-1, len(measures)).T, words.labels(measures).values()
    )
    return dict(zip(measures, columns, strict=True))


class Table:
    """Columns of the same length, by name.

    Parameters
    ----------
    columns : mapping of str to Column
        The columns, each made by a function or a kind of this module.

    Examples
    --------
    >>> from pres_plugin.study.output.tables import Table, p_value, score, text
    >>> table = Table({"run": text(["a", "b"]), "AP": score([0.5, 1]), "p": p_value([1, 1e-9])})
    >>> print(table.printed(2))
    run      AP      p
    -----  ----  -----
    a      0.50   1.00
    b      1.00  <0.01
    """

    def __init__(self, columns: Mapping[str, Column]) -> None:
        #: The columns, by name.
        self.columns: dict[str, Column] = dict(columns)
        #: The values.
        self.frame: pl.DataFrame = pl.DataFrame(
            {name: column.values for name, column in columns.items()}
        )

    @classmethod
    def of_frame(
        cls,
        frame: Mapping[str, Any] | pl.DataFrame | pd.DataFrame,
        headings: Mapping[str, str] | None = None,
        /,
        *,
        measures: Sequence[str] = (),
        **write: Callable[[Any, int], str],
    ) -> Table:
        """Return a table of a dataframe, or of arrays by name.

        Importing pandas takes longer than scoring most runs, so what a command prints is made of
        arrays; :meth:`pandas` makes a dataframe when the user asks for it.

        Parameters
        ----------
        frame : mapping of str to array_like, or dataframe
            The values of each column. None is a missing value. Numbers are shown as scores if they
            are floats, and otherwise as whole numbers.
        headings : mapping of str to str, optional
            The headings of columns, where they differ from the name.
        measures : sequence of str
            The measures that have a column of that name. Its heading is a label, and values
            without a better direction are shown as ranks.
        **write : callable
            How to write the values of columns, such as `as_percent`, given a value and the number
            of decimals.

        Examples
        --------
        >>> from pres_plugin.study.output.tables import Table, as_percent
        >>> values = {"kept": [0.2, 0.8], "tau": [0.5, 1]}
        >>> print(Table.of_frame(values, {"tau": "lowest τ"}, kept=as_percent).printed(2))
          kept    lowest τ
        ------  ----------
          20 %        0.50
          80 %        1.00
        """
        given = dict(headings or {}) | words.labels(measures)
        columns = {}
        for name in map(str, frame):
            values, heading = column(frame[name]), given.get(name)
            if name in measures and not has_direction(name):
                columns[name] = rank(values, heading)
            else:
                columns[name] = Column(values, write.get(name) or _plain(values), heading)
        return cls(columns)

    def __repr__(self) -> str:
        return repr(self.frame)

    def __len__(self) -> int:
        return self.frame.height

    def __getitem__(self, name: str) -> pl.Series:
        return self.frame[name]

    def rows(self, which: Any) -> Table:
        """Return the rows in a slice, or those at some positions."""
        return Table({n: c._replace(values=c.values[which]) for n, c in self.columns.items()})

    def without(self, *names: str) -> Table:
        """Return the table without some columns."""
        return Table({name: each for name, each in self.columns.items() if name not in names})

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

    def texts(self, decimals: int = 4) -> list[list[str]]:
        """Return the values of each column as text."""
        return [
            [
                NONE if each is None or each != each else column.write(each, decimals)
                for each in column.values
            ]
            for column in self.columns.values()
        ]

    @property
    def headings(self) -> list[str]:
        """The headings of the columns, in words."""
        return [in_table(each.heading or name) for name, each in self.columns.items()]

    @property
    def are_numbers(self) -> list[bool]:
        """Whether each column contains numbers, which are aligned to the right."""
        return [dtype != pl.String for dtype in self.frame.dtypes]

    def printed(self, decimals: int = 4) -> str:
        """Return the table as plain text."""
        from tabulate import tabulate

        return tabulate(
            list(zip(*self.texts(decimals), strict=True)),
            headers=self.headings,
            disable_numparse=True,  # keep names and decimals as formatted
            colalign=["right" if number else "left" for number in self.are_numbers]
            if len(self)
            else None,
        )

    def tsv(self) -> Iterator[str]:
        """Yield the table as TSV, many rows at a time; each record is one line, without quotes.

        Names are escaped. Missing values and NaN are empty.
        """
        rows = self.frame.with_columns(
            pl.selectors.float().fill_nan(None), pl.selectors.string().map_batches(_escaped)
        )
        yield "\t".join(map(in_tsv, rows.columns)) + "\n"
        for chunk in rows.iter_slices(_CHUNK):
            yield chunk.write_csv(separator="\t", quote_style="never", include_header=False)

    def json_records(self) -> Iterator[str]:
        """Yield the rows as JSON objects, one per line, many rows at a time.

        Missing values and numbers that are not finite become null.
        """
        between = "\n"
        for chunk in self.frame.iter_slices(_CHUNK):
            # Line breaks in texts are escaped, so each one ends a record.
            yield between + chunk.write_ndjson().rstrip("\n").replace("\n", ",\n")
            between = ",\n"


def numbers(measure: str, values: ArrayLike, decimals: int = words.DECIMALS) -> list[str]:
    """Return the values of a measure as in tables; NaN becomes a dash."""
    return Table({"value": of_measure(measure, values)}).texts(decimals)[0]


#: How to write p-values: one that would look like 0 is less than a number.
as_p_value: Callable[[Any, int], str] = words.p_value


def as_percent(value: float, _decimals: int = 0) -> str:
    """Write a fraction in percent."""
    return words.percent(value)


def as_measure(measures: Sequence[str]) -> Callable[[Any, int], str]:
    """Return how to write the names of measures: as labels."""
    shown = words.labels(measures)
    return lambda value, _: in_table(shown[value])


def column(values: Any) -> pl.Series:
    """Return the values of a column; bytes of file names that UTF-8 cannot write are escaped."""
    if isinstance(values, pl.Series):
        return values
    array = np.asarray(values)
    if array.dtype.kind not in "OU":
        return pl.Series(array)
    try:
        return pl.Series(array.tolist(), strict=False)
    except UnicodeEncodeError:
        encoded = (value.encode(errors="backslashreplace") for value in array.tolist())
        return pl.Series([each.decode() for each in encoded], dtype=pl.String)


def _plain(values: pl.Series) -> Callable[[Any, int], str]:
    """Return how to write the values of a column, unless it is said."""
    if values.dtype == pl.String:
        return lambda value, _: in_table(value)
    if values.dtype.is_float():
        return words.decimal
    return _estimate if values.dtype == pl.Struct else lambda value, _: str(value)


def _escaped(names: pl.Series) -> pl.Series:
    return names.replace({name: in_tsv(name) for name in names.unique()})
