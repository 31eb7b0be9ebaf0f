"""Run code in an interpreter of its own, since importing happens once in each."""

import os
import subprocess
import sys
import textwrap

# All warnings are errors but those that frameworks cause themselves: ir-measures 0.4.3 parses
# measures in a way that is deprecated from Python 3.12 on; Python warns when it compiles ranx,
# which an installer like uv leaves to it, and numba when it compiles ranx's own metrics.
STRICT = [
    "-Werror",
    "-Wignore:invalid escape sequence",
    "-Wignore:unsafe cast from uint64 to int64",
    "-Wignore:ast.:DeprecationWarning",
    "-Wignore:Attribute:DeprecationWarning",
]


def run_python(code, *options, path=(), cwd=None, **environment):
    """Run code, fail if it fails, and return what it prints.

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
    **environment : str
        Environment variables in addition to those of this process.
    """
    result = subprocess.run(
        [sys.executable, *(options or ("-Werror::RuntimeWarning",)), "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": python_path(*path), **environment},
        cwd=cwd,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def python_path(*folders):
    """Return the value of PYTHONPATH with which modules are found in these folders first."""
    return os.pathsep.join(filter(None, [*map(str, folders), os.environ.get("PYTHONPATH")]))
