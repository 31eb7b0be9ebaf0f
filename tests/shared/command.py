"""Run ``pres-eval``: in this process, or as a process of its own where that is under test."""

import os
import pty
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from pres_plugin.cli.app import run

COMMAND = str(Path(sysconfig.get_path("scripts")) / "pres-eval")
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


class Result(NamedTuple):
    """What a command returned and printed."""

    returncode: int
    stdout: str
    stderr: str


def result_of(run_command, stdin=""):
    """Run a command in this process, which saves the imports of a new one."""
    with CliRunner().isolation(stdin) as (out, err, _):
        code = run_command()
        sys.stdout.flush()
        # Read here: in Click 8.2.0, leaving the block closes what was printed.
        return Result(code, out.getvalue().decode(), err.getvalue().decode())


def pres_eval(*arguments, cwd=None, stdin=""):
    """Run ``pres-eval`` with these arguments in this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["pres-eval", *map(str, arguments)])
        if cwd is not None:
            patch.chdir(cwd)
        return result_of(run, stdin)


def refused(*arguments, **options):
    """Run the command, and return the one line that says why it does nothing."""
    result = pres_eval(*arguments, **options)
    assert (result.returncode, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith("pres-eval: ")
    return line.removeprefix("pres-eval: ")


def table_of(*arguments, **options):
    """Run the command without warnings, and return the rows of its TSV after the header."""
    result = pres_eval(*arguments, "-f", "tsv", **options)
    assert (result.returncode, result.stderr) == (0, "")
    return [line.split("\t") for line in result.stdout.splitlines()[1:]]


def pres_eval_process(*arguments, **options):
    """Run the command as a process, as users do."""
    return subprocess.run(
        [COMMAND, *map(str, arguments)], capture_output=True, text=True, check=False, **options
    )


def on_a_terminal(*arguments, cwd):
    """Return the exit code, and what the command writes to stderr when that is a terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [COMMAND, *arguments], cwd=cwd, stdout=subprocess.DEVNULL, stderr=theirs
    ) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # how Linux ends a terminal
                break
            if not part:
                break
            shown += part
    os.close(ours)
    return process.returncode, shown.decode()
