"""Run code in forks of one interpreter, which has imported what ranx imports.

These imports take two seconds in an interpreter of its own, and tests of how ranx is
imported need many. ranx itself and this package are not imported before the fork.
"""

import json
import os
import subprocess
import sys
import textwrap
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

PARENT = """
import json, os, sys, traceback
from contextlib import suppress
from importlib import import_module

# Not every release of ranx needs all of these.
for name in ("ir_datasets", "matplotlib.pyplot", "numba.typed", "pandas", "scipy.stats", "seaborn"):
    with suppress(ImportError):
        import_module(name)

for line in sys.stdin:
    request = json.loads(line)
    child = os.fork()
    if child == 0:
        for stream, file in ((1, request["stdout"]), (2, request["stderr"])):
            os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), stream)
        sys.path[:0] = request["path"]
        failed = True
        try:
            exec(request["code"], {"__name__": "__main__"})
            failed = False
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        os._exit(failed)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@contextmanager
def forks():
    """Start the interpreter, and return a function that runs code in a fork of it.

    The function takes code, which may be indented, and `path`, folders in which modules are
    found first. It fails if the code fails, and returns what the code prints. numba's compiler
    is switched off, and a RuntimeWarning is an error.
    """
    with (
        TemporaryDirectory() as folder,
        subprocess.Popen(
            [sys.executable, "-Werror::RuntimeWarning", "-c", PARENT],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "NUMBA_DISABLE_JIT": "1", "MPLBACKEND": "agg"},
        ) as parent,
    ):
        out, err = Path(folder, "stdout"), Path(folder, "stderr")

        def run(code, path=()):
            request = {
                "code": textwrap.dedent(code),
                "path": list(map(str, path)),
                "stdout": str(out),
                "stderr": str(err),
            }
            parent.stdin.write(json.dumps(request) + "\n")
            parent.stdin.flush()
            status = parent.stdout.readline()
            assert status == "0\n", err.read_text() if status else "the interpreter has ended"
            return out.read_text()

        yield run
        parent.stdin.close()
