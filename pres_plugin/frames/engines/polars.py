"""polars: raise our own errors, even from lazy frames."""

# ruff: noqa: E402 (a missing polars is reported before other modules import it)
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import narwhals.stable.v2 as nw

from pres_plugin.messages import InputError, imported

imported("polars", "pres_plugin.frames scores frames in memory with polars", "frames")

import polars as pl

from pres_plugin.forked import check_fork
from pres_plugin.frames.engines.base import Engine, Frame
from pres_plugin.frames.names import DOC, MESSAGE, QUERY, RANK, SCORE
from pres_plugin.ranking import rows


class PolarsEngine(Engine):
    """Scores eager frames, which :mod:`..takeover` converts to polars, and LazyFrames of polars."""

    def check(self, frame: Frame) -> None:
        """Raise a RuntimeError in a fork in which polars would never end."""
        check_fork()

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

    def judged_with_ranks(
        self,
        run: Frame,
        partition: Sequence[str],
        qrels: Frame,
        checked: Callable[[Frame], Frame],
    ) -> Frame:
        """In eager frames, rank only judged documents, which takes much less time."""
        if not isinstance(run, nw.DataFrame):
            return super().judged_with_ranks(run, partition, qrels, checked)
        native = checked(run).to_native()
        judged = native.with_row_index("_row").join(qrels.to_native(), on=[QUERY, DOC])
        ranks = rows.ranks(
            rows.numbered(native[partition])[0],
            native[SCORE].to_numpy(),
            native[DOC],
            judged["_row"].to_numpy(),
        )
        return nw.from_native(judged.with_columns(pl.Series(RANK, ranks)))

    def once(self, frame: Frame, column: str, key: Sequence[str], problem: str) -> Frame:
        """In an eager frame, find rows with the same `key` by their hashes; else in a window."""
        *parts, what = key
        if not isinstance(frame, nw.DataFrame):
            # Grouping by text takes several times as long as this window.
            repeated = nw.col(what).is_duplicated().over(*parts)
            return self.guarded_lazily(frame, column, repeated, problem)
        native = frame.to_native()
        found = rows.repeated(rows.numbered(native[parts])[0], native[what])
        for row in native[found[:1]].iter_rows(named=True):
            raise InputError(problem.format(**row))
        return frame

    def failing(self, native: Any, column: str) -> Any:
        """Raise an InputError from Python when the query is executed."""

        def checked(messages: pl.Series) -> pl.Series:
            for message in messages.drop_nulls().head(1):
                raise InputError(message)
            return messages.is_null()

        is_right = pl.col(MESSAGE).map_batches(checked, return_dtype=pl.Boolean)
        return native.with_columns(pl.when(is_right).then(pl.col(column)).alias(column))

    def long(
        self, frame: Frame, index: Sequence[str], on: Sequence[str], name: str, value: str
    ) -> Frame:
        """Unpivot, and sort the rows of eager frames; measures stay in their order."""
        rows = super().long(frame, index, on, name, value)
        if not isinstance(rows, nw.DataFrame):
            return rows
        return nw.from_native(rows.to_native().sort(index, maintain_order=True))
