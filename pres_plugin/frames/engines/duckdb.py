"""DuckDB: raise errors in SQL, and compare ids without collations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw

from pres_plugin.frames.engines.base import Engine, Frame
from pres_plugin.frames.names import DOC, MESSAGE, RANK, SCORE


class DuckDBEngine(Engine):
    """Scores DuckDB's relations."""

    def select(self, frame: Frame, columns: Mapping[str, str]) -> Frame:
        """Select by position, since some names cannot be quoted and some differ only in case."""
        native = frame.to_native()
        positions = (f"#{native.columns.index(old) + 1} AS {new}" for new, old in columns.items())
        return nw.from_native(native.project(", ".join(positions)))

    def null_columns(self, frame: Frame) -> set[str]:
        """Return the columns of DuckDB's type NULL, new in version 2."""
        native = frame.to_native()
        types = zip(native.columns, native.types, strict=True)
        return {name for name, dtype in types if str(dtype) == '"NULL"'}

    def exact_ids(self, frame: Frame, columns: Sequence[str]) -> Frame:
        """Use the collation that compares bytes, since no type reveals that there is another."""
        collated = ", ".join(f"{name} COLLATE C AS {name}" for name in columns)
        return nw.from_native(frame.to_native().project(f"* REPLACE ({collated})"))

    def with_ranks(self, frame: Frame, partition: Sequence[str]) -> Frame:
        """Rank in one sort, in descending order."""
        window = f"PARTITION BY {', '.join(partition)} ORDER BY {SCORE} DESC, {DOC} DESC"
        rank = f"row_number() OVER ({window}) AS {RANK}"
        return nw.from_native(frame.to_native().project(f"*, {rank}"))

    def failing(self, native: Any, column: str) -> Any:
        """Raise with SQL's error()."""
        guarded = f"CASE WHEN {MESSAGE} IS NULL THEN {column} ELSE error({MESSAGE}) END"
        return native.project(f"* REPLACE ({guarded} AS {column})")

    def long(
        self, frame: Frame, index: Sequence[str], on: Sequence[str], name: str, value: str
    ) -> Frame:
        """Unpivot in SQL, since narwhals' unpivot() reads from DuckDB's default connection."""
        native = frame.to_native()
        # By position: before DuckDB 2, a dot in a name separates a table from its column.
        at = {column: f"#{i}" for i, column in enumerate(native.columns, start=1)}
        names = ", ".join("'" + column.replace("'", "''") + "'" for column in on)
        values = ", ".join(at[column] for column in on)
        rows = native.project(
            ", ".join(
                [
                    *(f"{at[column]} AS {column}" for column in index),
                    f"unnest([{names}]) AS {name}",
                    f"unnest([{values}]) AS {value}",
                ]
            )
        )
        return nw.from_native(rows)
