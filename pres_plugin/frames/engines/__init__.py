"""One module per dataframe library, with the steps in which it differs from the others."""

from __future__ import annotations

from importlib import import_module

from pres_plugin.frames.engines.base import Engine, Frame

__all__ = ["Engine", "Frame", "cannot_rank", "engine_of"]

# Maps narwhals' name of each library to the module and class of its engine.
_ENGINES = {
    "pandas": "pandas.PandasEngine",
    "modin": "pandas.PandasEngine",
    "cudf": "pandas.PandasEngine",
    "polars": "polars.PolarsEngine",
    "pyarrow": "pyarrow.PyArrowEngine",
    "duckdb": "duckdb.DuckDBEngine",
    "ibis": "ibis.IbisEngine",
    "pyspark": "spark.SparkEngine",
    "pyspark[connect]": "spark.SparkEngine",
}


def cannot_rank(name: str) -> TypeError:
    """Return the error to raise for a library that cannot do every step of ranking."""
    return TypeError(
        f"frames of {name} cannot be scored: not every step of ranking can be done with them "
        "(Dask, for one, has no ordered windows); call compute() on them and score the "
        "result, or score with DuckDB or Spark"
    )


def engine_of(frame: Frame) -> Engine:
    """Return the engine of the frame's library; raise a TypeError if it is not supported."""
    name = frame.implementation.value
    if name not in _ENGINES:
        raise cannot_rank(name)
    module, _, kind = _ENGINES[name].partition(".")
    engine: Engine = getattr(import_module(f"{__name__}.{module}"), kind)()
    return engine
