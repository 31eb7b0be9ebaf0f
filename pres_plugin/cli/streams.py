"""Make standard output and standard error safe: closed, full, or in an encoding that lacks τ."""

from __future__ import annotations

import codecs
import json
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from pres_plugin.escaping import on_terminal, visible

# The names of our error handlers, which replace characters that an encoding lacks.
_PROSE, _DATA = "pres-eval-prose", "pres-eval-data"

# The most characters in a message. Names and arguments in it may be megabytes long.
_LONGEST = 2000

# The name of the command, with which its messages begin.
_command = "pres-eval"

# How to write the characters of our own texts that an encoding lacks.
# fmt: off
_PLAIN = {
    "τ": "tau", "ρ": "rho", "α": "alpha", "Σ": "sum of ", "²": "^2", "–": "-", "×": "x",
    "…": "...", "↑": "^", "↓": "v",
}
# fmt: on


@contextmanager
def called(name: str) -> Iterator[None]:
    """Begin all messages with the name of this command."""
    global _command
    before, _command = _command, name
    try:
        yield
    finally:
        _command = before


@contextmanager
def safe_streams() -> Iterator[None]:
    """Make standard output and standard error safe to write to.

    Closed streams raise an error when they are written to, and no file that is opened later
    takes their place. Characters that the encoding lacks are escaped.
    """
    before = sys.stdin, sys.stdout, sys.stderr
    if sys.stdin is None:
        _occupy(0, os.O_RDONLY)
    if sys.stdout is None:
        _occupy(1, os.O_RDONLY)  # so writing to it raises an OSError
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        _occupy(2, os.O_WRONLY)
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=_PROSE)
    format_before = warnings.formatwarning
    warnings.formatwarning = _one_line
    try:
        yield
    finally:
        warnings.formatwarning = format_before
        sys.stdin, sys.stdout, sys.stderr = before


def _occupy(descriptor: int, mode: int) -> None:
    """Open an empty file under the number of a closed stream."""
    nothing = os.open(os.devnull, mode)
    if nothing != descriptor:
        os.dup2(nothing, descriptor)
        os.close(nothing)


def _in_plain_characters(error: UnicodeError) -> tuple[str, int]:
    return _replaced(error, _PLAIN)


def _as_in_json(error: UnicodeError) -> tuple[str, int]:
    return _replaced(error, {})


def _replaced(error: UnicodeError, by: dict[str, str]) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(by.get(c) or json.dumps(c)[1:-1] for c in lacking), error.end


def _one_line(message: Any, *_: Any, **__: Any) -> str:
    """Format a Python warning as the command formats its own."""
    return f"{_command}: warning: {visible(str(message))}\n"


codecs.register_error(_PROSE, _in_plain_characters)
codecs.register_error(_DATA, _as_in_json)


def say(message: str) -> None:
    """Print one line on standard error, if that can be written to."""
    with suppress(OSError):
        print(f"{_command}: {_bounded(visible(message))}", file=sys.stderr, flush=True)


def _bounded(message: str) -> str:
    """Cut a long message in the middle, because what is wrong is said at its end."""
    if len(message) <= _LONGEST:
        return message
    return f"{message[: _LONGEST // 2]}…{message[-_LONGEST // 2 :]}"


def print_data(text: str) -> None:
    r"""Print scores on standard output.

    Characters that its encoding lacks are written as ``\u03c4``, which is valid in JSON. On a
    terminal, control characters in names are escaped.
    """
    if sys.stdout.isatty():
        text = on_terminal(text)
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, _DATA).decode(encoding))
    sys.stdout.flush()  # within Click, which handles a closed pipe


def drop_output() -> None:
    """Drop unwritten output; Python would try to write it at exit, and exit with 120."""
    with suppress(OSError, ValueError):  # standard output is not a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
