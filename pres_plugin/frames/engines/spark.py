"""Spark: raise errors in SQL, and compare ids without collations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw
from pyspark.sql import Window, functions
from pyspark.sql.types import NullType, StringType

from pres_plugin.frames.engines.base import Engine, Frame
from pres_plugin.frames.names import DOC, MESSAGE, RANK, SCORE


class SparkEngine(Engine):
    """Scores classic DataFrames."""

    #: The functions and windows for columns of these frames.
    F: Any = functions
    Window: Any = Window

    def named(self, frame: Frame, column: str) -> list[str]:
        """Return the columns of this name; like Spark, ignore case if none has exactly this name.

        A column of exactly this name comes first, even where Spark calls it ambiguous.
        """
        exact = super().named(frame, column)
        if exact or _is_case_sensitive(frame):
            return exact
        return [name for name in frame.columns if name.lower() == column.lower()]

    def select(self, frame: Frame, columns: Mapping[str, str]) -> Frame:
        """Select by position, since Spark parses dots and backticks in names and ignores case."""
        native = frame.to_native()
        names = native.columns
        numbered = native.toDF(*(f"_{i}" for i in range(len(names))))
        chosen = (self.F.col(f"_{names.index(old)}").alias(new) for new, old in columns.items())
        return nw.from_native(numbered.select(*chosen))

    def restored(self, frame: Frame, columns: Mapping[str, str]) -> Frame:
        """Rename by position, as in :meth:`select`."""
        native = frame.to_native().select(*columns)
        return nw.from_native(native.toDF(*columns.values()))

    def null_columns(self, frame: Frame) -> set[str]:
        """Return the columns of type void."""
        fields = frame.to_native().schema.fields
        return {field.name for field in fields if isinstance(field.dataType, NullType)}

    def exact_ids(self, frame: Frame, columns: Sequence[str]) -> Frame:
        """Use the collation that compares bytes; Spark 4.0 and later have others too."""
        native = frame.to_native()
        for field in native.schema.fields:
            collation = getattr(field.dataType, "collation", "UTF8_BINARY")
            if field.name in columns and collation != "UTF8_BINARY":
                plain = self.F.col(field.name).cast(StringType())
                native = native.withColumn(field.name, self.F.collate(plain, "UTF8_BINARY"))
        return nw.from_native(native)

    def with_ranks(self, frame: Frame, partition: Sequence[str]) -> Frame:
        """Number the rows in one window; Spark writes rankings too large for memory to disk."""
        order = self.Window.partitionBy(*partition).orderBy(self.F.desc(SCORE), self.F.desc(DOC))
        rank = self.F.row_number().over(order).cast("bigint")
        return nw.from_native(frame.to_native().withColumn(RANK, rank))

    def failing(self, native: Any, column: str) -> Any:
        """Raise with SQL's raise_error()."""
        message = self.F.col(MESSAGE)
        # Spark filters out rows with null ids before a join, and moves this filter past
        # deterministic columns. spark_partition_id() makes this column non-deterministic, so
        # that these rows are checked before they are filtered out.
        is_wrong = message.isNotNull() & (self.F.spark_partition_id() >= 0)
        guarded = self.F.when(is_wrong, self.F.raise_error(message)).otherwise(self.F.col(column))
        return native.withColumn(column, guarded)

    def long(
        self, frame: Frame, index: Sequence[str], on: Sequence[str], name: str, value: str
    ) -> Frame:
        """Unpivot columns whose names may contain dots, such as ``WSS(N=9)@0.5``."""
        values = [self.F.col(f"`{column}`") for column in on]
        return nw.from_native(frame.to_native().unpivot(list(index), values, name, value))


def _is_case_sensitive(frame: Frame) -> bool:
    conf = frame.to_native().sparkSession.conf
    return str(conf.get("spark.sql.caseSensitive")).lower() == "true"
