"""The dataframe libraries under test, but for Spark, which needs a session."""

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
from frame_contract import Library

from pres_plugin.frames import FrameError


def records(frame):
    return frame.to_dict("records")


PANDAS = Library("pandas", pa.Table.to_pandas, records, pd.DataFrame)
ON_ARROW = Library(
    "pandas on Arrow",
    lambda t: t.to_pandas(types_mapper=pd.ArrowDtype),
    records,
    pd.DataFrame,
)
POLARS = Library("polars", pl.from_arrow, pl.DataFrame.to_dicts, pl.DataFrame)
PYARROW = Library("PyArrow", lambda t: t, pa.Table.to_pylist, pa.Table)
LAZY = Library(
    "polars, lazy",
    lambda t: pl.from_arrow(t).lazy(),
    lambda f: f.collect().to_dicts(),
    pl.LazyFrame,
    (FrameError, pl.exceptions.ComputeError),  # which wraps it in older releases
    lambda f: f.select(pl.len()).collect().item(),
)
IN_MEMORY = [PANDAS, ON_ARROW, POLARS, PYARROW, LAZY]
HAS_NULL_TYPE = not duckdb.__version__.startswith("1.")


def in_duckdb(connection, name="DuckDB"):
    return Library(
        name,
        connection.from_arrow,
        lambda relation: relation.to_arrow_table().to_pylist(),
        duckdb.DuckDBPyRelation,
        duckdb.Error,
        lambda relation: relation.aggregate("count(*)").fetchall(),
        null_type=HAS_NULL_TYPE,
    )


def in_ibis(frame, name, null_type=HAS_NULL_TYPE):
    import ibis

    return Library(
        name,
        frame,
        lambda table: table.to_pyarrow().to_pylist(),
        ibis.Table,
        duckdb.Error,
        lambda table: table.count().execute(),
        null_type=null_type,
    )
