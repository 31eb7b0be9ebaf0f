"""Ibis: as its backends differ in collations and errors, DuckDB only."""

from __future__ import annotations

from pres_plugin.frames.engines.base import Engine, Frame

__all__ = ["IbisEngine"]


class IbisEngine(Engine):
    """Ibis' tables on DuckDB."""

    def check(self, frame: Frame) -> None:
        """Refuse backends that may order ids by a collation, or read text as 0."""
        backend = frame.to_native().get_backend().name
        if backend != "duckdb":
            raise TypeError(
                f"Ibis on {backend} cannot be scored: ids must compare by code point and wrong "
                "rows must fail, which not all of its backends do; score the tables with Ibis on "
                "DuckDB, or what their to_pyarrow() gives"
            )
