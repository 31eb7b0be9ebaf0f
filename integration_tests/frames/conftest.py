"""One Spark for all tests of a process, since it takes many seconds to start."""

import shutil
import warnings

import pytest


@pytest.fixture(scope="session")
def spark_session():
    """Return Spark's first session; tests that change settings make sessions from it."""
    sql = pytest.importorskip("pyspark.sql", reason="PySpark is not installed")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        session = (
            sql.SparkSession.builder.master("local[2]")
            .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1")
            .config("spark.ui.enabled", "false")
            # Small data: what is compiled takes longer than it saves.
            .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
            .config("spark.sql.codegen.wholeStage", "false")
            .getOrCreate()
        )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()
