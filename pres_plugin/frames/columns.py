"""What the user asks for, and where the columns are in a frame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import narwhals.stable.v2 as nw

from pres_plugin.measures import Measure
from pres_plugin.messages import InputError

if TYPE_CHECKING:
    from pres_plugin.ranking.tables import Duplicates

#: An eager or a lazy frame of narwhals. No type describes both.
Frame = Any

#: The user's names of columns, or those of a frame, by ours: `query_id`, `doc_id`, `relevance`,
#: `score` or `rank`, and `by0`, `by1`, … for those that distinguish runs.
Names = Mapping[str, str]


class Asked(NamedTuple):
    """What the user asks for, with the user's names of columns."""

    measures: list[Measure]
    duplicates: Duplicates
    parts: Names  # what distinguishes rankings: the columns of `by` and `query_id`
    run: Names
    qrels: Names

    @property
    def by(self) -> list[str]:
        """The columns that distinguish runs."""
        return list(self.parts)[:-1]


def find(frame: Frame, what: str, names: Names) -> Names:
    """Return the frame's names of columns, or raise if a column is missing or not the only one."""
    there = list(frame.columns)
    found = {}
    for name, column in names.items():
        if not isinstance(column, str):
            raise TypeError(f"the name of a column must be a string, got {column!r}; rename it")
        chosen = [each for each in there if each == column]
        if _ignores_case(frame):
            chosen = [each for each in there if each.lower() == column.lower()]
        if not chosen:
            known = ", ".join(map(str, there)) or "none"
            raise InputError(
                f"{what}: there is no column '{column}'; the columns are {known}{hint(frame)}"
            )
        if len(chosen) > 1:
            raise InputError(
                f"{what}: columns {chosen} are all called '{column}'; rename all but one of them"
            )
        found[name] = chosen[0]
    return found


def _ignores_case(frame: Frame) -> bool:
    if frame.implementation.is_spark_like():
        setting = frame.to_native().sparkSession.conf.get("spark.sql.caseSensitive")
        return str(setting).lower() != "true"
    return bool(frame.implementation.is_ibis())  # DuckDB would read another column


def hint(frame: Frame) -> str:
    """Return why a column may be missing from a frame: it is in the index, or is not a string."""
    # On a lazy frame, the attribute `index` could be a column of that name.
    index = getattr(frame.to_native(), "index", None) if isinstance(frame, nw.DataFrame) else None
    if levels := [*filter(None, getattr(index, "names", ()))]:
        return f"; {levels} are levels of the index; call reset_index() to make them columns"
    if all(isinstance(name, str) for name in frame.columns):
        return ""
    return "; column names must be strings, so rename those that are not"
