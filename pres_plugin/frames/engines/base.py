"""The operations that scoring needs from a dataframe library, with default implementations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from string import Formatter
from typing import Any, TypeAlias

import narwhals.stable.v2 as nw

from pres_plugin.frames.names import DOC, MESSAGE, QUERY, RANK
from pres_plugin.messages import InputError

#: An eager or a lazy frame of narwhals, which all steps of scoring accept and return.
#: No type describes both: an eager frame joins only eager frames, a lazy one only lazy ones.
Frame: TypeAlias = Any


class Engine(ABC):
    """The operations of one dataframe library."""

    def check(self, frame: Frame) -> None:  # noqa: B027 - most libraries need no check
        """Raise a TypeError if this frame cannot be scored, although its library is supported."""

    def named(self, frame: Frame, column: str) -> list[str]:
        """Return the columns that the library finds by this name: several, if it is ambiguous."""
        return [name for name in frame.columns if name == column]

    def select(self, frame: Frame, columns: Mapping[str, str]) -> Frame:
        """Select columns and rename them: `columns` maps the new names to the user's."""
        # Rename first, since polars selects names such as '*' and '^a.*$' as patterns.
        plain = {name: f"_{i}" for i, name in enumerate(frame.columns)}
        chosen = (nw.col(plain[old]).alias(new) for new, old in columns.items())
        return frame.rename(plain).select(*chosen)

    def restored(self, frame: Frame, columns: Mapping[str, str]) -> Frame:
        """Rename all columns, and undo :meth:`exact_ids`; `columns` maps our names to others."""
        return frame.select(*(nw.col(old).alias(new) for old, new in columns.items()))

    def null_columns(self, frame: Frame) -> set[str]:
        """Return the columns of the library's null type, whose only value is null."""
        return set()

    def exact_ids(self, frame: Frame, columns: Sequence[str]) -> Frame:
        """Make these string columns compare and sort by code point."""
        return frame

    def with_count(self, frame: Frame, name: str, partition: Sequence[str], order_by: str) -> Frame:
        """Add a column `name` that numbers the rows of each partition from 1, ascending."""
        counted = nw.col(order_by).rank("ordinal").over(*partition)
        return frame.with_columns(counted.cast(nw.Int64).alias(name))

    @abstractmethod
    def with_ranks(self, frame: Frame, partition: Sequence[str]) -> Frame:
        """Add a column RANK: each row's position in its partition, by descending SCORE and DOC.

        Scores are 32-bit floats, neither NaN nor null. Rows may change their order.
        """

    def judged_with_ranks(
        self,
        run: Frame,
        partition: Sequence[str],
        qrels: Frame,
        checked: Callable[[Frame], Frame],
    ) -> Frame:
        """Rank the run, and join it with the qrels. `checked` raises if a document is repeated."""
        # Drop the scores before the check, which then has fewer columns to keep. Check after
        # ranking: a distributed engine has then already brought the rows of each ranking
        # together, and does not move them again.
        ranked = checked(self.with_ranks(run, partition).select(*partition, DOC, RANK))
        return ranked.join(qrels, on=[QUERY, DOC], how="inner")

    def once(self, frame: Frame, column: str, key: Sequence[str], problem: str) -> Frame:
        """Raise if several rows have the same `key`; for lazy frames, when `column` is computed.

        Rows may change their order. For the other arguments, see :meth:`guarded`.
        """
        # Groups need no sort, unlike windows, and cope better with data larger than memory.
        # Rows that differ in other columns only matter if there are several, which is an error.
        others = [name for name in frame.columns if name not in key]
        groups = frame.group_by(*key).agg(nw.col(*others).max(), nw.len().alias("_times"))
        return self.guarded(groups, column, nw.col("_times") > 1, problem).drop("_times")

    def guarded(self, frame: Frame, column: str, wrong: nw.Expr, problem: str) -> Frame:
        """Raise if a row is `wrong`: at once for eager frames, else when `column` is computed.

        `wrong` is true or false, never null. `column` contains numbers. In the message
        `problem`, the row's values replace column names in braces.
        """
        if isinstance(frame, nw.DataFrame):
            for row in frame.filter(wrong).head(1).iter_rows(named=True):
                raise InputError(problem.format(**row))
            return frame
        return self.guarded_lazily(frame, column, wrong, problem)

    def guarded_lazily(self, frame: Frame, column: str, wrong: nw.Expr, problem: str) -> Frame:
        """Make `column` fail when it is computed."""
        parts = []
        as_text = {}
        for words, name, _, _ in Formatter().parse(problem):
            parts.append(nw.lit(words))
            if name is not None:
                as_text[f"{name}_text"] = name
                parts.append(nw.col(f"{name}_text"))
        message = nw.when(wrong).then(nw.concat_str(*parts)).alias(MESSAGE)
        if as_text:  # Spark Connect cannot add no columns
            frame = self.with_text(frame, as_text)
        with_message = frame.with_columns(message).drop(*as_text)
        failing = self.failing(with_message.to_native(), column)
        return nw.from_native(failing).drop(MESSAGE)

    def with_text(self, frame: Frame, columns: Mapping[str, str]) -> Frame:
        """Add columns as text for a message: `columns` maps their names to those of others."""
        return frame.with_columns(
            nw.col(old).cast(nw.String).alias(new) for new, old in columns.items()
        )

    @abstractmethod
    def failing(self, native: Any, column: str) -> Any:
        """Make `column` of a native frame fail with the text in MESSAGE where that is not null."""

    def long(
        self, frame: Frame, index: Sequence[str], on: Sequence[str], name: str, value: str
    ) -> Frame:
        """Unpivot: return one row per column in `on`, with its name and its value."""
        return frame.unpivot(on=list(on), index=list(index), variable_name=name, value_name=value)
