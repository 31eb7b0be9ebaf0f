"""polars: raise our own errors, even from lazy frames."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from string import Formatter

import narwhals.stable.v2 as nw

try:
    import polars as pl
except ModuleNotFoundError as _error:
    if _error.name != "polars":
        raise
    raise ImportError(
        "pres_plugin.frames scores frames in memory with polars, which is not installed; "
        "to install it: pip install 'pres-plugin[frames]'"
    ) from _error

from pres_plugin.forked import check_fork
from pres_plugin.frames.engines.base import Engine, Frame
from pres_plugin.frames.errors import FrameError
from pres_plugin.frames.names import DOC, QUERY, RANK, SCORE
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
            rows.numbered(native[partition]),
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
        found = rows.repeated(rows.numbered(native[parts]), native[what])
        for row in native[found[:1]].iter_rows(named=True):
            raise FrameError(problem.format(**row))
        return frame

    def guarded_lazily(self, frame: Frame, column: str, wrong: nw.Expr, problem: str) -> Frame:
        """Raise a FrameError from Python when the query is executed, if a row is `wrong`."""
        named = {name for _, name, _, _ in Formatter().parse(problem) if name is not None}

        def checked(values: pl.Series) -> pl.Series:
            fields = values.struct.unnest()
            self.guarded(nw.from_native(fields), column, nw.col("_wrong"), problem)
            return fields["_wrong"]

        native = frame.with_columns(_wrong=wrong).to_native()
        is_wrong = pl.struct("_wrong", *sorted(named)).map_batches(checked, return_dtype=pl.Boolean)
        guarded = pl.when(~is_wrong).then(pl.col(column)).alias(column)
        return nw.from_native(native.with_columns(guarded).drop("_wrong"))

    def long(
        self, frame: Frame, index: Sequence[str], on: Sequence[str], name: str, value: str
    ) -> Frame:
        """Unpivot, and sort the rows of eager frames; measures stay in their order."""
        rows = super().long(frame, index, on, name, value)
        if not isinstance(rows, nw.DataFrame):
            return rows
        return nw.from_native(rows.to_native().sort(index, maintain_order=True))
