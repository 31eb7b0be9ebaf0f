"""Convert eager frames of other libraries to polars, and convert the results back.

polars scores frames in memory several times as fast as pandas and PyArrow do.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from pres_plugin.frames.columns import ColumnNames, wrong_type
from pres_plugin.frames.engines.base import Frame
from pres_plugin.messages import InputError

# What narwhals, polars and PyArrow raise if they cannot convert a column.
_NOT_CONVERTED = (
    *(TypeError, ValueError, OverflowError, NotImplementedError),
    *(pl.exceptions.PolarsError, pl.exceptions.PanicException),
)


def taken(frame: Frame, what: str, columns: Mapping[str, str]) -> Frame:
    """Return columns as a frame of polars: `columns` maps our names to the user's."""
    taken = {}
    for name, column in columns.items():
        values = frame.get_column(column)
        try:
            taken[name] = _to_polars(values)
        except UnicodeEncodeError as error:
            raise InputError(
                f"{what}: column '{column}' contains {error.object!r}, which cannot be written in "
                "UTF-8; remove the surrogates from the ids"
            ) from None
        except _NOT_CONVERTED as error:
            raise wrong_type(what, name, column, _native_type(values)) from error
    return nw.from_native(pl.DataFrame(taken))


def given_back(run: Frame, qrels: Frame, columns: ColumnNames, result: Frame) -> Any:
    """Return the result as a frame of the library of the run and the qrels.

    Columns have the types that they have in the run, but categories become strings.
    """
    schema = {} if run.is_empty() else run.schema
    types = {
        name: _native_type(run[name])
        for name in (*columns.by, columns.query_id)
        if not isinstance(schema.get(name, nw.Categorical()), nw.Categorical | nw.Enum)
    }
    if run.implementation.is_pyarrow():
        return _to_arrow(result, types)
    if types.get(columns.query_id) != _native_type(qrels[columns.query_id]):
        types.pop(columns.query_id, None)
    # Frames of Modin and cuDF are made from those of pandas.
    return run.implementation.to_native_namespace().DataFrame(_to_pandas(result, types))


def _native_type(column: Any) -> Any:
    native = column.to_native()
    return native.type if column.implementation.is_pyarrow() else native.dtype


def _to_polars(column: Any) -> pl.Series:
    if not _has_pyarrow():
        missing = column.is_null().to_list()
        return pl.Series([None if m else v for v, m in zip(column.to_list(), missing, strict=True)])
    converted: pl.Series = column.to_polars()
    known = nw.from_native(converted, series_only=True).dtype != nw.Unknown
    if not known and converted.dtype != pl.Null:
        raise TypeError(f"polars has no functions for {converted.dtype}")
    return converted


def _to_arrow(result: Frame, types: Mapping[str, Any]) -> Any:
    import pyarrow as pa

    table = result.to_arrow()
    text = {name: pa.string() for name in table.column_names}
    return table.cast(pa.schema({**text, **types, "value": pa.float64()}))


def _to_pandas(result: Frame, types: Mapping[str, Any]) -> Any:
    if _has_pyarrow():
        frame = result.to_pandas()
    else:
        rows = result.to_dict(as_series=False)
        frame = nw.from_dict(rows, backend="pandas").to_native()
    # Python objects get the types that pandas infers from their values.
    return frame.astype({name: dtype for name, dtype in types.items() if str(dtype) != "object"})


def _has_pyarrow() -> bool:
    return find_spec("pyarrow") is not None
