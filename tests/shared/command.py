"""Run ``pres-eval``: in this process, or as a process of its own on a terminal."""

import os
import pty
import subprocess
import sys
import sysconfig
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from pres_plugin.cli.app import pres_eval as group
from pres_plugin.cli.app import run_command

COMMAND = str(Path(sysconfig.get_path("scripts")) / "pres-eval")
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


class Result(NamedTuple):
    """What a command returned and printed."""

    returncode: int
    stdout: str
    stderr: str


def result_of(command, stdin=""):
    """Run a command in this process, which saves the imports of a new one."""
    with CliRunner().isolation(stdin) as (out, err, _):
        code = command()
        sys.stdout.flush()
        # Read here: in Click 8.2.0, leaving the block closes what was printed.
        return Result(code, out.getvalue().decode(), err.getvalue().decode())


def pres_eval(*arguments, cwd=None, stdin=""):
    """Run ``pres-eval`` with these arguments in this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["pres-eval", *map(str, arguments)])
        if cwd is not None:
            patch.chdir(cwd)
        return result_of(lambda: run_command(group, "pres-eval"), stdin)


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


def on_a_terminal(*arguments, cwd):
    """Return the exit code, and what the command writes to stderr when that is a terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [COMMAND, *arguments], cwd=cwd, stdout=subprocess.DEVNULL, stderr=theirs
    ) as process:
        os.close(theirs)
        shown = b""
        # Linux ends a terminal with an error.
        with os.fdopen(ours, "rb", buffering=0) as terminal, suppress(OSError):
            while part := terminal.read(4096):
                shown += part
    return process.returncode, shown.decode()
