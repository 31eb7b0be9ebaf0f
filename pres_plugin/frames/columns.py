"""Find the user's columns, and check their types, which depend on their roles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw

from pres_plugin.frames.engines.base import Engine, Frame
from pres_plugin.frames.names import DOC, QUERY, RANK, RELEVANCE, SCORE
from pres_plugin.messages import InputError


@dataclass(frozen=True)
class ColumnNames:
    """The user's names for the columns."""

    query_id: str
    doc_id: str
    relevance: str
    #: The column of scores, or of ranks if `ranked` is true.
    order: str
    ranked: bool
    #: The columns that distinguish runs.
    by: tuple[str, ...]

    @property
    def parts(self) -> dict[str, str]:
        """Map our names to the user's, for the columns that distinguish rankings."""
        return {f"_by{i}": column for i, column in enumerate(self.by)} | {QUERY: self.query_id}

    @property
    def in_run(self) -> dict[str, str]:
        """Map our names to the user's, for the columns of a run."""
        return self.parts | {DOC: self.doc_id, (RANK if self.ranked else SCORE): self.order}

    @property
    def in_qrels(self) -> dict[str, str]:
        """Map our names to the user's, for the columns of qrels."""
        return {QUERY: self.query_id, DOC: self.doc_id, RELEVANCE: self.relevance}


class Role(NamedTuple):
    """The role of a column, with the types that it allows."""

    #: Return whether a column of the given type can be used.
    accepts: Callable[[Any], bool]
    #: The end of the error message for a column of another type.
    expected: str
    #: The type for a column that contains only nulls, or whose frame has no rows.
    dtype: Any


def _is_text(dtype: Any) -> bool:
    return isinstance(dtype, nw.String | nw.Categorical | nw.Enum)


_ID = Role(
    _is_text,
    "ids are strings, as in trec_eval and ir-measures, so cast the column to strings",
    nw.String(),
)
_ROLES = {
    QUERY: _ID,
    DOC: _ID,
    SCORE: Role(
        lambda dtype: dtype.is_numeric(),
        "scores are numbers, so cast the column to floats",
        nw.Float64(),
    ),
    RANK: Role(
        lambda dtype: dtype.is_numeric(),
        "ranks are whole numbers, so cast the column to integers",
        nw.Int64(),
    ),
    RELEVANCE: Role(
        lambda dtype: dtype.is_numeric(),
        "relevance is a whole number, so cast the column to integers",
        nw.Int64(),
    ),
}
_DISTINGUISHES_RUNS = Role(
    lambda _: True, "polars cannot compare them, so cast the column to strings", nw.String()
)


def find_columns(
    frame: Frame, what: str, columns: Mapping[str, str], engine: Engine
) -> dict[str, str]:
    """Map our names to the frame's; raise if one of the user's columns is missing or repeated.

    `columns` maps our names to the user's.
    """
    found = {}
    for ours, column in columns.items():
        names = engine.named(frame, column)
        if not names:
            raise InputError(f"{what}: there is no column '{column}'; {_instead(column, frame)}")
        if len(set(names)) > 1:
            raise InputError(
                f"{what}: columns {' and '.join(map(repr, names))} differ from '{column}' only in "
                "case, which is ignored; rename all but one of them"
            )
        if len(names) > 1:
            raise repeated_name(what, names)
        found[ours] = names[0]
    return found


def repeated_name(what: str, names: Sequence[Any]) -> InputError:
    """Return the error for a frame in which several columns have the same name."""
    name = next(name for name in names if names.count(name) > 1)
    return InputError(f"{what}: several columns are called '{name}'; rename all but one of them")


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


def wrong_type(what: str, name: str, column: str, dtype: Any) -> InputError:
    """Return the error for a column whose type its role does not allow.

    `name` is our name of the column, and `column` the user's.
    """
    expected = _ROLES.get(name, _DISTINGUISHES_RUNS).expected
    return InputError(f"{what}: column '{column}' contains {dtype}; {expected}")


def with_types(frame: Frame, what: str, columns: Mapping[str, str], engine: Engine) -> Frame:
    """Check the types of columns, and convert all text to one type.

    `columns` maps our names, which the frame has, to the user's. In a frame without rows, a
    column of a wrong type is replaced, because the library could not infer its type.
    """
    schema = frame.collect_schema()
    nulls = engine.null_columns(frame)
    without_rows = isinstance(frame, nw.DataFrame) and frame.is_empty()
    converted = []
    for name, column in columns.items():
        role, dtype = _ROLES.get(name, _DISTINGUISHES_RUNS), schema[name]
        if name in nulls:
            converted.append(nw.col(name).cast(role.dtype))
        elif not role.accepts(dtype):
            if not without_rows:
                raise wrong_type(what, name, column, dtype)
            # Some types cannot be cast, so replace the empty column with a literal.
            converted.append(nw.lit(0, role.dtype).alias(name))
        elif _is_text(dtype) and dtype != nw.String:
            converted.append(nw.col(name).cast(nw.String))
    return frame.with_columns(*converted) if converted else frame
