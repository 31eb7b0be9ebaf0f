"""One module per dataframe library, with the operations in which it differs from narwhals."""

from __future__ import annotations

from importlib import import_module

import narwhals.stable.v2 as nw

from pres_plugin.frames.engines.base import Engine, Frame

# Maps narwhals' name of each library to the module and class of its engine.
_ENGINES = {
    "polars": "polars.PolarsEngine",
    "duckdb": "duckdb.DuckDBEngine",
    "ibis": "ibis.IbisEngine",
    "pyspark": "spark.SparkEngine",
    "pyspark[connect]": "spark_connect.SparkConnectEngine",
}


def cannot_rank(name: str) -> TypeError:
    """Return the error for a library that lacks an operation that ranking needs."""
    return TypeError(
        f"{name} frames cannot be scored: {name} lacks an operation that ranking needs (Dask, "
        "for example, has no ordered window functions); call compute() on them and score the "
        "result, or use DuckDB or Spark"
    )


def engine_of(frame: Frame) -> Engine:
    """Return the engine that scores a frame: polars for all eager frames, else its library's.

    Raise a TypeError if the library is not supported.
    """
    name = "polars" if isinstance(frame, nw.DataFrame) else frame.implementation.value
    if name not in _ENGINES:
        raise cannot_rank(name)
    module, _, kind = _ENGINES[name].partition(".")
    engine: Engine = getattr(import_module(f"{__name__}.{module}"), kind)()
    return engine
