"""Standard input and pipes as files that can be read twice."""

from __future__ import annotations

import shutil
import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO, cast

__all__ = ["on_disk"]


def on_disk(path: str, until: ExitStack) -> str:
    """The path of a file that can be read more than once.

    Parameters
    ----------
    path : str
        A file, a pipe, or ``-`` for standard input.
    until : ExitStack
        When it closes, a temporary file is removed again.

    Returns
    -------
    str
        `path` itself, or a temporary copy of what can be read once only.
    """
    if path != "-" and not Path(path).is_fifo():
        return path
    copy = Path(until.enter_context(TemporaryDirectory(prefix="pres-eval-"))) / "copy"
    with copy.open("wb") as target:
        if path == "-":
            shutil.copyfileobj(cast(BinaryIO, sys.stdin.buffer), target)
        else:
            with Path(path).open("rb") as pipe:
                shutil.copyfileobj(pipe, target)
    return str(copy)
