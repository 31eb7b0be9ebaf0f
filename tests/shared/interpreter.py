"""Run code in an interpreter of its own, since importing happens once in each."""

import os
import subprocess
import sys
import textwrap


def run_python(code, *options, path=(), cwd=None):
    """Run code and return what it prints; fail if it fails.

    Parameters
    ----------
    code : str
        May be indented.
    *options : str
        Options of the interpreter. By default, a RuntimeWarning is an error.
    path : iterable of path
        Folders in which modules are found first.
    cwd : path, optional
        The folder to run in.
    """
    folders = [*map(str, path), os.environ.get("PYTHONPATH")]
    result = subprocess.run(
        [sys.executable, *(options or ("-Werror::RuntimeWarning",)), "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, folders))},
        cwd=cwd,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout
