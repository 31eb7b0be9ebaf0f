"""Run ``pres-eval`` as a process with limits on time and memory, and check how it fails."""

import ctypes
import os
import re
import resource
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Timer
from typing import NamedTuple

from command import COMMAND

#: A process that allocates more than this is refused memory, so that no test can harm the machine.
MOST_MIB = 6 * 1024

# Root may read and write any file because of these capabilities of Linux:
# CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH.
_READ_ANYTHING = (1, 2)
_PR_CAPBSET_DROP = 24

# Linux counts the memory of the process that forks as that of the new one. So a small process
# starts the command, and writes the command's exit status and peak memory to a pipe.
_LAUNCHER = """
import os, sys
report, *command = sys.argv[1:]
pid = os.fork()
if pid == 0:
    os.execv(command[0], command)
_, status, usage = os.wait4(pid, 0)
os.write(int(report), f"{os.waitstatus_to_exitcode(status)} {usage.ru_maxrss}".encode())
"""


class Ended(NamedTuple):
    """How a process ended: its exit code, what it printed, seconds, and its peak memory in MiB."""

    returncode: int
    stdout: str
    stderr: str
    seconds: float
    mib: float


def bounded(
    *arguments, seconds=60, mib=800, unprivileged=False, before=None, environment=(), **options
):
    """Run the command, and fail if it takes more time or memory than allowed.

    Parameters
    ----------
    *arguments : str, bytes or path
        The arguments of ``pres-eval``.
    seconds, mib : number
        The limits: wall-clock time, and peak resident memory.
    unprivileged : bool, default False
        Whether permissions of files apply even if this process runs as root.
    before : callable, optional
        Called in the new process before the command starts, to set limits or close files.
    environment : mapping, optional
        Environment variables in addition to those of this process.
    **options
        Further arguments of :class:`subprocess.Popen`, such as `cwd`, `stdin` or `stdout`.
    """
    arguments = [a if isinstance(a, bytes) else os.fspath(a) for a in arguments]

    def prepare():
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_MIB << 20, MOST_MIB << 20))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if unprivileged and os.geteuid() == 0:
            for capability in _READ_ANYTHING:
                ctypes.CDLL(None).prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
        if before is not None:
            before()

    # Not files, because `before` may limit the size of files.
    options = {
        "stdin": subprocess.DEVNULL,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
        **options,
    }
    start = time.monotonic()
    ours, theirs = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-IS", "-c", _LAUNCHER, str(theirs), COMMAND, *arguments],
        preexec_fn=prepare,
        env={**os.environ, **dict(environment)},
        pass_fds=[theirs],
        start_new_session=True,
        **options,
    )
    os.close(theirs)
    timer = Timer(seconds, os.killpg, (process.pid, signal.SIGKILL))
    timer.start()
    with process, ThreadPoolExecutor(2) as threads:
        printed = list(threads.map(_read, (process.stdout, process.stderr)))
    timer.cancel()
    with os.fdopen(ours) as report:
        status = report.read().split()
    taken = time.monotonic() - start
    assert status, f"stopped after {taken:.0f} s: {printed[1]}"
    ended = Ended(int(status[0]), *printed, taken, int(status[1]) / 1024)
    assert ended.mib < mib, f"used {ended.mib:.0f} MiB: {ended.stderr}"
    return ended


def check_refused(ended, *names, code=2):
    """Check that a process failed as it should, and return the one line that says why.

    It must print nothing on standard output, and one line on standard error that contains
    each of `names`. Warnings before that line are allowed.
    """
    assert ended.returncode == code, ended.stderr
    assert ended.stdout == ""
    assert "Traceback" not in ended.stderr
    lines = ended.stderr.removesuffix("\n").split("\n")
    assert all(line.startswith("pres-eval: warning: ") for line in lines[:-1]), ended.stderr
    line = lines[-1]
    assert line.startswith("pres-eval: "), ended.stderr
    assert not re.search(r"[\x00-\x1f\x7f-\x9f]", line), ended.stderr
    for name in names:
        assert name in line, line
    return line.removeprefix("pres-eval: ")


def _read(file):
    return "" if file is None else file.read().decode(errors="surrogateescape")
