"""Run code in forks of an interpreter that has imported what the code needs.

Importing happens once in an interpreter, so its tests need many. Starting one and importing
NumPy takes 0.1 seconds, and what ranx imports takes 2; a fork takes 0.01. The frameworks and
this package are not imported before the fork.
"""

import json
import os
import subprocess
import sys
import textwrap
from functools import cache
from importlib.util import find_spec

import pytest

PARENT = """
import json, os, sys, traceback
from contextlib import suppress
from importlib import import_module
from tempfile import TemporaryFile

# Not every release of a framework needs all of these.
for name in sys.argv[1:]:
    with suppress(ImportError):
        import_module(name)

for line in sys.stdin:
    request = json.loads(line)
    with TemporaryFile() as stdout, TemporaryFile() as stderr:
        child = os.fork()
        if child == 0:
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(stdout.fileno(), 1)
            os.dup2(stderr.fileno(), 2)
            del sys.argv[1:]
            sys.path[:0] = request["path"]
            failed = True
            try:
                exec(request["code"], {"__name__": "__main__"})
                failed = False
            except BaseException:
                traceback.print_exc()
            sys.stdout.flush()
            os._exit(failed)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        stdout.seek(0)
        stderr.seek(0)
        print(json.dumps([status, stdout.read().decode(), stderr.read().decode()]), flush=True)
"""


@cache
def interpreter(modules, options, environment):
    """Start an interpreter that forks; it ends with this process."""
    return subprocess.Popen(
        [sys.executable, *options, "-c", PARENT, *modules],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **dict(environment)},
    )


def python(code, *options, path=(), modules=("numpy",), **environment):
    """Run code in a fork, fail if it fails, and return what it prints to stdout and stderr.

    `modules` are imported before the fork. The other parameters are those of
    :func:`interpreter.run_python`.
    """
    options = options or ("-Werror::RuntimeWarning",)
    parent = interpreter(modules, options, tuple(environment.items()))
    request = {"code": textwrap.dedent(code), "path": list(map(str, path))}
    parent.stdin.write(json.dumps(request) + "\n")
    parent.stdin.flush()
    answer = parent.stdout.readline()
    assert answer, "the interpreter has ended"
    status, stdout, stderr = json.loads(answer)
    assert status == 0, stderr
    return stdout, stderr


def run_python(code, *options, **settings):
    """Run code as :func:`python` does, and return what it prints to stdout."""
    return python(code, *options, **settings)[0]


#: What ranx and PyTerrier import.
OF_RANX = ("ir_datasets", "matplotlib.pyplot", "numba.typed", "pandas", "scipy.stats", "seaborn")
OF_PYTERRIER = ("IPython", "pandas", "requests", "seaborn", "numba.typed", "wrapt")
#: Interpreted, ranx's metrics compute the same, and need not be compiled.
WITHOUT_COMPILER = {"NUMBA_DISABLE_JIT": "1", "MPLBACKEND": "agg"}


def run_with_ranx(code, **settings):
    """Run code that imports ranx, and return what it prints to stdout."""
    if find_spec("ranx") is None:
        pytest.skip("ranx is not installed")
    return run_python(code, modules=OF_RANX, **WITHOUT_COMPILER, **settings)
