"""Copy standard input, pipes and compressed Parquet files to files that can be read twice."""

from __future__ import annotations

import select
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import BufferedReader, FileIO, UnsupportedOperation
from itertools import chain
from pathlib import Path

from pres_plugin.formats.base import FileError
from pres_plugin.formats.input.opening import (
    GZIP,
    buffered,
    interruptible,
    is_compressed,
    opened,
    os_errors,
    shown_as,
    start_of,
)
from pres_plugin.formats.input.spreadsheets import spreadsheet_problem

#: The first bytes of a Parquet file.
PARQUET = b"PAR1"

#: The first bytes of a zip archive.
ZIP = b"PK\x03\x04"

#: How many bytes to copy at once.
_PIECE = 1 << 20

# How often to look for signals while waiting for input.
_SECONDS_BETWEEN_LOOKS = 0.1

# A copy of a compressed file may be up to 64 MiB, or up to 100 times the size of the file if that
# is more. Parquet files are compressed already; only a file made to fill the disk grows more.
_SMALL_COPY, _LARGEST_RATIO = 1 << 26, 100


def on_disk(path: str, until: ExitStack) -> str:
    """Return a path that can be read more than once: `path` itself or the path of a copy.

    Standard input (``-``) and pipes are copied. Parquet files that are compressed with gzip are
    decompressed, because Parquet is not read from its start to its end. The copies are deleted
    when `until` is closed. Raise a FileError if the input is closed or unknown binary data, or
    if it cannot be read or copied.
    """
    with os_errors(path):
        is_stream = path == "-" or Path(path).is_fifo()
    return _decompressed(_copied(path, until) if is_stream else path, path, until)


def _copied(path: str, until: ExitStack) -> str:
    """Return the path of a copy of standard input or a pipe."""
    interruptible()
    copy = _new_file(path, until)
    with os_errors(path), buffered(path) as source, _written(copy, path) as target:
        pieces = _pieces(source)
        start = next(pieces, b"")
        # Endless input such as /dev/zero must not fill the disk.
        if b"\0" in start and not start.startswith((GZIP, PARQUET, ZIP)):
            problem = spreadsheet_problem(start) or "this is binary data, not text"
            raise FileError(f"{shown_as(path)}: {problem}")
        for piece in chain([start], pieces):
            _write(piece, target, path)
    return str(copy)


def _pieces(source: BufferedReader) -> Iterator[bytes]:
    """Yield standard input or a pipe in pieces, and let signals interrupt the wait for input."""
    while True:
        _wait_for(source)
        piece = source.read1(_PIECE)
        if not piece:
            return
        yield piece


def _wait_for(source: BufferedReader) -> None:
    """Return when there is something to read, or at the end of the input."""
    if not hasattr(signal, "siginterrupt"):  # Windows, where only sockets can be waited for
        return
    try:
        number = source.fileno()
    except UnsupportedOperation:  # not a file of the system
        return
    # Python looks for signals only before and after it waits. So one that arrives right before
    # would be noticed only when there is input.
    while not select.select([number], [], [], _SECONDS_BETWEEN_LOOKS)[0]:
        pass


def _decompressed(path: str, name: str, until: ExitStack) -> str:
    """Return the path of a decompressed copy if this is a compressed Parquet file, else `path`."""
    with os_errors(name):
        if not Path(path).is_file():  # a folder or a device
            return path
        if not is_compressed(path) or not start_of(path, name).startswith(PARQUET):
            return path
        limit = max(_SMALL_COPY, _LARGEST_RATIO * Path(path).stat().st_size)
    copy = _new_file(name, until)
    size = 0
    with opened(path, name) as source, _written(copy, name) as target:
        while piece := source.read(_PIECE):
            size += len(piece)
            if size > limit:
                raise FileError(f"{shown_as(name)}: decompress this file first, it grows too much")
            _write(piece, target, name)
    return str(copy)


def _new_file(name: str, until: ExitStack) -> Path:
    import tempfile  # few files need it, and it is slow to import

    with _temporary(name):
        return Path(until.enter_context(tempfile.TemporaryDirectory(prefix="pres-eval-")), "copy")


@contextmanager
def _written(copy: Path, name: str) -> Iterator[FileIO]:
    with _temporary(name):
        target = FileIO(copy, "w")
    with target:
        yield target


def _write(piece: bytes, target: FileIO, name: str) -> None:
    rest = memoryview(piece)
    with _temporary(name):
        while rest:
            rest = rest[target.write(rest) :]


@contextmanager
def _temporary(name: str) -> Iterator[None]:
    """Raise a FileError if the copy of the input cannot be written."""
    try:
        yield
    except OSError as error:
        raise FileError(
            f"{shown_as(name)}: cannot be copied to a temporary file ({error.strerror or error}); "
            "set TMPDIR to a folder with enough space, or give a file instead"
        ) from None
