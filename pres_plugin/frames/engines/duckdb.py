"""DuckDB: raise errors in SQL, and compare ids without collations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import narwhals.stable.v2 as nw
from duckdb import (
    CaseExpression,
    ColumnExpression,
    ConstantExpression,
    Expression,
    StarExpression,
)
from duckdb import FunctionExpression as Function

from pres_plugin.frames.engines.base import Engine, Frame, message_parts
from pres_plugin.frames.names import DOC, RANK, SCORE


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
        """Convert ids to bytes, since strings may have a collation, which no type reveals."""
        return _with(frame, columns, lambda column: Function("encode", column))

    def readable_ids(self, frame: Frame, columns: Sequence[str]) -> Frame:
        """Convert ids from bytes back to strings."""
        schema = frame.collect_schema()
        encoded = [name for name in columns if schema[name] == nw.Binary]
        return _with(frame, encoded, lambda column: Function("decode", column))

    def with_count(
        self, frame: Frame, name: str, partition: Sequence[str], order_by: Sequence[str]
    ) -> Frame:
        """Number rows in SQL, which is faster than a running sum of ones."""
        return _numbered(frame, name, partition, order_by)

    def with_ranks(self, frame: Frame, partition: Sequence[str]) -> Frame:
        """Rank in one sort, in descending order."""
        return _numbered(frame, RANK, partition, [f"{SCORE} DESC", f"{DOC} DESC"])

    def once(self, frame: Frame, column: str, key: Sequence[str], problem: str) -> Frame:
        """Group the rows by `key`.

        This is faster than a window, and copes better with data larger than memory.
        """
        others = (f"any_value({name}) AS {name}" for name in frame.columns if name not in key)
        groups = frame.to_native().aggregate(
            ", ".join([*key, *others, "count(*) AS _times"]), ", ".join(key)
        )
        grouped = nw.from_native(groups)
        return self.guarded(grouped, column, nw.col("_times") > 1, problem).drop("_times")

    def guarded_lazily(self, frame: Frame, column: str, wrong: nw.Expr, problem: str) -> Frame:
        """Raise with SQL's error()."""
        frame = frame.with_columns(_wrong=wrong)
        schema = frame.collect_schema()

        def text(name: str) -> Expression:
            column = ColumnExpression(name)
            if schema[name] == nw.String:
                # Drop the collation: strings with different ones cannot be concatenated.
                column = Function("encode", column)
            elif schema[name] != nw.Binary:
                return column
            return Function("decode", column)

        message = Function("concat", *message_parts(problem, ConstantExpression, text))
        error = Function("error", message)
        guard = CaseExpression(ColumnExpression("_wrong"), error)
        return _with(frame, [column], guard.otherwise).drop("_wrong")

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
        # This keeps all rows. Without it, a query that only counts rows would skip the checks.
        return nw.from_native(rows).filter(nw.col(value) >= -1)


def _numbered(frame: Frame, name: str, partition: Sequence[str], order_by: Sequence[str]) -> Frame:
    window = f"PARTITION BY {', '.join(partition)} ORDER BY {', '.join(order_by)}"
    return nw.from_native(frame.to_native().project(f"*, row_number() OVER ({window}) AS {name}"))


def _with(
    frame: Frame, columns: Sequence[str], expression: Callable[[Expression], Expression]
) -> Frame:
    changed = (expression(ColumnExpression(name)).alias(name) for name in columns)
    others = StarExpression(exclude=list(columns))
    return nw.from_native(frame.to_native().select(others, *changed))
