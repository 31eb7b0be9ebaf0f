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
        place = nw.col(name).cast(nw.Int64)
        return numbered.with_columns((place - place.min().over(partition) + 1).alias(name))
