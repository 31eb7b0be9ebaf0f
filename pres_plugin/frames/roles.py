"""Check the type of each column, which depends on its role in a run or qrels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw

from pres_plugin.frames.engines.base import Engine, Frame
from pres_plugin.frames.errors import FrameError
from pres_plugin.frames.names import DOC, QUERY, RANK, RELEVANCE, SCORE


@dataclass(frozen=True)
class Role:
    """The role of a column, with the types that it allows."""

    #: Return whether a column of the given type can be used.
    accepts: Callable[[Any], bool]
    #: The end of the error message for a column of another type.
    expected: str
    #: The type for a column that contains only nulls, or whose frame has no rows.
    dtype: Any


def is_text(dtype: Any) -> bool:
    """Return whether this is a type of strings, including categoricals and enums."""
    return isinstance(dtype, nw.String | nw.Categorical | nw.Enum)


_ID = Role(is_text, "ids are strings, as in trec_eval and ir-measures", nw.String())
_ROLES = {
    QUERY: _ID,
    DOC: _ID,
    SCORE: Role(lambda dtype: dtype.is_numeric(), "scores are numbers", nw.Float64()),
    RANK: Role(lambda dtype: dtype.is_integer(), "ranks are whole numbers from 1", nw.Int64()),
    RELEVANCE: Role(
        lambda dtype: dtype.is_integer(),
        "relevance is a whole number, so cast the column to integers",
        nw.Int64(),
    ),
}
# The columns in `by` may have any type.
_ANYTHING = Role(lambda _: True, "", nw.String())


def with_types(frame: Frame, what: str, columns: Mapping[str, str], engine: Engine) -> Frame:
    """Check the types of columns, and convert all text to one type.

    `columns` maps our names to the user's. Columns of the null type, and all columns of
    eager frames without rows, get the type of their role, which the library could not infer.
    """
    schema = frame.collect_schema()
    untyped = engine.null_columns(frame)
    without_rows = isinstance(frame, nw.DataFrame) and frame.is_empty()
    replaced = []
    for name, column in columns.items():
        role = _ROLES.get(name, _ANYTHING)
        if name in untyped:
            replaced.append(nw.col(name).cast(role.dtype))
        elif role.accepts(schema[name]):
            continue
        elif without_rows:
            # Any value will do, because no row will contain it.
            replaced.append(nw.lit(0, role.dtype).alias(name))
        else:
            raise FrameError(f"{what}: column '{column}' contains {schema[name]}; {role.expected}")
    if replaced:
        frame = frame.with_columns(*replaced)
        schema = frame.collect_schema()
    return engine.plain_text(frame, [name for name in columns if is_text(schema[name])])
