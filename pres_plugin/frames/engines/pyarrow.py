"""PyArrow: tables can be sorted but have no running counts, and text has several types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import narwhals.stable.v2 as nw
import pyarrow as pa

from pres_plugin.frames.engines.base import Engine, Frame

__all__ = ["PyArrowEngine"]


class PyArrowEngine(Engine):
    """PyArrow's Table."""

    def null_columns(self, frame: Frame) -> set[str]:
        """Those of the type null."""
        return {field.name for field in frame.to_native().schema if pa.types.is_null(field.type)}

    def plain_text(self, frame: Frame, columns: Sequence[str]) -> Frame:
        """Without views of strings, which Arrow can neither join nor sort."""
        frame = super().plain_text(frame, columns)
        schema = frame.to_native().schema
        joined = {pa.string(), pa.large_string()}
        views = [name for name in columns if schema.field(name).type not in joined]
        return _cast(frame, dict.fromkeys(views, pa.large_string()))

    def as_floats(self, frame: Frame, column: str) -> Frame:
        """Rounded, where Arrow by itself refuses whole numbers that are not exactly floats."""
        return _cast(frame, {column: pa.float64()}, safe=False)

    def like(self, frame: Frame, other: Frame, columns: Sequence[str]) -> Frame:
        """As strings of the same size, since Arrow joins no others."""
        schema = other.to_native().schema
        return _cast(frame, {name: schema.field(name).type for name in columns})

    def with_count(
        self, frame: Frame, name: str, partition: Sequence[str], order_by: Sequence[str]
    ) -> Frame:
        """Number all rows, and each from the first one of its part."""
        numbered = frame.sort(*partition, *order_by).with_row_index(name)
        numbered = numbered.with_columns(nw.col(name).cast(nw.Int64))
        first = numbered.group_by(*partition).agg(nw.col(name).min().alias("_first"))
        joined = numbered.join(first, on=list(partition), how="inner")
        return joined.with_columns(nw.col(name) - nw.col("_first") + 1).drop("_first")

    def with_size(self, frame: Frame, name: str, partition: Sequence[str]) -> Frame:
        """Joined: over() puts values into the wrong rows when Arrow joins in parallel."""
        sizes = frame.group_by(*partition).agg(nw.len().alias(name))
        return frame.join(sizes, on=list(partition), how="inner")


def _cast(frame: Frame, types: Mapping[str, pa.DataType], *, safe: bool = True) -> Frame:
    native = frame.to_native()
    fields = [field.with_type(types.get(field.name, field.type)) for field in native.schema]
    return nw.from_native(native.cast(pa.schema(fields), safe=safe))
