"""Spark Connect: the same steps, with its own functions, even where a process has both Sparks."""

from __future__ import annotations

from pyspark.sql.connect import functions
from pyspark.sql.connect.window import Window

from pres_plugin.frames.engines.spark import SparkEngine


class SparkConnectEngine(SparkEngine):
    """Scores DataFrames of Spark Connect."""

    F, Window = functions, Window
