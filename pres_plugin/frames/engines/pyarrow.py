"""PyArrow: tables have no running counts, but can be sorted."""

from __future__ import annotations

from collections.abc import Sequence

import narwhals.stable.v2 as nw

from pres_plugin.frames.engines.base import Engine, Frame

__all__ = ["PyArrowEngine"]


class PyArrowEngine(Engine):
    """PyArrow's Table."""

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
