"""The operations that convert the columns of a library to polars and back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

#: A column of the caller's library. No type describes the columns of all libraries.
Column = nw.Series[Any]


class Source(ABC):
    """Converts the columns of one library to polars and back."""

    #: The library's usual type of strings.
    usual_text: Any

    @abstractmethod
    def has_null_type(self, column: Column) -> bool:
        """Return whether the column is of the library's null type, whose only value is null."""

    @abstractmethod
    def categories(self, column: Column) -> Column | None:
        """Return the distinct values of a column of categories; None for other columns."""

    @abstractmethod
    def name_of_type(self, column: Column) -> str:
        """Return the library's name of the column's type."""

    @abstractmethod
    def plain_text(self, column: Column) -> Column:
        """Convert text of any type, such as categories, to strings."""

    @abstractmethod
    def text(self, column: Column) -> pl.Series:
        """Convert strings to polars; raise a TypeError if the column contains other values."""

    @abstractmethod
    def numbers(self, column: Column) -> pl.Series:
        """Convert numbers to polars; missing values become null, and types may become wider."""

    @abstractmethod
    def numbered(self, column: Column) -> tuple[pl.Series, Any]:
        """Assign a number to each distinct value, of any type, but none to missing values.

        Return the column with its values replaced by their numbers, in polars, and the sorted
        distinct values.
        """

    @abstractmethod
    def text_type(self, column: Column) -> Any:
        """Return the library's type of a column of strings."""

    @abstractmethod
    def common_type(self, of_run: Any, of_qrels: Any) -> Any:
        """Return the type of the result's ids, given their types in the run and in the qrels."""

    @abstractmethod
    def as_text(self, strings: pl.Series, kind: Any) -> Any:
        """Return strings as a column of the library, of the type `kind`."""

    @abstractmethod
    def as_numbers(self, numbers: pl.Series) -> Any:
        """Return numbers as a column of the library."""

    @abstractmethod
    def pick(self, values: Any, numbers: pl.Series) -> Any:
        """Return the values to which :meth:`numbered` assigned these numbers."""

    @abstractmethod
    def frame(self, columns: Mapping[str, Any]) -> Any:
        """Return a frame of the library."""
