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
        chosen = [each for each in there if each == column]
        if _ignores_case(frame):
            chosen = [each for each in there if each.lower() == column.lower()]
        if not chosen:
            raise InputError(f"{what}: there is no column '{column}'; {_instead(column, frame)}")
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


def _instead(column: str, frame: Frame) -> str:
    """Return a hint for a missing column: the frame's columns, or why it was not found."""
    # On a lazy frame, the attribute `index` could be a column of that name.
    index = getattr(frame.to_native(), "index", None) if isinstance(frame, nw.DataFrame) else None
    if column in getattr(index, "names", ()):
        return "it is a level of the index; call reset_index() to make it a column"
    there = f"it has {', '.join(map(str, frame.columns)) or 'none'}"
    if all(isinstance(name, str) for name in frame.columns):
        return there
    return f"{there}; column names must be strings, so rename those that are not"
