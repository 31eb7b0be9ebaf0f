"""The dataframe libraries under test, but for Spark, which needs a session.

Dask and Ibis, which take long to import, are imported when they are first used.
"""

import warnings
from dataclasses import dataclass
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

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
    error : type
        Of what is raised for a wrong frame, before there are rows.
    """

    name: str
    frame: Any
    rows: Any
    error: type = InputError

    def __str__(self):
        return self.name


def records(frame):
    return frame.to_dict("records")


def in_dask(table):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from dask.dataframe import from_pandas
    return from_pandas(table.to_pandas(), npartitions=2)


def in_ibis(table):
    import ibis

    return ibis.memtable(table)


PANDAS = Library("pandas", pa.Table.to_pandas, records)
ON_ARROW = Library("pandas on Arrow", lambda t: t.to_pandas(types_mapper=pd.ArrowDtype), records)
POLARS = Library("polars", pl.from_arrow, pl.DataFrame.to_dicts)
LAZY = Library("polars, lazy", lambda t: pl.from_arrow(t).lazy(), lambda f: f.collect().to_dicts())
PYARROW = Library("PyArrow", lambda t: t, pa.Table.to_pylist)
DASK = Library("Dask", in_dask, lambda f: records(f.compute()))


# Not the default connection, and one that finds ids equal that differ in case.
WITHOUT_CASE = duckdb.connect()
WITHOUT_CASE.execute("SET default_collation = 'nocase'")
DUCKDB = Library(
    "DuckDB", WITHOUT_CASE.from_arrow, lambda found: found.to_arrow_table().to_pylist()
)
IBIS = Library("Ibis", in_ibis, lambda table: table.to_pyarrow().to_pylist())

#: What Spark writes before an error that a worker raises, as a regular expression.
OF_SPARK = r"(\s*An exception was thrown from the Python worker(?s:.*)\npres_plugin\.InputError: )?"

#: Libraries whose rows have an order.
ORDERED = [PANDAS, ON_ARROW, POLARS, LAZY, PYARROW, DASK]
LIBRARIES = [*ORDERED, DUCKDB, IBIS]
#: Libraries that are tested by .ci/run, or only before a release.
MARKS = dict.fromkeys([LAZY.name, PYARROW.name, DUCKDB.name, IBIS.name], pytest.mark.ci)
MARKS |= dict.fromkeys([ON_ARROW.name, DASK.name], pytest.mark.release)
