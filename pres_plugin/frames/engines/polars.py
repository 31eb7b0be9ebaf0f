"""polars: raise our own errors, even from lazy frames."""

from __future__ import annotations

from collections.abc import Mapping

import narwhals.stable.v2 as nw
import polars as pl

from pres_plugin.frames.engines.base import Engine, Frame, message_of
from pres_plugin.frames.errors import FrameError


class PolarsEngine(Engine):
    """Scores DataFrames and LazyFrames of polars."""

    def select(self, frame: Frame, columns: Mapping[str, str]) -> Frame:
        """Select columns, after renaming those whose names polars 1 would read as patterns."""
        longest = max(map(len, frame.columns), default=0)
        patterns = [name for name in dict.fromkeys(columns.values()) if _is_pattern(name)]
        plain = {name: "_" * (longest + i) for i, name in enumerate(patterns, 1)}
        if plain:
            frame = nw.from_native(frame.to_native().rename(plain))
        return super().select(frame, {new: plain.get(old, old) for new, old in columns.items()})

    def null_columns(self, frame: Frame) -> set[str]:
        """Return the columns of type Null."""
        schema = frame.to_native().collect_schema()
        return {name for name, dtype in schema.items() if dtype == pl.Null}

    def guarded_lazily(self, frame: Frame, column: str, wrong: nw.Expr, problem: str) -> Frame:
        """Raise a FrameError from Python when the query is executed, if a row is `wrong`."""
        native = frame.with_columns(_problem=nw.when(wrong).then(message_of(problem))).to_native()
        checked = pl.col("_problem").map_batches(_refused, return_dtype=pl.String)
        guarded = pl.when(checked.is_null()).then(pl.col(column)).alias(column)
        return nw.from_native(native.with_columns(guarded).drop("_problem"))


def _is_pattern(name: str) -> bool:
    return name == "*" or (name.startswith("^") and name.endswith("$"))


def _refused(problems: pl.Series) -> pl.Series:
    if problems.null_count() < len(problems):
        raise FrameError(problems.drop_nulls()[0])
    return problems
