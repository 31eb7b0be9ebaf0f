"""No process of ``robustness`` is left behind when the command is interrupted or killed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command import COMMAND, EXAMPLES

from pres_plugin.study.inputs import StudyError
from pres_plugin.study.robustness.processes import in_processes

pytestmark = pytest.mark.release

MINUTES = ["robustness", "qrels.txt", "system-1.run", "system-2.run", "--samples", "2500"]

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc to list processes")


def _group(leader):
    """Return the processes in a group, except those that have ended but not been waited for."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, _, group = (folder / "stat").read_text().rpartition(")")[2].split()[:3]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(group) == leader and state != "Z":
            found.append(int(folder.name))
    return found


def _wait_until(condition):
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


@on_linux
@pytest.mark.parametrize(
    ("kill", "number", "code"),
    [
        pytest.param(os.killpg, signal.SIGINT, 130, id="Ctrl-C"),
        pytest.param(os.kill, signal.SIGTERM, None, id="SIGTERM"),
    ],
)
def test_interrupted_command_leaves_no_process(kill, number, code):
    if os.cpu_count() == 1:
        pytest.skip("with one processor, there is only one process")
    with subprocess.Popen(
        [COMMAND, *MINUTES, "--processes", "2"],
        cwd=EXAMPLES, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL, text=True,
    ) as process:  # fmt: skip
        # The command, the process that tracks Python's semaphores, and two that score.
        _wait_until(lambda: len(_group(process.pid)) == 4 or process.poll() is not None)
        assert process.poll() is None
        kill(process.pid, number)
        out, err = process.communicate(timeout=30)
    _wait_until(lambda: not _group(process.pid))
    assert (process.returncode, out) == (process.returncode if code is None else code, "")
    assert process.returncode != 0
    assert "Traceback" not in err, err


def test_a_killed_process_is_reported():
    with pytest.raises(StudyError, match="a process ended unexpectedly"):
        list(in_processes(os._exit, [3, 3], 2))


def test_stopping_early_does_not_wait():
    results = in_processes(time.sleep, [0, 3600], 2)
    assert next(results) is None
    results.close()
