"""What Click leaves to do: signals, missing packages, a full disk, and names in any encoding.

This module works without Click, so that a missing Click is reported in one line.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from types import FrameType
from typing import NoReturn

from pres_plugin.escaping import on_terminal, visible
from pres_plugin.remedy import install

#: The exit code that shells use after Ctrl-C.
INTERRUPTED = 128 + signal.SIGINT

#: The packages of the extra `study`. Other packages that commands import belong to the extra `cli`.
OF_STUDIES = ("jinja2", "matplotlib", "pandas", "scipy")

#: The warnings so far.
warned: list[str] = []

# The name of the command, with which its messages begin.
_command = "pres-eval"


@contextmanager
def guarded(name: str) -> Iterator[None]:
    """Run the command of this name in the body, which exits with its status.

    Ctrl-C and SIGTERM exit with 128 plus the number of the signal, after context managers have
    removed temporary files. An unexpected error prints its traceback.
    """
    global _command
    _command = name
    for stream in (sys.stdout, sys.stderr):
        # Characters that the encoding lacks are written as in Python: \u03c4 for τ.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    warnings.showwarning = lambda message, *_, **__: warn([str(message)])
    signal.signal(signal.SIGTERM, _stop)
    try:
        yield
    except KeyboardInterrupt:
        os._exit(INTERRUPTED)
    except SystemExit as ended:
        if isinstance(ended.code, int) and ended.code > 128:
            # Python would wait for threads that still read files.
            os._exit(ended.code)
        raise
    except ImportError as error:
        missing = error.__cause__ or error
        if not isinstance(missing, ModuleNotFoundError):
            raise
        extra = "study" if missing.name in OF_STUDIES else "cli"
        problem = f"{missing.name} is not installed; {install(extra)}"
        say(problem if error is missing else str(error))
        sys.exit(2)
    except OSError as error:
        if error.errno not in (errno.EFBIG, errno.ENOSPC):
            raise
        say(f"{error.filename or 'standard output'}: {error.strerror}")
        # Python would write the remaining output again.
        os._exit(2)


def _stop(number: int, _: FrameType | None) -> NoReturn:
    sys.exit(128 + number)


def say(message: str) -> None:
    """Print one line on standard error, if that can be written to."""
    with suppress(OSError):
        print(f"{_command}: {visible(message)}", file=sys.stderr, flush=True)


def warn(messages: Iterable[str]) -> None:
    """Print warnings on standard error, to keep them out of the results; a report repeats them."""
    for message in messages:
        say(f"warning: {message}")
        warned.append(message)


def interruptible() -> None:
    """Make Ctrl-C interrupt reads and waits, as it does by default.

    Polars sets up a handler for Ctrl-C when it is imported. The system then resumes a read
    from a pipe after the signal, and Python does not learn of it until the read ends.
    """
    if hasattr(signal, "siginterrupt"):  # not on Windows
        signal.siginterrupt(signal.SIGINT, True)


def print_data(text: str) -> None:
    """Print scores on standard output; on a terminal, escape control characters in names."""
    sys.stdout.write(on_terminal(text) if sys.stdout.isatty() else text)
    sys.stdout.flush()  # within Click, which handles a closed pipe
