"""The dataframe libraries under test, but for Spark, which needs a session."""

from dataclasses import dataclass
from typing import Any

import duckdb
import ibis
import pandas as pd
import polars as pl
import pyarrow as pa

from pres_plugin import InputError


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
    error : type or tuple of types
        Of what executing a lazy frame raises; None of eager libraries.
    count : callable
        From a lazy frame to the number of its rows; None of eager libraries.
    """

    name: str
    frame: Any
    rows: Any
    kind: type
    error: Any = None
    count: Any = None


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
    (InputError, pl.exceptions.ComputeError),  # which wraps it in older releases
    lambda f: f.select(pl.len()).collect().item(),
)
IN_MEMORY = [PANDAS, ON_ARROW, POLARS, PYARROW, LAZY]


def in_duckdb(connection, name="DuckDB"):
    return Library(
        name,
        connection.from_arrow,
        lambda relation: relation.to_arrow_table().to_pylist(),
        duckdb.DuckDBPyRelation,
        duckdb.Error,
        lambda relation: relation.aggregate("count(*)").fetchall(),
    )


def in_ibis(frame, name):
    return Library(
        name,
        frame,
        lambda table: table.to_pyarrow().to_pylist(),
        ibis.Table,
        duckdb.Error,
        lambda table: table.count().execute(),
    )


def without_case():
    connection = duckdb.connect()
    connection.execute("SET default_collation = 'nocase'")
    return connection


def in_ibis_without_case():
    connection = without_case()
    tables = ibis.duckdb.from_connection(connection)

    def frame(rows):
        name = ibis.util.gen_name("rows")
        connection.from_arrow(rows).create(name)
        return tables.table(name)

    return in_ibis(frame, "Ibis, no case")


ENGINES = [
    in_duckdb(duckdb.default_connection()),
    in_duckdb(without_case(), "DuckDB, no case"),
    in_ibis(ibis.memtable, "Ibis"),
    in_ibis_without_case(),
]
