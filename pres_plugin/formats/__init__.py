"""The file formats. Each is one module here and one line in the table in :mod:`.recognition`.

:mod:`.sets` turns the rows of files into whole topics.
"""

# ruff: noqa: E402 (a missing polars is reported before other modules import it)
from __future__ import annotations

from pres_plugin.messages import InputError, imported

imported("polars", "files are read with polars", "cli")

from pres_plugin.formats.base import Duplicates
from pres_plugin.formats.reading import read_qrels, read_run

__all__ = ["Duplicates", "InputError", "read_qrels", "read_run"]
