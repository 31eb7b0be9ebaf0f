"""Copy standard input and pipes into files, which can be read twice."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import BufferedReader, FileIO
from itertools import chain
from pathlib import Path

from pres_plugin.formats.base import FileError
from pres_plugin.formats.opening import GZIP, buffered, interruptible, os_errors, shown_as

#: How many bytes to copy at once.
_PIECE = 1 << 20


def on_disk(path: str, until: ExitStack) -> str:
    """Return a path that can be read more than once: `path` itself or the path of a copy.

    Standard input (``-``) and pipes are copied. Closing `until` removes the copy. Raise a
    FileError if the input is closed or binary, or if it cannot be read or copied.
    """
    with os_errors(path):
        if path != "-" and not Path(path).is_fifo():
            return path
    interruptible()
    with _temporary(path):
        folder = until.enter_context(tempfile.TemporaryDirectory(prefix="pres-eval-"))
    copy = Path(folder, "copy")
    with os_errors(path), buffered(path) as source:
        with _temporary(path):
            target = FileIO(copy, "w")
        with target:
            _copy(source, target, path)
    return str(copy)


def _copy(source: BufferedReader, target: FileIO, path: str) -> None:
    pieces = iter(lambda: source.read1(_PIECE), b"")
    start = next(pieces, b"")
    # Endless input such as /dev/zero must not fill the disk.
    if b"\0" in start and not start.startswith(GZIP):
        raise FileError(f"{shown_as(path)}: this is binary data, not text")
    for piece in chain([start], pieces):
        rest = memoryview(piece)
        with _temporary(path):
            while rest:
                rest = rest[target.write(rest) :]


@contextmanager
def _temporary(path: str) -> Iterator[None]:
    """Raise a FileError if the copy of the input cannot be written."""
    try:
        yield
    except OSError as error:
        raise FileError(
            f"{shown_as(path)}: cannot be copied to a temporary file ({error.strerror or error}); "
            "set TMPDIR to a folder with enough space, or give a file instead"
        ) from None
