"""What Click leaves to do: signals, missing packages, a full disk, and names in any encoding.

This module works without Click, so that a missing Click is reported in one line.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterable
from contextlib import suppress
from io import TextIOWrapper
from typing import NoReturn

from pres_plugin.escaping import on_terminal, visible
from pres_plugin.messages import install

#: The exit code that shells use after Ctrl-C.
INTERRUPTED = 128 + signal.SIGINT

#: The packages of the extra `study`. Other packages that commands import belong to the extra `cli`.
OF_STUDIES = ("jinja2", "matplotlib", "pandas", "scipy")

#: The warnings and notes so far, as sentences.
warned: list[str] = []

# The name of the command, with which its messages begin.
_command = "pres-eval"


def guarded(name: str, command: Callable[[], int]) -> int:
    """Run the command of this name, and return its exit code.

    Ctrl-C and SIGTERM return 128 plus the number of the signal, after context managers have
    removed temporary files. An unexpected error is raised.
    """
    global _command
    _command = name
    for stream in (sys.stdout, sys.stderr):
        # Characters that the encoding lacks are written as in Python: \u03c4 for τ.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    warnings.showwarning = lambda message, *_, **__: warn([str(message)])
    # Our own warnings remain warnings if PYTHONWARNINGS turns others into errors.
    warnings.filterwarnings("always", category=UserWarning, module=r"pres_plugin\.")
    signal.signal(signal.SIGTERM, _stop)
    try:
        return command()
    except KeyboardInterrupt:
        return INTERRUPTED
    except SystemExit as ended:  # after SIGTERM, or from Click if a pipe is closed
        return int(ended.code or 0)
    except ImportError as error:
        missing = error.__cause__ or error
        if not isinstance(missing, ModuleNotFoundError):
            raise
        extra = "study" if missing.name in OF_STUDIES else "cli"
        problem = f"{missing.name} is not installed; {install(extra)}"
        say(problem if error is missing else str(error))
    except OSError as error:
        if error.errno not in (errno.EFBIG, errno.ENOSPC):
            raise
        say(f"{error.filename or 'standard output'}: {error.strerror}")
    return 2


def leave(code: int) -> NoReturn:
    """End the process at once.

    Python would wait for threads that still read files after a signal. It would also take a sixth
    of the time of a small command to free each object.
    """
    with suppress(OSError):
        sys.stdout.flush()
    os._exit(code)


def _stop(number: int, _: object) -> NoReturn:
    sys.exit(128 + number)


def say(message: str) -> None:
    """Print one line on standard error, if that can be written to."""
    with suppress(OSError):
        print(f"{_command}: {visible(message)}", file=sys.stderr, flush=True)


def warn(messages: Iterable[str], kind: str = "warning") -> None:
    """Print warnings, or notes, on standard error, not among the results; a report repeats them."""
    for message in messages:
        say(f"{kind}: {message}")
        warned.append(f"{kind.capitalize()}: {message}.")


def print_data(text: str) -> None:
    """Print scores on standard output; on a terminal, escape control characters in names."""
    sys.stdout.write(on_terminal(text) if sys.stdout.isatty() else text)
    sys.stdout.flush()  # within Click, which handles a closed pipe
