"""pandas, Modin and cuDF: frames with an index and with several string types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw

from pres_plugin.frames.engines.base import Engine, Frame


class PandasEngine(Engine):
    """Scores DataFrames of pandas, Modin and cuDF."""

    def select(self, frame: Frame, columns: Mapping[str, str]) -> Frame:
        """Select columns and reset the index, whose labels may be repeated."""
        return nw.maybe_reset_index(super().select(frame, columns))

    def null_columns(self, frame: Frame) -> set[str]:
        """Return the columns of Arrow's null type."""
        return {name for name, arrow in _arrow_types(frame).items() if str(arrow) == "null"}

    def plain_text(self, frame: Frame, columns: Sequence[str]) -> Frame:
        """Convert to strings; Arrow can neither join nor sort its type string_view."""
        arrow = _arrow_types(frame)
        views = [name for name in columns if str(arrow.get(name)) == "string_view"]
        return super().plain_text(_cast(frame, views, "large_string"), columns)

    def as_floats(self, frame: Frame, column: str) -> Frame:
        """Convert to floats, including whole numbers that Arrow would refuse to round."""
        if column in _arrow_types(frame):
            return _cast(frame, [column], "float64")
        return super().as_floats(frame, column)


def _arrow_types(frame: Frame) -> dict[str, Any]:
    """Return the Arrow types of the columns that are stored with Arrow."""
    dtypes = frame.to_native().dtypes
    return {
        name: dtype.pyarrow_dtype
        for name, dtype in zip(frame.columns, dtypes, strict=True)
        if hasattr(dtype, "pyarrow_dtype")
    }


def _cast(frame: Frame, columns: Sequence[str], kind: str) -> Frame:
    """Cast columns that are stored with Arrow to another Arrow type, rounding if necessary."""
    native = frame.to_native()
    changed = {}
    for name in columns:
        array = native[name].array
        changed[name] = type(array)(array.__arrow_array__().cast(kind, safe=False))
    return nw.from_native(native.assign(**changed)) if changed else frame
