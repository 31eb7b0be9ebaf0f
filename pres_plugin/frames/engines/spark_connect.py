"""Spark Connect: the operations of :mod:`.spark`, with Spark Connect's own functions.

They work even in a process that also uses classic Spark.
"""

from __future__ import annotations

from typing import Any

from pyspark.sql.connect import functions
from pyspark.sql.connect.window import Window

from pres_plugin.frames.engines.spark import SparkEngine


class SparkConnectEngine(SparkEngine):
    """Scores DataFrames of Spark Connect."""

    F: Any = functions
    Window: Any = Window
