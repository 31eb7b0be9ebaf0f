"""Spark sessions of each kind, and frames in them."""

import os
import shutil
import signal
import socket
import subprocess
import time
import warnings
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

import pytest

LOOPBACK = "127.0.0.1"

# For small data: what is compiled or split up takes longer than it saves.
SMALL_DATA = {
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
    "spark.ui.enabled": "false",
}
QUICK_START = "-XX:TieredStopAtLevel=1"

# Where Linux has this command, a process ends even if the tests are killed.
WITH_PARENT = ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []


def require(*modules):
    """Skip the test if Java or one of these modules is not installed."""
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java, which is not installed")
    for name in modules:
        pytest.importorskip(name, reason=f"{name} is not installed")


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


def on_cluster(_folder):
    """Start a session whose two executors, with one core each, are processes of their own."""
    settings = {
        "spark.driver.host": LOOPBACK,
        "spark.driver.bindAddress": LOOPBACK,
        "spark.executor.memory": "512m",
        "spark.executor.extraJavaOptions": QUICK_START,
    }
    return classic("local-cluster[2,1,512]", **settings)


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


@contextmanager
def connect_server(folder):
    """Start a Connect server as a process of its own, and return its address."""
    with socket.socket() as listener:
        listener.bind((LOOPBACK, 0))
        port = listener.getsockname()[1]
    settings = {
        "spark.connect.grpc.binding.address": LOOPBACK,
        "spark.connect.grpc.binding.port": port,
        "spark.driver.extraJavaOptions": QUICK_START,
        "spark.sql.warehouse.dir": folder / "warehouse",
        **SMALL_DATA,
    }
    options = [word for key, value in settings.items() for word in ("--conf", f"{key}={value}")]
    server = ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer"]
    home = Path(find_spec("pyspark").origin).parent
    command = [home / "bin" / "spark-submit", "--master", "local[2]", *options, *server]
    log = folder / "connect.log"
    with (
        log.open("wb") as output,
        subprocess.Popen(
            [*WITH_PARENT, *command, "spark-internal"],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**os.environ, "SPARK_HOME": str(home), "SPARK_CONNECT_MODE": "0"},
            # A group of processes, which also contains those that the server starts.
            start_new_session=True,
        ) as process,
    ):
        try:
            wait_for(port, process, log)
            yield f"sc://{LOOPBACK}:{port}"
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def wait_for(port, process, log, seconds=90):
    """Wait until a process listens at the port."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with suppress(OSError):
            return socket.create_connection((LOOPBACK, port), timeout=1).close()
        with suppress(subprocess.TimeoutExpired):
            # Wait for its end instead of sleeping: a process that fails is noticed at once.
            process.wait(0.05)
            break
    output = log.read_text(errors="replace")[-5000:]
    raise RuntimeError(f"the server failed, or was not ready in time:\n{output}")


KINDS = {"local": local, "cluster": on_cluster, "Connect": connect}


release = pytest.mark.release
others = [
    pytest.param(kind, marks=[release, pytest.mark.xdist_group(kind)])
    for kind in ("Connect", "cluster")
]
#: Parametrize a test with each kind of session.
everywhere = pytest.mark.parametrize(
    "spark_session", [pytest.param("local", marks=release), *others], indirect=True, scope="session"
)


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
