"""Spark servers on loopback, as processes of their own: a Connect server and a cluster."""

import os
import shutil
import signal
import socket
import subprocess
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
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


def free_port():
    with socket.socket() as listener:
        listener.bind((LOOPBACK, 0))
        return listener.getsockname()[1]


def connects(port):
    socket.create_connection((LOOPBACK, port), timeout=1).close()
    return True


def options(settings):
    """Return settings as options of ``spark-submit``."""
    return [word for key, value in settings.items() for word in ("--conf", f"{key}={value}")]


@dataclass(frozen=True)
class Process:
    """A running process and the file of its output."""

    popen: subprocess.Popen
    log: Path

    def wait_for(self, condition, seconds=90):
        """Return the first true result of `condition`.

        Until then it may raise an OSError.
        """
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            with suppress(OSError):
                if found := condition():
                    return found
            with suppress(subprocess.TimeoutExpired):
                # Wait for its end instead of sleeping: a process that fails is noticed at once.
                self.popen.wait(0.05)
                break
        output = self.log.read_text(errors="replace")[-5000:]
        raise RuntimeError(f"{self.popen.args[0]} failed, or was not ready in time:\n{output}")

    def kill(self):
        """Kill the process and all that it has started, as a machine that loses its power."""
        with suppress(ProcessLookupError):
            os.killpg(self.popen.pid, signal.SIGKILL)
        self.popen.wait()


@contextmanager
def started(log, command, *words, **environment):
    """Run a command of Spark, and kill it in the end."""
    home = Path(find_spec("pyspark").origin).parent
    with (
        log.open("wb") as output,
        subprocess.Popen(
            [*WITH_PARENT, str(home / "bin" / command), *map(str, words)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**os.environ, "SPARK_HOME": str(home), **environment},
            # A group of processes, which also contains the executors that a worker starts.
            start_new_session=True,
        ) as popen,
    ):
        process = Process(popen, log)
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def connect_server(folder):
    """Start a Connect server, and return its address."""
    port = free_port()
    settings = {
        "spark.connect.grpc.binding.address": LOOPBACK,
        "spark.connect.grpc.binding.port": port,
        "spark.driver.extraJavaOptions": QUICK_START,
        "spark.sql.warehouse.dir": folder / "warehouse",
        **SMALL_DATA,
    }
    server = ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer"]
    words = ["--master", "local[2]", *options(settings), *server, "spark-internal"]
    with started(folder / "connect.log", "spark-submit", *words, SPARK_CONNECT_MODE="0") as process:
        process.wait_for(lambda: connects(port))
        yield f"sc://{LOOPBACK}:{port}"


@contextmanager
def cluster(folder):
    """Start a standalone cluster: a master, and a worker with two cores. Return its address."""
    port = free_port()
    environment = {"SPARK_LOCAL_IP": LOOPBACK, "PYTHONPATH": ""}
    address = f"spark://{LOOPBACK}:{port}"
    common = ("--host", LOOPBACK, "--webui-port", 0)
    deploy = "org.apache.spark.deploy"
    with started(
        folder / "master.log", "spark-class", f"{deploy}.master.Master", *common, "--port", port,
        **environment,
    ) as master:  # fmt: skip
        master.wait_for(lambda: connects(port))
        with started(
            folder / "worker.log", "spark-class", f"{deploy}.worker.Worker", *common,
            "--cores", 2, "--memory", "1g", "--work-dir", folder / "work", address, **environment,
        ):  # fmt: skip
            yield address


def driver_settings():
    """Return the settings of a driver on loopback, with two executors of one core each."""
    return {
        "spark.driver.host": LOOPBACK,
        "spark.driver.bindAddress": LOOPBACK,
        "spark.executor.memory": "512m",
        "spark.executor.cores": "1",
        "spark.executor.extraJavaOptions": QUICK_START,
    }
