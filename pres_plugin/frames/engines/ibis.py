"""Ibis: only its DuckDB backend, since collations and errors differ between backends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import ibis
import narwhals.stable.v2 as nw

from pres_plugin.frames.engines.base import Engine, Frame
from pres_plugin.frames.names import DOC, MESSAGE, RANK, SCORE

# DuckDB's functions for which Ibis has no equivalent. They have no body here.


@ibis.udf.scalar.builtin
def encode(text: str) -> bytes:
    """Return the UTF-8 bytes of a string."""


@ibis.udf.scalar.builtin
def decode(text: bytes) -> str:
    """Return the string that these UTF-8 bytes encode."""


@ibis.udf.scalar.builtin
def error(message: str) -> float:
    """Raise an error with this message."""


class IbisEngine(Engine):
    """Scores Ibis' tables on DuckDB."""

    def check(self, frame: Frame) -> None:
        """Reject backends that may order ids by a collation, or cast text to 0 without an error."""
        backend = frame.to_native().get_backend().name
        if backend != "duckdb":
            raise TypeError(
                f"Ibis on {backend} cannot be scored: not all backends compare ids by code point "
                "and raise errors for wrong rows; use Ibis on DuckDB, or convert the tables with "
                "to_pyarrow() and score the result"
            )

    def named(self, frame: Frame, column: str) -> list[str]:
        """Return names that differ only in case, too, because DuckDB would confuse them."""
        exact = super().named(frame, column)
        return exact and [name for name in frame.columns if name.lower() == column.lower()]

    def null_columns(self, frame: Frame) -> set[str]:
        """Return the columns of type null, including DuckDB's own, which Ibis does not know."""
        return {
            name
            for name, dtype in frame.to_native().schema().items()
            if dtype.is_null() or str(getattr(dtype, "raw_type", "")) == '"NULL"'
        }

    def exact_ids(self, frame: Frame, columns: Sequence[str]) -> Frame:
        """Convert ids to bytes, since strings may have a collation, which no type reveals."""
        native = frame.to_native()
        return nw.from_native(native.mutate(**{name: encode(native[name]) for name in columns}))

    def restored(self, frame: Frame, columns: Mapping[str, str]) -> Frame:
        """Rename all columns, and convert ids from bytes back to strings."""
        native = frame.to_native()
        encoded = [name for name in columns if native[name].type().is_binary()]
        decoded = native.mutate(**{name: decode(native[name]) for name in encoded})
        return super().restored(nw.from_native(decoded), columns)

    def with_ranks(self, frame: Frame, partition: Sequence[str]) -> Frame:
        """Rank in one sort, in descending order."""
        order = [ibis.desc(SCORE), ibis.desc(DOC)]
        before = ibis.row_number().over(group_by=list(partition), order_by=order)
        return nw.from_native(frame.to_native().mutate(**{RANK: before + 1}))

    def with_text(self, frame: Frame, columns: Mapping[str, str]) -> Frame:
        """Add columns as text; ids are bytes."""
        native = frame.to_native()
        added = {new: native[old] for new, old in columns.items()}
        text = {
            new: decode(column) if column.type().is_binary() else column.cast("string")
            for new, column in added.items()
        }
        return nw.from_native(native.mutate(**text))

    def failing(self, native: Any, column: str) -> Any:
        """Raise with SQL's error()."""
        failing = error(native[MESSAGE]).cast(native[column].type())
        guarded = ibis.cases((native[MESSAGE].notnull(), failing), else_=native[column])
        return native.mutate(**{column: guarded})
