"""Columns of PyArrow, which share their memory with polars."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from pres_plugin.frames.takeover.base import Column, Source


class PyArrowSource(Source):
    """Converts columns of PyArrow's tables."""

    usual_text: Any = pa.string()

    def has_null_type(self, column: Column) -> bool:
        """Return whether the column is of type null."""
        return bool(pa.types.is_null(column.to_native().type))

    def categories(self, column: Column) -> Column | None:
        """Return an empty column of the type that a dictionary contains."""
        kind = column.to_native().type
        if not pa.types.is_dictionary(kind):
            return None
        values: Column = nw.from_native(pa.chunked_array([], kind.value_type), series_only=True)
        return values

    def name_of_type(self, column: Column) -> str:
        """Return the name of the Arrow type."""
        return str(column.to_native().type)

    def plain_text(self, column: Column) -> Column:
        """Convert to strings; Arrow cannot sort its type string_view."""
        if column.dtype != nw.String:
            column = column.cast(nw.String)
        native = column.to_native()
        if native.type in (pa.string(), pa.large_string()):
            return column
        return nw.from_native(native.cast(pa.large_string()), series_only=True)

    def text(self, column: Column) -> pl.Series:
        """Convert strings to polars."""
        return pl.Series(column.to_native())

    def numbers(self, column: Column) -> pl.Series:
        """Convert numbers to polars."""
        return numbers_of(column.to_native())

    def numbered(self, column: Column) -> tuple[pl.Series, Any]:
        """Assign a number to each distinct value, but none to null."""
        if column.is_empty():
            # Arrow cannot encode or sort all types.
            return pl.Series([], dtype=pl.Int64), column.to_native()
        encoded = column.to_native().combine_chunks().dictionary_encode()
        order = pc.array_sort_indices(encoded.dictionary, null_placement="at_start")
        numbers = pa.array(np.argsort(order.to_numpy()))
        return pl.Series(numbers.take(encoded.indices)), encoded.dictionary.take(order)

    def text_type(self, column: Column) -> Any:
        """Return the type."""
        return column.to_native().type

    def common_type(self, of_run: Any, of_qrels: Any) -> Any:
        """Return the type of the ids in the run."""
        return of_run

    def as_text(self, strings: pl.Series, kind: Any) -> Any:
        """Return an array of strings."""
        return strings.to_arrow().cast(kind)

    def as_numbers(self, numbers: pl.Series) -> Any:
        """Return an array of numbers."""
        return numbers.to_arrow()

    def pick(self, values: Any, numbers: pl.Series) -> Any:
        """Return an array of the values."""
        return values.take(numbers.to_arrow())

    def frame(self, columns: Mapping[str, Any]) -> Any:
        """Return a Table."""
        return pa.table(dict(columns))


def numbers_of(array: pa.ChunkedArray) -> pl.Series:
    """Convert numbers to polars; types that polars may lack are rounded to 64-bit floats."""
    kind = array.type
    if not (pa.types.is_integer(kind) or pa.types.is_float32(kind)):
        array = array.cast(pa.float64(), safe=False)
    return pl.Series(array)
