"""Convert eager frames of other libraries to polars, and convert the results back.

polars scores frames in memory several times as fast as pandas and PyArrow do. Ids, scores,
ranks and relevance become polars columns. The columns that distinguish runs may have types
that polars lacks, so the frame's own library assigns a number to each of their values, and
polars gets the numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

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
from pres_plugin.frames.engines.base import Frame
from pres_plugin.frames.errors import FrameError
from pres_plugin.frames.names import QUERY
from pres_plugin.frames.roles import IDS, ROLES, columns_typed_by_role, is_text, wrong_type
from pres_plugin.frames.takeover.base import Column, Source


def _type_of_values(source: Source, column: Column) -> Any:
    """Return the type of a column's values. For a column of categories, return their type."""
    if is_text(column.dtype) and (categories := source.categories(column)) is not None:
        column = categories
    return column.dtype


class Takeover:
    """Converts a run and qrels to polars, and the result back."""

    def __init__(self, implementation: nw.Implementation) -> None:
        check_fork()
        # Frames of Modin and cuDF are converted to pandas, and the results are converted back.
        like_pandas = implementation.is_modin() or implementation.is_cudf()
        self._namespace = implementation.to_native_namespace() if like_pandas else None
        kind = "PyArrow" if implementation.is_pyarrow() else "Pandas"
        module = import_module(f"{__name__}.{kind.lower()}")
        self._source: Source = getattr(module, f"{kind}Source")()
        # The values of each column that distinguishes runs, in the order of the numbers that
        # replace them in polars.
        self._values: list[Any] = []
        # The types of the topics' ids in the run and in the qrels.
        self._id_types: list[Any] = []

    def taken(self, frame: Frame, what: str, columns: Mapping[str, str]) -> Frame:
        """Convert the user's columns to polars: `columns` maps our names to the user's."""
        source = self._source
        if self._namespace is not None:
            frame = nw.from_native(frame.select(*dict.fromkeys(columns.values())).to_pandas())
        theirs = {name: frame.get_column(column) for name, column in columns.items()}
        nulls = {name for name, column in theirs.items() if source.has_null_type(column)}
        dtypes = {name: _type_of_values(source, column) for name, column in theirs.items()}
        called = {
            name: source.name_of_type(theirs[name]) if dtype == nw.Unknown else dtype
            for name, dtype in dtypes.items()
        }
        by_role = columns_typed_by_role(dtypes, called, what, columns, nulls, frame.is_empty())
        taken = {}
        for name, column in theirs.items():
            if name in nulls:
                column = column.cast(nw.String)
            if is_text(column.dtype):
                column = source.plain_text(column)
            if name == QUERY:
                is_typed = name in nulls or name not in by_role
                self._id_types.append(source.text_type(column) if is_typed else source.usual_text)
            if name not in ROLES:
                taken[name], values = source.numbered(column)
                self._values.append(values)
            elif name in by_role:
                nothing = nw.new_series(
                    "", [None] * len(column), ROLES[name].dtype, backend="polars"
                )
                taken[name] = nothing.to_native()
            elif name in IDS:
                taken[name] = self._text(column, what, columns[name])
            else:
                taken[name] = source.numbers(column)
        return nw.from_native(pl.DataFrame(taken))

    def _text(self, column: Column, what: str, name: str) -> pl.Series:
        try:
            return self._source.text(column)
        except UnicodeEncodeError as error:
            raise FrameError(
                f"{what}: column '{name}' contains {error.object!r}, which cannot be written in "
                "UTF-8; remove the surrogates from the ids"
            ) from None
        except TypeError:
            # Only the first values of a column of Python objects have been checked.
            raise wrong_type(what, name, nw.Object(), ROLES[QUERY]) from None

    def returned(self, result: Frame) -> Any:
        """Return the result as a frame of the caller's library."""
        *by, topics, measures, values = result.to_native()
        source = self._source
        columns = {
            numbers.name: source.pick(these, numbers)
            for numbers, these in zip(by, self._values, strict=True)
        }
        columns[topics.name] = source.as_text(topics, source.common_type(*self._id_types))
        columns[measures.name] = source.as_text(measures, source.usual_text)
        columns[values.name] = source.as_numbers(values)
        frame = source.frame(columns)
        return frame if self._namespace is None else self._namespace.DataFrame(frame)
