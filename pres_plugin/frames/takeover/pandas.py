"""Columns of pandas, with several string types and several kinds of missing values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
from numpy.typing import NDArray

from pres_plugin.frames.takeover.base import Column, Source


class PandasSource(Source):
    """Converts columns of pandas. PyArrow is needed only for columns that are stored with it."""

    usual_text: Any = pd.Series([""]).dtype

    def has_null_type(self, column: Column) -> bool:
        """Return whether the column is of Arrow's null type."""
        return str(_arrow_type(column)) == "null"

    def categories(self, column: Column) -> Column | None:
        """Return the categories of pandas, or an empty column of the type in Arrow's dictionary."""
        kind = _arrow_type(column)
        if hasattr(kind, "value_type") and "dictionary" in str(kind):
            values = pd.Series([], dtype=pd.ArrowDtype(kind.value_type))
        elif isinstance(dtype := column.to_native().dtype, pd.CategoricalDtype):
            values = pd.Series(dtype.categories)
        else:
            return None
        found: Column = nw.from_native(values, series_only=True)
        return found

    def name_of_type(self, column: Column) -> str:
        """Return the name of the dtype."""
        return str(column.to_native().dtype)

    def plain_text(self, column: Column) -> Column:
        """Convert to strings; pandas cannot sort Arrow's type string_view."""
        if column.dtype != nw.String:
            column = column.cast(nw.String)
        if str(_arrow_type(column)) == "string_view":
            array = column.to_native().array
            text = type(array)(array.__arrow_array__().cast("large_string"))
            column = nw.from_native(pd.Series(text), series_only=True)
        return column

    def text(self, column: Column) -> pl.Series:
        """Convert strings to polars."""
        native = column.to_native()
        if _in_arrow(native.dtype):
            return pl.Series(native.array.__arrow_array__())
        strings = np.asarray(native.array, dtype=object)
        try:
            return pl.Series(strings, dtype=pl.String)
        except (TypeError, pl.exceptions.ComputeError):
            # polars requires None for missing values, and a list if the first value is missing.
            strings = strings.copy()
            strings[column.is_null().to_numpy()] = None
            return pl.Series(strings.tolist(), dtype=pl.String)

    def numbers(self, column: Column) -> pl.Series:
        """Convert numbers to polars. NaN counts as missing, except in columns stored with Arrow."""
        native = column.to_native()
        if _in_arrow(native.dtype):
            from pres_plugin.frames.takeover.pyarrow import numbers_of

            return numbers_of(native.array.__arrow_array__())
        numpy_type = getattr(native.dtype, "numpy_dtype", native.dtype)
        if numpy_type == np.float16:
            numpy_type = np.dtype(np.float32)
        missing = column.is_null().to_numpy()
        if not missing.any():
            return pl.Series(native.to_numpy(dtype=numpy_type))
        return _without(missing, native.to_numpy(dtype=numpy_type, na_value=0))

    def numbered(self, column: Column) -> tuple[pl.Series, Any]:
        """Assign a number to each distinct value, but none to missing values."""
        numbers, values = pd.factorize(column.to_native(), sort=True)
        return _without(numbers < 0, numbers), values

    def text_type(self, column: Column) -> Any:
        """Return the dtype."""
        return column.to_native().dtype

    def common_type(self, of_run: Any, of_qrels: Any) -> Any:
        """Return the type in both frames, or `object` if it differs between them."""
        return of_run if of_run == of_qrels else np.dtype(object)

    def as_text(self, strings: pl.Series, kind: Any) -> Any:
        """Return an Index of strings; pandas 3 converts Python objects to its own string type."""
        return pd.Index(strings.to_list(), dtype=kind).infer_objects()

    def as_numbers(self, numbers: pl.Series) -> Any:
        """Return a NumPy array."""
        return numbers.to_numpy()

    def pick(self, values: Any, numbers: pl.Series) -> Any:
        """Return an Index of the values; pandas infers the type of objects, as groupby() does."""
        return values.infer_objects().take(numbers.to_numpy())

    def frame(self, columns: Mapping[str, Any]) -> Any:
        """Return a DataFrame."""
        return pd.DataFrame(columns)


def _without(missing: NDArray[np.bool_], numbers: NDArray[Any]) -> pl.Series:
    """Convert numbers to polars, with null for the missing ones."""
    return pl.Series(numbers).set(pl.Series(missing), None)


def _in_arrow(dtype: Any) -> bool:
    """Return whether a column of this type is stored with Arrow."""
    return hasattr(dtype, "pyarrow_dtype") or getattr(dtype, "storage", "").startswith("pyarrow")


def _arrow_type(column: Column) -> Any:
    """Return the Arrow type with which a column is declared, else None."""
    return getattr(column.to_native().dtype, "pyarrow_dtype", None)
