"""One module per dataframe library, with only the steps in which it differs from the rest."""

from __future__ import annotations

from importlib import import_module

import narwhals.stable.v2 as nw

from pres_plugin.frames.engines.base import Engine, Frame

__all__ = ["Engine", "Frame", "cannot_rank", "engine_of"]

# The module and class for each library, by narwhals' name of the library.
_ENGINES = {
    "pandas": ("pandas", "PandasEngine"),
    "modin": ("pandas", "PandasEngine"),
    "cudf": ("pandas", "PandasEngine"),
    "polars": ("polars", "PolarsEngine"),
    "pyarrow": ("pyarrow", "PyArrowEngine"),
    "duckdb": ("duckdb", "DuckDBEngine"),
    "ibis": ("ibis", "IbisEngine"),
    "pyspark": ("spark", "SparkEngine"),
    "pyspark[connect]": ("spark", "SparkEngine"),
}


def cannot_rank(name: str) -> TypeError:
    """Return the error to raise for a library that cannot do every step of ranking."""
    return TypeError(
        f"frames of {name} cannot be scored: not every step of ranking can be done with them "
        "(Dask, for one, has no ordered windows); call compute() on them and score the "
        "result, or score with DuckDB or Spark"
    )


def engine_of(frame: Frame) -> Engine:
    """Return the engine of the library that the frame belongs to.

    Raises
    ------
    TypeError
        If the library is not supported. A library must be able to rank documents in
        trec_eval's order and to raise an error for invalid rows.

    Examples
    --------
    >>> import narwhals.stable.v2 as nw
    >>> import pandas as pd
    >>> from pres_plugin.frames.engines import engine_of
    >>> engine_of(nw.from_native(pd.DataFrame({"query_id": ["q1"]}))).name
    'pandas'
    """
    name = frame.implementation.value
    eager = isinstance(frame, nw.DataFrame)
    if name not in _ENGINES:
        raise cannot_rank(name)
    module, kind = _ENGINES[name]
    engine: Engine = getattr(import_module(f"{__name__}.{module}"), kind)(name, eager)
    return engine
