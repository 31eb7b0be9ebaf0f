"""The file formats. Each is one module here and one line in the table in :mod:`.recognition`.

:mod:`.sets` turns the rows of files into whole topics.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec

if sys.modules.get("polars") is None and find_spec("polars") is None:
    raise ImportError(
        "files are read with polars, which is not installed; "
        "to install it: pip install 'pres-plugin[cli]'"
    ) from ModuleNotFoundError("No module named 'polars'", name="polars")

from pres_plugin.formats.base import Duplicates, FileError
from pres_plugin.formats.reading import read_qrels, read_run

__all__ = ["Duplicates", "FileError", "read_qrels", "read_run"]
