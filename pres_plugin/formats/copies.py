"""Copy standard input and pipes to temporary files, because files are read more than once."""

from __future__ import annotations

import os
import selectors
import sys
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from io import BufferedReader, UnsupportedOperation
from itertools import chain
from pathlib import Path
from typing import cast

from pres_plugin.formats.base import FileError, shown_as
from pres_plugin.formats.opening import GZIP, PARQUET, ZIP, os_errors

# How many bytes to copy at once.
_PIECE = 1 << 20

# How often to look for signals while waiting for input.
_SECONDS_BETWEEN_LOOKS = 0.1


def on_disk(path: str, temporary_files: ExitStack) -> str:
    """Return a path that can be read more than once: `path` itself or the path of a copy.

    Standard input (``-``) and pipes are copied. The copies are deleted when `temporary_files` is
    closed. Raise a FileError if the input is closed or unknown binary data, or if it cannot be
    read or copied.
    """
    with os_errors(path):
        if path != "-" and not Path(path).is_fifo():
            return path
    with _writing(path):
        folder = temporary_files.enter_context(tempfile.TemporaryDirectory(prefix="pres-eval-"))
        copy = Path(folder, "copy")
        target = temporary_files.enter_context(copy.open("wb"))
    with os_errors(path), _source(path) as source:
        pieces = _pieces(source)
        start = next(pieces, b"")
        # Endless input such as /dev/zero must not fill the disk.
        if b"\0\0" in start and not start.startswith((GZIP, PARQUET, ZIP)):
            raise FileError(f"{shown_as(path)}: this is binary data, not text")
        for piece in chain([start], pieces):
            with _writing(path):
                target.write(piece)
    with _writing(path):
        target.close()
    return str(copy)


def _source(path: str) -> AbstractContextManager[BufferedReader]:
    """Open a pipe, or standard input, which is not closed afterwards."""
    if path != "-":
        return open(path, "rb")
    if sys.stdin is None:
        raise FileError("standard input: it is closed")
    return nullcontext(cast(BufferedReader, sys.stdin.buffer))


def _pieces(source: BufferedReader) -> Iterator[bytes]:
    """Yield standard input or a pipe in pieces, and let signals interrupt the wait for input."""
    with selectors.DefaultSelector() if os.name == "nt" else selectors.PollSelector() as selector:
        try:
            selector.register(source, selectors.EVENT_READ)
        except (UnsupportedOperation, ValueError, OSError):  # not a file that can be waited for
            selector.close()
            yield from iter(lambda: source.read1(_PIECE), b"")
            return
        while True:
            # Python looks for signals only before and after it waits. So one that arrives right
            # before would be noticed only when there is input.
            while not selector.select(_SECONDS_BETWEEN_LOOKS):
                pass
            if not (piece := source.read1(_PIECE)):
                return
            yield piece


@contextmanager
def _writing(name: str) -> Iterator[None]:
    """Raise a FileError if the copy of the input cannot be written."""
    try:
        yield
    except OSError as error:
        raise FileError(
            f"{shown_as(name)}: cannot be copied to a temporary file ({error.strerror or error}); "
            "set TMPDIR to a folder with enough space, or give a file instead"
        ) from None
