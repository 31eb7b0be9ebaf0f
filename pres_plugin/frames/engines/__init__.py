"""One module a library: what it does otherwise than the others, and nothing else."""

from __future__ import annotations

from importlib import import_module

import narwhals.stable.v2 as nw

from pres_plugin.frames.engines.base import Engine, Frame

__all__ = ["Engine", "Frame", "engine_of"]

# By the names that narwhals has for them; all others do as Engine does.
_OWN_WAYS = {
    "polars": ("polars", "PolarsEngine"),
    "pyarrow": ("pyarrow", "PyArrowEngine"),
    "duckdb": ("duckdb", "DuckDBEngine"),
    "pyspark": ("spark", "SparkEngine"),
    "pyspark[connect]": ("spark", "SparkEngine"),
}


def engine_of(frame: Frame) -> Engine:
    """What does the frame's work.

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
    if name not in _OWN_WAYS:
        return Engine(name, eager)
    module, kind = _OWN_WAYS[name]
    engine: Engine = getattr(import_module(f"{__name__}.{module}"), kind)(name, eager)
    return engine
