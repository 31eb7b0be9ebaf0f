"""polars: raise our own errors, even from lazy frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import Formatter

import narwhals.stable.v2 as nw
import polars as pl

from pres_plugin.forked import check_fork
from pres_plugin.frames.engines.base import Engine, Frame
from pres_plugin.frames.errors import FrameError
from pres_plugin.frames.names import DOC, RANK, SCORE


class PolarsEngine(Engine):
    """Scores DataFrames and LazyFrames of polars."""

    def check(self, frame: Frame) -> None:
        """Raise a RuntimeError in a fork in which polars would never end."""
        check_fork()

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

    def with_ranks(self, frame: Frame, partition: Sequence[str]) -> Frame:
        """Add a column RANK with a single window, since polars sorts strings descending, too."""
        ranks = pl.int_range(1, pl.len() + 1).over(
            *partition, order_by=[SCORE, DOC], descending=True
        )
        return nw.from_native(frame.to_native().with_columns(ranks.alias(RANK)))

    def once(self, frame: Frame, column: str, key: Sequence[str], problem: str) -> Frame:
        """In an eager frame, check whether any rows have the same `key` before finding them."""
        *parts, what = key
        if isinstance(frame, nw.DataFrame):
            # Most frames have no such rows, and counting distinct values takes a third of the time
            # of finding the rows.
            counts = frame.group_by(*parts).agg(nw.len().alias("_rows"), nw.col(what).n_unique())
            if not (counts["_rows"] > counts[what]).any():
                return frame
        return self.guarded(frame, column, nw.col(what).is_duplicated().over(*parts), problem)

    def guarded_lazily(self, frame: Frame, column: str, wrong: nw.Expr, problem: str) -> Frame:
        """Raise a FrameError from Python when the query is executed, if a row is `wrong`."""
        named = {name for _, name, _, _ in Formatter().parse(problem) if name is not None}

        def checked(rows: pl.Series) -> pl.Series:
            fields = rows.struct.unnest()
            for row in fields.filter("_wrong").head(1).iter_rows(named=True):
                raise FrameError(problem.format(**row))
            return fields["_wrong"]

        native = frame.with_columns(_wrong=wrong).to_native()
        is_wrong = pl.struct("_wrong", *sorted(named)).map_batches(checked, return_dtype=pl.Boolean)
        guarded = pl.when(~is_wrong).then(pl.col(column)).alias(column)
        return nw.from_native(native.with_columns(guarded).drop("_wrong"))


def _is_pattern(name: str) -> bool:
    return name == "*" or (name.startswith("^") and name.endswith("$"))
