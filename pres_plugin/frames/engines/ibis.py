"""Ibis: as its backends differ in collations and errors, DuckDB only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Any

import ibis
import narwhals.stable.v2 as nw

from pres_plugin.frames.engines.base import Engine, Frame
from pres_plugin.frames.errors import FrameError

__all__ = ["IbisEngine"]


# Functions of DuckDB that Ibis has none of its own for; the bodies are DuckDB's.


@ibis.udf.scalar.builtin
def encode(text: str) -> bytes:
    """Text as its bytes."""


@ibis.udf.scalar.builtin
def decode(text: bytes) -> str:
    """Bytes as the text that they are."""


@ibis.udf.scalar.builtin
def error(message: str) -> float:
    """Fail with a message."""


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

    def select(self, frame: Frame, columns: Mapping[str, str]) -> Frame:
        """Refuse names that differ only in case, of which DuckDB would take the first."""
        for column in columns.values():
            for other in frame.columns:
                if other != column and other.lower() == column.lower():
                    raise FrameError(
                        f"columns '{column}' and '{other}' are the same to DuckDB, which ignores "
                        "case; rename one of them"
                    )
        return super().select(frame, columns)

    def null_columns(self, frame: Frame) -> set[str]:
        """Those of the type null, which in a stored table of DuckDB is one unknown to Ibis."""
        return {
            name
            for name, dtype in frame.to_native().schema().items()
            if dtype.is_null() or str(getattr(dtype, "raw_type", "")) == '"NULL"'
        }

    def exact_ids(self, frame: Frame, columns: Sequence[str]) -> Frame:
        """As bytes, since strings may compare by a collation, which no type shows."""
        native = frame.to_native()
        return nw.from_native(native.mutate(**{name: encode(native[name]) for name in columns}))

    def readable_ids(self, frame: Frame, columns: Sequence[str]) -> Frame:
        """As strings again."""
        native = frame.to_native()
        encoded = [name for name in columns if native[name].type().is_binary()]
        return nw.from_native(native.mutate(**{name: decode(native[name]) for name in encoded}))

    def guarded_lazily(self, frame: Frame, column: str, wrong: nw.Expr, problem: str) -> Frame:
        """SQL's error()."""
        native = frame.with_columns(_wrong=wrong).to_native()
        message: Any = ibis.literal("")
        for words, name, _, _ in Formatter().parse(problem):
            message = message + words
            if name:
                message = message + _text(native[name])
        failing = error(message).cast(native[column].type())
        guarded = ibis.cases((native["_wrong"], failing), else_=native[column])
        return nw.from_native(native.mutate(**{column: guarded}).drop("_wrong"))


def _text(column: Any) -> Any:
    if column.type().is_string():
        # Without its collation: strings of two cannot be put together.
        column = encode(column)
    return decode(column) if column.type().is_binary() else column.cast("string")
