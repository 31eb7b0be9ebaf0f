"""Copy standard input and pipes to temporary files, because files are read more than once."""

from __future__ import annotations

import shutil
import signal
import sys
import tempfile
from contextlib import nullcontext
from pathlib import Path

from pres_plugin.messages import InputError
from pres_plugin.tables.base import Reading, shown_as
from pres_plugin.tables.opening import os_errors


def interruptible() -> None:
    """Make Ctrl-C interrupt reads and waits, as it does by default.

    Polars sets up a handler for Ctrl-C when it is imported. The system then resumes a read
    from a pipe after the signal, and Python does not learn of it until the read ends.
    """
    if hasattr(signal, "siginterrupt"):  # not on Windows
        signal.siginterrupt(signal.SIGINT, True)


def on_disk(path: str, reading: Reading) -> str:
    """Return a path that can be read more than once: `path` itself or the path of a copy.

    Standard input (``-``) and pipes are copied. The copies are deleted when the reading's
    `temporary_files` is closed. Raise an InputError if the input is closed, or if it cannot be
    read or copied.
    """
    with os_errors(path):
        if path != "-" and not Path(path).is_fifo():
            return path
    if path == "-" and sys.stdin is None:
        raise InputError("standard input: it is closed")
    try:
        folder = reading.temporary_files.enter_context(
            tempfile.TemporaryDirectory(prefix="pres-eval-")
        )
        copy = Path(folder, "copy")
        with (
            nullcontext(sys.stdin.buffer) if path == "-" else Path(path).open("rb") as source,
            copy.open("wb") as target,
        ):
            interruptible()
            shutil.copyfileobj(source, target)
    except OSError as error:
        raise InputError(
            f"{shown_as(path)}: cannot be copied to a temporary file ({error.strerror or error}); "
            "set TMPDIR to a folder with enough space, or give a file instead"
        ) from None
    return str(copy)
