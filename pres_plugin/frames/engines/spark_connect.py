"""Spark Connect: the same steps, with its own columns, even where a process has both Sparks."""

from __future__ import annotations

from pyspark.sql.connect import functions

from pres_plugin.frames.engines.spark import SparkEngine


class SparkConnectEngine(SparkEngine):
    """Scores DataFrames of Spark Connect."""

    F = functions
