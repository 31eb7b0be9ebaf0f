"""Spark sessions of each kind, and frames in them."""

import warnings
from contextlib import contextmanager

import pytest
from spark_processes import (
    QUICK_START,
    SMALL_DATA,
    cluster,
    connect_server,
    driver_settings,
    require,
)


@pytest.fixture(scope="session", params=["local"])
def spark_session(request, tmp_path_factory):
    """Return a session: "local", on a "cluster", or of a "Connect" server, as the test asks.

    A process has one of them at a time. Tests that change settings change them back, or
    make a new session from it.
    """
    require("pyspark")
    with KINDS[request.param](tmp_path_factory.mktemp(request.param)) as session:
        yield session


@contextmanager
def classic(master, **settings):
    """Start a classic session, whose driver is a child of this process."""
    from pyspark.sql import SparkSession

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        builder = SparkSession.builder.master(master)
        builder = builder.config("spark.driver.extraJavaOptions", QUICK_START)
        session = builder.config(map=SMALL_DATA | settings).getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    try:
        yield session
    finally:
        session.stop()


def local(_folder):
    return classic("local[2]")


@contextmanager
def on_cluster(folder):
    with cluster(folder) as address, classic(address, **driver_settings()) as session:
        yield session


@contextmanager
def connect(folder):
    require("grpc", "grpc_status", "google.rpc", "zstandard")
    # Not from pyspark.sql, whose builder would turn the whole process into a client.
    from pyspark.sql.connect.session import SparkSession

    with connect_server(folder) as url:
        session = SparkSession.builder.remote(url).create()
        try:
            yield session
        finally:
            # The client would wait for minutes for a server that ends before it.
            session.stop()


KINDS = {"local": local, "cluster": on_cluster, "Connect": connect}


def sessions(*marks):
    """Parametrize with each kind of session; `marks` are those of the local one."""
    others = [
        pytest.param(kind, marks=[pytest.mark.release, pytest.mark.xdist_group(kind)])
        for kind in ("Connect", "cluster")
    ]
    kinds = [pytest.param("local", marks=marks), *others]
    return pytest.mark.parametrize("spark_session", kinds, indirect=True, scope="session")


everywhere = sessions(pytest.mark.release)


@pytest.fixture(scope="module")
def spark(spark_session):
    # Small data: what is split up takes longer than it saves.
    settings = {"spark.sql.adaptive.enabled": "false", "spark.sql.shuffle.partitions": "1"}
    with configured(spark_session, settings):
        yield spark_session


@contextmanager
def configured(spark, settings):
    """Change settings, and change them back in the end."""
    before = {name: spark.conf.get(name) for name in settings}
    for name, value in settings.items():
        spark.conf.set(name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            spark.conf.set(name, value)


@pytest.fixture
def ansi(request, spark):
    """Run in Spark's ANSI mode, or without it."""
    with configured(spark, {"spark.sql.ansi.enabled": str(request.param == "ANSI").lower()}):
        yield


def frame(spark, table):
    """Return an Arrow table as a frame. Unlike rows, it needs no Python on the workers."""
    import pyarrow as pa

    types = [field.type for field in table.schema]
    if any(map(pa.types.is_unsigned_integer, types)):
        pytest.skip("Spark has no unsigned integers")
    others = [kind for kind in types if pa.types.is_dictionary(kind) or str(kind) == "string_view"]
    if others:
        pytest.skip(f"Spark does not read Arrow's {others[0]}")
    if len(table):
        return spark.createDataFrame(table)
    # PySpark does not infer the types of a table without rows.
    nulls = pa.table([pa.nulls(1, kind) for kind in types], schema=table.schema)
    return spark.createDataFrame(nulls).limit(0)


def frames(spark, *tables):
    return [frame(spark, table) for table in tables]
