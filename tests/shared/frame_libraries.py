"""The dataframe libraries under test, but for Spark, which needs a session."""

import warnings
from dataclasses import dataclass
from typing import Any

import duckdb
import ibis
import pandas as pd
import polars as pl
import pyarrow as pa

from pres_plugin import InputError

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import dask.dataframe as dask


@dataclass(frozen=True)
class Library:
    """A dataframe library under test.

    Attributes
    ----------
    name : str
    frame : callable
        From a PyArrow table to a frame of the library.
    rows : callable
        From such a frame to a list of dicts.
    kind : type
        Of its frames.
    error : type
        Of what is raised for a wrong frame, before there are rows.
    """

    name: str
    frame: Any
    rows: Any
    kind: type
    error: type = InputError

    def __str__(self):
        return self.name


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
LAZY = Library(
    "polars, lazy",
    lambda t: pl.from_arrow(t).lazy(),
    lambda f: f.collect().to_dicts(),
    pl.LazyFrame,
)
PYARROW = Library("PyArrow", lambda t: t, pa.Table.to_pylist, pa.Table)
DASK = Library(
    "Dask",
    lambda t: dask.from_pandas(t.to_pandas(), npartitions=2),
    lambda f: records(f.compute()),
    dask.DataFrame,
)


def in_duckdb(connection):
    return Library(
        "DuckDB",
        connection.from_arrow,
        lambda relation: relation.to_arrow_table().to_pylist(),
        duckdb.DuckDBPyRelation,
    )


# Not the default connection, and one that finds ids equal that differ in case.
WITHOUT_CASE = duckdb.connect()
WITHOUT_CASE.execute("SET default_collation = 'nocase'")
DUCKDB = in_duckdb(WITHOUT_CASE)
IBIS = Library("Ibis", ibis.memtable, lambda table: table.to_pyarrow().to_pylist(), ibis.Table)

#: Libraries whose rows have an order.
ORDERED = [PANDAS, ON_ARROW, POLARS, LAZY, PYARROW, DASK]
LIBRARIES = [*ORDERED, DUCKDB, IBIS]
