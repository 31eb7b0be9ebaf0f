"""Open files so that errors name them, and raise an error if a file changes while it is read."""

from __future__ import annotations

import os
import signal
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from io import BufferedIOBase, BufferedReader, FileIO
from pathlib import Path
from typing import Any, cast

from pres_plugin.formats.base import FileError

#: The problem with a file that changed while it was read.
CHANGED = "the file changed while it was read; run again when nothing writes to it"

#: The first bytes of a file compressed with gzip.
GZIP = b"\x1f\x8b"

#: The number of bytes at the start of a file from which its format is recognised.
START = 1 << 20


@contextmanager
def opened(path: str, name: str | None = None) -> Iterator[BufferedIOBase]:
    """Open a file, or standard input for ``-``, decompressed as it is read.

    Raise a FileError if the file cannot be read, also in the body of the ``with`` statement,
    or if it was written to before the statement ends.
    """
    shown = shown_as(name or path)
    with os_errors(shown), buffered(path) as file:
        before = _state(path, file)
        if file.peek(len(GZIP)).startswith(GZIP):
            with _decompressed(file, shown) as decompressed:
                yield decompressed
        else:
            yield file
        if _state(path, file) != before:
            raise FileError(f"{shown}: {CHANGED}")


@contextmanager
def _decompressed(file: BufferedReader, shown: str) -> Iterator[BufferedIOBase]:
    """Decompress an open file; raise a FileError that calls it `shown` if it is damaged."""
    import gzip  # few files need it, and it is slow to import

    try:
        with gzip.open(file) as decompressed:
            yield decompressed
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise FileError(f"{shown}: the compressed file is damaged ({error})") from None


def buffered(path: str) -> AbstractContextManager[BufferedReader]:
    """Open a file, or standard input for ``-``, which is not closed afterwards."""
    if path == "-":
        if sys.stdin is None:
            raise FileError(f"{shown_as(path)}: it is closed")
        return nullcontext(cast(BufferedReader, sys.stdin.buffer))
    return Path(path).open("rb")


def interruptible() -> None:
    """Make Ctrl-C interrupt reads and waits, as it does by default.

    Polars sets up a handler for Ctrl-C when it is imported. The system then resumes a read
    from a pipe after the signal, and Python does not learn of it until the read ends.
    """
    if hasattr(signal, "siginterrupt"):  # not on Windows
        signal.siginterrupt(signal.SIGINT, True)


def _state(path: str, file: BufferedReader) -> tuple[int, ...] | None:
    """Return the state of a file, or None for standard input, which is never checked."""
    return None if path == "-" else state_of(file.fileno())


@contextmanager
def os_errors(name: str) -> Iterator[None]:
    """Raise a FileError that calls the file `name` if the system cannot open or read it."""
    name = shown_as(name)
    try:
        yield
    except FileNotFoundError:
        raise FileError(f"{name}: there is no such file") from None
    except OSError as error:
        raise FileError(f"{name}: cannot be read ({error.strerror})") from None


def start_of(path: str, name: str | None = None) -> bytes:
    """Return the first bytes of a file or standard input, decompressed, without consuming them.

    Return nothing for a pipe, since what was read from it could not be read again.
    """
    name = name or path
    if path == "-":
        with os_errors(name), buffered(path) as file:
            return _first_bytes(file)
    with os_errors(name):
        if Path(path).is_fifo():
            return b""
        with BufferedReader(FileIO(path), START) as file:
            return _first_bytes(file)


def _first_bytes(file: BufferedReader[Any]) -> bytes:
    start = file.peek(START)
    if not start.startswith(GZIP):
        return start
    try:
        return zlib.decompressobj(wbits=31).decompress(start, START)
    except zlib.error:  # reading the file reports this
        return b""


def is_compressed(path: str) -> bool:
    """Return whether a file is compressed with gzip."""
    with FileIO(path) as file:
        return file.read(len(GZIP)) == GZIP


def is_folder(path: str) -> bool:
    """Return whether a path leads to a folder; raise a FileError if the system cannot tell."""
    with os_errors(path):
        return stat.S_ISDIR(os.stat(path).st_mode)


def state_of(file: str | int) -> tuple[int, ...] | None:
    """Return numbers that change when the file at a path, or an open file, is written to.

    They also change when another file replaces it. For a pipe, return None.
    """
    found = os.stat(file)
    if not stat.S_ISREG(found.st_mode):
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def shown_as(path: str) -> str:
    """Return the name of a file in errors."""
    return "standard input" if path == "-" else path
