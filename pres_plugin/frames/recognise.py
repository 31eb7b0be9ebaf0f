"""Recognise the user's dataframes and select the columns to score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw
from narwhals.exceptions import DuplicateError

from pres_plugin.frames.engines import cannot_rank, engine_of
from pres_plugin.frames.engines.base import Frame, exactly_named
from pres_plugin.frames.errors import FrameError


def recognised(run: Any, qrels: Any) -> tuple[Frame, Frame]:
    """Return both frames as narwhals frames of the same library, which can be scored."""
    run_frame, qrels_frame = _frame(run, "run"), _frame(qrels, "qrels")
    if run_frame.implementation is not qrels_frame.implementation:
        kinds = [frame.implementation.value for frame in (run_frame, qrels_frame)]
        both_spark = all(kind.startswith("pyspark") for kind in kinds)
        remedy = (
            "read both with the same session"
            if both_spark
            else "convert one to the other's library"
        )
        raise TypeError(f"run is a {kinds[0]} frame and qrels is a {kinds[1]} frame; {remedy}")
    if not is_foreign(run_frame):
        engine = engine_of(run_frame)
        engine.check(run_frame)
        engine.check(qrels_frame)
    return run_frame, qrels_frame


def is_foreign(frame: Frame) -> bool:
    """Return whether polars scores this frame instead of the frame's own library."""
    return isinstance(frame, nw.DataFrame) and not frame.implementation.is_polars()


def find_columns(frame: Frame, what: str, columns: Mapping[str, str]) -> dict[str, str]:
    """Map our names to the frame's; raise if one of the user's columns is missing or repeated."""
    find = exactly_named if is_foreign(frame) else engine_of(frame).named
    found = {}
    for ours, column in columns.items():
        named = find(frame, column)
        if not named:
            raise FrameError(f"{what}: there is no column '{column}'; {_instead(column, frame)}")
        if len(set(named)) > 1:
            raise FrameError(
                f"{what}: columns {' and '.join(map(repr, named))} differ from '{column}' only in "
                "case, which is ignored; pass the exact name of one of them"
            )
        if len(named) > 1:
            raise _repeated(what, named)
        found[ours] = named[0]
    return found


def _frame(native: Any, what: str) -> Frame:
    if type(native).__module__.startswith("dask"):
        # Without this check, narwhals would ask for a newer Dask, which is not supported either.
        raise cannot_rank("dask")
    try:
        return nw.from_native(native)
    except DuplicateError:
        names = native.column_names if hasattr(native, "column_names") else native.columns
        raise _repeated(what, list(names)) from None
    except TypeError:
        raise TypeError(
            f"{what}: {type(native).__name__} is not a dataframe of pandas, polars, PyArrow, "
            "DuckDB, Spark or Ibis"
        ) from None


def _repeated(what: str, names: Sequence[Any]) -> FrameError:
    name = next(name for name in names if names.count(name) > 1)
    return FrameError(f"{what}: several columns are called '{name}'; rename all but one of them")


def _instead(column: str, frame: Frame) -> str:
    """Return a hint for a missing column: the frame's columns, or why it was not found."""
    names = list(frame.columns)
    # On a lazy frame, the attribute `index` could be a column of that name.
    index = getattr(frame.to_native(), "index", None) if isinstance(frame, nw.DataFrame) else None
    if column in getattr(index, "names", ()):
        return "it is a level of the index; call reset_index() to make it a column"
    there = f"it has {', '.join(map(str, names)) or 'none'}"
    if all(isinstance(name, str) for name in names):
        return there
    return f"{there}; column names must be strings, so rename those that are not"
