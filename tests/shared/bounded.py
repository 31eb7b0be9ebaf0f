"""Run ``pres-eval`` as a process with limits on time and memory, and check how it fails."""

import ctypes
import os
import re
import resource
import subprocess
import sys
from typing import NamedTuple

from command import COMMAND

#: A process that allocates more than this is refused memory, so that no test can harm the machine.
MOST_BYTES = 6 << 30

# Root may read and write any file because of these capabilities of Linux:
# CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH.
_READ_ANYTHING = (1, 2)
_PR_CAPBSET_DROP = 24

# Linux counts the memory of the process that forks as that of the new one. So a small process
# starts the command, and writes the command's exit status and peak memory to a pipe.
_LAUNCHER = """
import os, signal, sys
report, seconds, *command = sys.argv[1:]
pid = os.fork()
if pid == 0:
    signal.alarm(int(seconds))
    os.execv(command[0], command)
_, status, usage = os.wait4(pid, 0)
os.write(int(report), f"{os.waitstatus_to_exitcode(status)} {usage.ru_maxrss}".encode())
"""


class Ended(NamedTuple):
    """How a process ended: its exit code, and what it printed."""

    returncode: int
    stdout: str
    stderr: str


def bounded(
    *arguments, seconds=60, mib=800, unprivileged=False, before=None, environment=(), **options
):
    """Run the command, and fail if it takes more time or memory than allowed.

    Parameters
    ----------
    *arguments : str, bytes or path
        The arguments of ``pres-eval``.
    seconds, mib : int
        The limits: wall-clock time, after which the command is killed, and peak resident memory.
    unprivileged : bool, default False
        Whether permissions of files apply even if this process runs as root.
    before : callable, optional
        Called in the new process before the command starts, to set limits or close files.
    environment : mapping, optional
        Environment variables in addition to those of this process.
    **options
        Further arguments of :class:`subprocess.Popen`, such as `cwd`, `stdin` or `stdout`.
    """

    def prepare():
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, MOST_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if unprivileged and os.geteuid() == 0:
            for capability in _READ_ANYTHING:
                ctypes.CDLL(None).prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
        if before is not None:
            before()

    ours, theirs = os.pipe()
    launcher = [sys.executable, "-IS", "-c", _LAUNCHER, str(theirs), str(seconds)]
    # Pipes, because `before` may limit the size of files.
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(
        [*launcher, COMMAND, *arguments],
        preexec_fn=prepare,
        env={**os.environ, **dict(environment)},
        pass_fds=[theirs],
        encoding="utf-8",
        errors="surrogateescape",
        **pipes | options,
    ) as process:
        os.close(theirs)
        printed = process.communicate()
    with os.fdopen(ours) as report:
        code, kib = map(int, report.read().split())
    assert kib < 1024 * mib, f"used {kib // 1024} MiB: {printed[1]}"
    return Ended(code, *(text or "" for text in printed))


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
