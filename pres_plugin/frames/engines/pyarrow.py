"""PyArrow: tables without running counts, and with several string types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import narwhals.stable.v2 as nw
import pyarrow as pa

from pres_plugin.frames.engines.base import Engine, Frame


class PyArrowEngine(Engine):
    """Scores PyArrow's tables."""

    def null_columns(self, frame: Frame) -> set[str]:
        """Return the columns of type null."""
        return {field.name for field in frame.to_native().schema if pa.types.is_null(field.type)}

    def plain_text(self, frame: Frame, columns: Sequence[str]) -> Frame:
        """Convert to strings; Arrow can neither join nor sort its type string_view."""
        frame = super().plain_text(frame, columns)
        schema = frame.to_native().schema
        usable = {pa.string(), pa.large_string()}
        views = [name for name in columns if schema.field(name).type not in usable]
        return _cast(frame, dict.fromkeys(views, pa.large_string()))

    def as_floats(self, frame: Frame, column: str) -> Frame:
        """Convert to floats, including whole numbers that Arrow would refuse to round."""
        return _cast(frame, {column: pa.float64()}, safe=False)

    def like(self, frame: Frame, other: Frame, columns: Sequence[str]) -> Frame:
        """Convert to the string type of `other`, since Arrow joins only equal types."""
        schema = other.to_native().schema
        return _cast(frame, {name: schema.field(name).type for name in columns})

    def with_count(
        self, frame: Frame, name: str, partition: Sequence[str], order_by: Sequence[str]
    ) -> Frame:
        """Number all sorted rows, then subtract the first number of each partition."""
        numbered = frame.sort(*partition, *order_by).with_row_index(name)
        numbered = numbered.with_columns(nw.col(name).cast(nw.Int64))
        first = numbered.group_by(*partition).agg(nw.col(name).min().alias("_first"))
        joined = numbered.join(first, on=list(partition), how="inner")
        return joined.with_columns(nw.col(name) - nw.col("_first") + 1).drop("_first")

    def with_size(self, frame: Frame, name: str, partition: Sequence[str]) -> Frame:
        """Count with a join, since over() may assign values to the wrong rows in parallel."""
        sizes = frame.group_by(*partition).agg(nw.len().alias(name))
        return frame.join(sizes, on=list(partition), how="inner")


def _cast(frame: Frame, types: Mapping[str, pa.DataType], *, safe: bool = True) -> Frame:
    native = frame.to_native()
    fields = [field.with_type(types.get(field.name, field.type)) for field in native.schema]
    return nw.from_native(native.cast(pa.schema(fields), safe=safe))
