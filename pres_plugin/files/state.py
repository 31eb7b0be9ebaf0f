"""Detect whether a file was changed or replaced while it was read."""

from __future__ import annotations

import os
import stat
from typing import NamedTuple

__all__ = ["CHANGED", "FileState", "state_of"]

#: The error message for a file that changed while it was read.
CHANGED = "the file changed while it was read; run again when nothing writes to it"


class FileState(NamedTuple):
    """Properties of a file that change when it is replaced or written to.

    Attributes
    ----------
    device, inode : int
        Where the file is stored; a file that replaces it is stored elsewhere.
    size : int
        Its length in bytes.
    mtime_ns : int
        The time of the last write, in nanoseconds.
    """

    device: int
    inode: int
    size: int
    mtime_ns: int


def state_of(file: str | int) -> FileState | None:
    """Return the state of the file at a path, or of an open file's descriptor.

    Returns
    -------
    FileState or None
        The state, or None for a pipe, which has no lasting state.

    Raises
    ------
    OSError
        If there is no such file.

    Examples
    --------
    >>> from tempfile import NamedTemporaryFile
    >>> from pres_plugin.files.state import state_of
    >>> with NamedTemporaryFile() as file:
    ...     before = state_of(file.name)
    ...     _ = file.write(b"q1 Q0 a 1 1 t")
    ...     file.flush()
    ...     state_of(file.name) == before
    False
    """
    found = os.stat(file)
    if not stat.S_ISREG(found.st_mode):
        return None
    return FileState(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)
