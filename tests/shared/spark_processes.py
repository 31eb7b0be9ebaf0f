"""Spark servers on loopback, as processes of their own: a Connect server and a cluster."""

import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
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


def read_json(url):
    with urllib.request.urlopen(url, timeout=5) as answer:
        return json.load(answer)


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

        Until then it may raise an OSError, or a ValueError for an answer that is no JSON.
        """
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            with suppress(OSError, ValueError):
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


@dataclass(frozen=True)
class Cluster:
    """A standalone cluster: a master and its workers."""

    #: The address for drivers.
    url: str
    master: Process
    workers: list[Process]
    #: The address of the master's state.
    state: str

    def alive(self):
        """Return how many workers the master knows to be alive."""
        return sum(worker["state"] == "ALIVE" for worker in read_json(self.state)["workers"])


@contextmanager
def cluster(folder):
    """Start a master and two workers, each with one core."""
    port, state = free_port(), free_port()
    # Executors need no Python, neither ours nor anybody's.
    environment = {"PYSPARK_PYTHON": "no-python", "SPARK_LOCAL_IP": LOOPBACK, "PYTHONPATH": ""}
    address = f"spark://{LOOPBACK}:{port}"
    deploy = "org.apache.spark.deploy"
    with started(
        folder / "master.log", "spark-class", f"{deploy}.master.Master",
        "--host", LOOPBACK, "--port", port, "--webui-port", state, **environment,
    ) as master:  # fmt: skip
        master.wait_for(lambda: connects(port))
        worker = (
            *("spark-class", f"{deploy}.worker.Worker", "--host", LOOPBACK),
            *("--cores", 1, "--memory", "1g", "--webui-port", 0, address),
        )
        with (
            started(
                folder / "worker-1.log", *worker, "--work-dir", folder / "work-1", **environment
            ) as one,
            started(
                folder / "worker-2.log", *worker, "--work-dir", folder / "work-2", **environment
            ) as two,
        ):
            running = Cluster(address, master, [one, two], f"http://{LOOPBACK}:{state}/json/")
            master.wait_for(lambda: running.alive() == 2)
            yield running


def driver_settings(memory="512m"):
    """Return the settings of a driver on loopback, whose executors take all of a cluster."""
    return {
        "spark.driver.host": LOOPBACK,
        "spark.driver.bindAddress": LOOPBACK,
        "spark.executor.memory": memory,
        "spark.executor.cores": "1",
        "spark.executor.extraJavaOptions": QUICK_START,
    }
