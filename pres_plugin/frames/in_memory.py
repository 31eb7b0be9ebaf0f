"""Score frames of one machine: collect them in polars, and return a frame of their library."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any
from uuid import uuid4

import narwhals.stable.v2 as nw
import polars as pl

from pres_plugin.forked import check_fork
from pres_plugin.frames.columns import Asked, Frame, Names, find
from pres_plugin.frames.tables import checked, score_tables
from pres_plugin.messages import InputError
from pres_plugin.tables.values import wrong_type

# What narwhals, polars and PyArrow raise if they cannot convert a column.
_NOT_CONVERTED = (
    *(TypeError, ValueError, OverflowError, NotImplementedError),
    *(pl.exceptions.PolarsError, pl.exceptions.PanicException),
)

# Columns of an eager library, by our names.
_Columns = Mapping[str, nw.Series[Any]]


def scored(run: Frame, qrels: Frame, asked: Asked) -> Any:
    """Return one row per run, topic and measure, in the library of the run and the qrels."""
    check_fork()
    of_run, rows = collected(run, "run", asked.run)
    _, judged = collected(qrels, "qrels", asked.qrels)
    scores = score_tables(rows, judged, asked).rename(dict(asked.parts))
    native = _in_library(scores, of_run, asked.parts)
    library = run if isinstance(run, nw.LazyFrame) else qrels
    if isinstance(library, nw.DataFrame):
        return native
    if library.implementation.is_duckdb():
        # narwhals would use DuckDB's default connection in place of that of the run.
        connection, view = library.to_native().project("1"), f"pres_plugin_{uuid4().hex}"
        result = connection.query(view, "SELECT * FROM native")
        connection.query(view, f"DROP VIEW IF EXISTS {view}")  # DuckDB 1 has created it
        return result
    return nw.from_native(native).lazy(backend=library.implementation).to_native()


def collected(frame: Frame, what: str, names: Names) -> tuple[_Columns, pl.DataFrame]:
    """Return the columns of a frame in an eager library, and as a checked table of polars."""
    columns, converted = _eager(frame, find(frame, what, names)), []
    for name, column in names.items():
        try:
            converted.append(_to_polars(columns[name]).alias(name))
        except _NOT_CONVERTED as error:
            problem = wrong_type(name, column, _native_type(columns[name]), error)
            raise InputError(f"{what}: {problem}") from error
    return columns, checked(pl.DataFrame(converted), what, names)


def _eager(frame: Frame, found: Names) -> _Columns:
    """Return columns of a frame: of DuckDB and Ibis, as columns of PyArrow."""
    if isinstance(frame, nw.DataFrame):
        return {name: frame.get_column(column) for name, column in found.items()}
    # By position, since some names are patterns, cannot be quoted, or differ only in case.
    at = {name: frame.columns.index(column) for name, column in found.items()}
    if frame.implementation.is_duckdb():
        chosen = (f"#{i + 1} AS {name}" for name, i in at.items())
        frame = nw.from_native(frame.to_native().project(", ".join(chosen)))
    else:
        plain = frame.rename({column: f"_{i}" for i, column in enumerate(frame.columns)})
        frame = plain.select(**{name: nw.col(f"_{i}") for name, i in at.items()})
    columns: _Columns = frame.collect().to_dict(as_series=True)
    return columns


def _to_polars(values: nw.Series[Any]) -> pl.Series:
    if values.implementation.is_pandas_like() and find_spec("pyarrow") is None:
        missing = values.is_null().to_list()
        given = zip(values.to_list(), missing, strict=True)
        return pl.Series([None if is_missing else value for value, is_missing in given])
    converted = values.to_polars()
    known = converted.dtype == pl.Null or nw.from_native(converted, series_only=True).dtype
    if known == nw.Unknown:
        raise TypeError(f"polars has no functions for {converted.dtype}")
    return converted


def _in_library(result: pl.DataFrame, run: _Columns, parts: Names) -> Any:
    """Return the result in the library of the columns of a run.

    Columns have the types that they have in the run, but categories become strings.
    """
    library = run["query_id"].implementation
    if library.is_polars():
        return result
    types = {
        column: _native_type(run[name])
        for name, column in parts.items()
        if len(run[name]) and not isinstance(run[name].dtype, nw.Categorical | nw.Enum)
    }
    if library.is_pyarrow():
        import pyarrow as pa

        text = dict.fromkeys(result.columns, pa.string())
        return result.to_arrow().cast(pa.schema({**text, **types, "value": pa.float64()}))
    values: Any = result.to_dict(as_series=False)
    if find_spec("pyarrow"):
        values = result.to_pandas()
    frame = library.to_native_namespace().DataFrame(values)  # of pandas, Modin or cuDF
    # Python objects get the types that pandas infers from their values.
    return frame.astype({name: dtype for name, dtype in types.items() if str(dtype) != "object"})


def _native_type(column: nw.Series[Any]) -> Any:
    native = column.to_native()
    return native.type if column.implementation.is_pyarrow() else native.dtype
