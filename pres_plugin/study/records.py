"""Write tables as TSV and JSON with polars, which is about ten times as fast as pandas."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from pres_plugin.escaping import in_tsv
from pres_plugin.study.cells import is_numeric
from pres_plugin.study.columns import Column, Columns, columns_of

if TYPE_CHECKING:
    import pandas as pd

# The number of rows to write at a time.
_CHUNK = 100_000


def tsv(frame: Columns | pd.DataFrame) -> Iterator[str]:
    """Yield a table as TSV, many rows at a time; each record is one line, without quotes.

    Names are escaped. Missing values and NaN are empty.
    """
    rows = _in_polars(frame).with_columns(pl.selectors.float().fill_nan(None))
    names = {name: in_tsv(name) for name in rows.columns}
    rows = rows.select(_escaped(column) for column in rows).rename(names)
    for number, chunk in enumerate(rows.iter_slices(_CHUNK)):
        yield chunk.write_csv(separator="\t", quote_style="never", include_header=number == 0)
    if rows.is_empty():
        yield "\t".join(names.values()) + "\n"


def json_records(frame: Columns | pd.DataFrame) -> Iterator[str]:
    """Yield the rows of a table as JSON objects, one per line, many rows at a time.

    Missing values and numbers that are not finite become null.
    """
    between = "\n"
    for chunk in _in_polars(frame).iter_slices(_CHUNK):
        text = io.BytesIO()
        chunk.write_ndjson(text)
        # Line breaks in texts are escaped, so each one ends a record.
        yield between + text.getvalue().decode().rstrip("\n").replace("\n", ",\n")
        between = ",\n"


def _escaped(column: pl.Series) -> pl.Series:
    if column.dtype != pl.String:
        return column
    names = {name: in_tsv(name) for name in column.unique().drop_nulls().to_list()}
    return column.replace({name: text for name, text in names.items() if name != text})


def _in_polars(frame: Columns | pd.DataFrame) -> pl.DataFrame:
    return pl.DataFrame({str(column.name): _values(column) for column in columns_of(frame)})


def _values(column: Column) -> Any:
    if is_numeric(column):
        return np.asarray(column.values)
    values = column.tolist()
    try:
        return pl.Series(values, strict=False)
    except UnicodeEncodeError:  # a surrogate, which no encoding can write
        return pl.Series([_encodable(value) for value in values], strict=False)


def _encodable(value: Any) -> Any:
    return value.encode(errors="backslashreplace").decode() if isinstance(value, str) else value
