"""Check the type of each column, which depends on its role in a run or qrels."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
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


_ID = Role(
    is_text,
    "ids are strings, as in trec_eval and ir-measures, so cast the column to strings",
    nw.String(),
)
#: The role of each column but those in `by`.
ROLES = {
    QUERY: _ID,
    DOC: _ID,
    SCORE: Role(
        lambda dtype: dtype.is_numeric(),
        "scores are numbers, so cast the column to floats",
        nw.Float64(),
    ),
    RANK: Role(
        lambda dtype: dtype.is_integer(),
        "ranks are whole numbers from 1, so cast the column to integers",
        nw.Int64(),
    ),
    RELEVANCE: Role(
        lambda dtype: dtype.is_integer(),
        "relevance is a whole number, so cast the column to integers",
        nw.Int64(),
    ),
}
#: The columns of ids.
IDS = (QUERY, DOC)
# The columns in `by` may have any type.
_ANYTHING = Role(lambda _: True, "", nw.String())


def columns_typed_by_role(
    dtypes: Mapping[str, Any],
    called: Mapping[str, Any],
    what: str,
    columns: Mapping[str, str],
    nulls: Collection[str],
    without_rows: bool,
) -> list[str]:
    """Check the types of columns, and return those that must get the type of their role.

    These are the columns of the null type (`nulls`) and, if the frame has no rows, columns of
    any wrong type, because the library could not infer their types. `columns` maps our names
    to the user's. `called` contains the types as messages name them.
    """
    by_role = []
    for name, column in columns.items():
        role = ROLES.get(name, _ANYTHING)
        if name in nulls:
            by_role.append(name)
        elif not role.accepts(dtypes[name]):
            if not without_rows:
                raise wrong_type(what, column, called[name], role)
            by_role.append(name)
    return by_role


def wrong_type(what: str, column: str, dtype: Any, role: Role) -> FrameError:
    """Return the error for a column whose type its role does not allow."""
    return FrameError(f"{what}: column '{column}' contains {dtype}; {role.expected}")


def with_types(frame: Frame, what: str, columns: Mapping[str, str], engine: Engine) -> Frame:
    """Select columns, check their types, and convert all text to one type.

    `columns` maps our names to the user's.
    """
    frame = engine.select(frame, columns)
    schema = frame.collect_schema()
    nulls = engine.null_columns(frame)
    without_rows = isinstance(frame, nw.DataFrame) and frame.is_empty()
    replaced = []
    for name in columns_typed_by_role(schema, schema, what, columns, nulls, without_rows):
        dtype = ROLES.get(name, _ANYTHING).dtype
        # A wrong type is allowed only if there are no rows. Some types cannot be cast, so replace
        # the empty column with a literal.
        replaced.append(nw.col(name).cast(dtype) if name in nulls else nw.lit(0, dtype).alias(name))
    if replaced:
        frame = frame.with_columns(*replaced)
        schema = frame.collect_schema()
    coded = [name for name in columns if is_text(schema[name]) and schema[name] != nw.String]
    return frame.with_columns(nw.col(*coded).cast(nw.String)) if coded else frame
