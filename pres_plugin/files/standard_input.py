"""Copy standard input and pipes into files, which can be read twice."""

from __future__ import annotations

import shutil
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from pres_plugin.formats.opening import buffered, os_errors


def on_disk(path: str, until: ExitStack) -> str:
    """Return a path that can be read more than once: `path` itself or the path of a copy.

    Standard input (``-``) and pipes are copied. Closing `until` removes the copy.
    """
    if path != "-" and not Path(path).is_fifo():
        return path
    copy = Path(until.enter_context(TemporaryDirectory(prefix="pres-eval-"))) / "copy"
    with os_errors(path), buffered(path) as source, copy.open("wb") as target:
        shutil.copyfileobj(source, target)
    return str(copy)
