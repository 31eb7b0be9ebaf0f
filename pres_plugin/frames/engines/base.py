"""What is asked of a dataframe library, and how most of them do it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Any, TypeAlias

import narwhals.stable.v2 as nw

from pres_plugin.frames.errors import FrameError

__all__ = ["Engine", "Frame"]

#: An eager or a lazy frame of narwhals; all steps of scoring take and give these.
#: What the two have in common cannot be said as a type: each joins only its own.
Frame: TypeAlias = Any


@dataclass(frozen=True)
class Engine:
    """A dataframe library at work.

    Attributes
    ----------
    name : str
        Of the library.
    eager : bool
        Whether it does things at once, or when it is asked for the result.
    """

    name: str
    eager: bool

    def check(self, frame: Frame) -> None:
        """Raise a TypeError if the frame is one of those of the library that cannot be scored."""

    def select(self, frame: Frame, columns: Mapping[str, str]) -> Frame:
        """Select columns and rename them: `columns` maps the new names to the user's."""
        # By position, since polars reads some names as patterns: '*', or '^a.*$'.
        names = list(frame.columns)
        return frame.select(*(nw.nth(names.index(old)).alias(new) for new, old in columns.items()))

    def rename(self, frame: Frame, columns: Mapping[str, str]) -> Frame:
        """Give columns the user's names: `columns` maps the names of all columns to those."""
        return frame.select(*(nw.col(old).alias(new) for old, new in columns.items()))

    def null_columns(self, frame: Frame) -> set[str]:
        """Return the columns whose type is that of null, which has no other value."""
        return set()

    def plain_text(self, frame: Frame, columns: Sequence[str]) -> Frame:
        """Make these columns of text, of any type, strings that can be joined and sorted."""
        schema = frame.collect_schema()
        numbered = [name for name in columns if schema[name] != nw.String]
        return frame.with_columns(nw.col(*numbered).cast(nw.String)) if numbered else frame

    def as_floats(self, frame: Frame, column: str) -> Frame:
        """Round the numbers of a column to 64-bit floats."""
        return frame.with_columns(nw.col(column).cast(nw.Float64))

    def like(self, frame: Frame, other: Frame, columns: Sequence[str]) -> Frame:
        """Give these columns of strings the type that they have in `other`."""
        return frame

    def exact_ids(self, frame: Frame, columns: Sequence[str]) -> Frame:
        """Make these columns of strings compare and sort by code point."""
        return frame

    def readable_ids(self, frame: Frame, columns: Sequence[str]) -> Frame:
        """Make these columns what they were before :meth:`exact_ids`."""
        return frame

    def with_count(
        self, frame: Frame, name: str, partition: Sequence[str], order_by: Sequence[str]
    ) -> Frame:
        """Number the rows of each part from 1 in ascending order, in a column `name`."""
        # Summed ones, since cum_count() follows the order of pandas' rows (narwhals 2.29).
        counted = nw.col(name).cum_sum().over(*partition, order_by=list(order_by))
        return frame.with_columns(nw.lit(1, nw.Int64).alias(name)).with_columns(
            counted.cast(nw.Int64)
        )

    def with_size(self, frame: Frame, name: str, partition: Sequence[str]) -> Frame:
        """Say of each row how many its part has, in a column `name`."""
        return frame.with_columns(nw.len().over(*partition).cast(nw.Int64).alias(name))

    def guarded(self, frame: Frame, column: str, wrong: nw.Expr, problem: str) -> Frame:
        """Fail where a row is `wrong`: at once, or when `column` is computed.

        Parameters
        ----------
        frame : narwhals DataFrame or LazyFrame
        column : str
            Of numbers; what depends on it is not computed if a row is wrong.
        wrong : narwhals Expr
            True for wrong rows, never null.
        problem : str
            What to say, with names of columns in braces.
        """
        if isinstance(frame, nw.DataFrame):
            for row in frame.filter(wrong).head(1).iter_rows(named=True):
                raise FrameError(problem.format(**row))
            return frame
        return self.guarded_lazily(frame, column, wrong, problem)

    def guarded_lazily(self, frame: Frame, column: str, wrong: nw.Expr, problem: str) -> Frame:
        """Put into the query what fails with `problem`, as text that is no number."""
        message = nw.when(wrong).then(message_of(problem)).cast(nw.Float64)
        return frame.with_columns(nw.when(message.is_null()).then(nw.col(column)).alias(column))

    def long(
        self, frame: Frame, index: Sequence[str], on: Sequence[str], name: str, value: str
    ) -> Frame:
        """A row for each of the columns `on`, with its `name` and its `value`."""
        return frame.unpivot(on=list(on), index=list(index), variable_name=name, value_name=value)


def message_of(problem: str) -> nw.Expr:
    """`problem` as an expression of text, with the columns that it names in braces."""
    parts = []
    for text, column, _, _ in Formatter().parse(problem):
        if text:
            parts.append(nw.lit(text))
        if column is not None:
            parts.append(nw.col(column).cast(nw.String))
    return nw.concat_str(parts)
