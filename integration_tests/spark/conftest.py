"""The Spark sessions of a process."""

from spark_sessions import ansi, spark, spark_session  # noqa: F401
