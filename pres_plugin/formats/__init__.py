"""The file formats. Each is one folder here and one line in the table in :mod:`.recognition`."""

from __future__ import annotations

from pres_plugin.formats.base import Duplicates, FileError
from pres_plugin.formats.reading import read_qrels, read_run

__all__ = ["Duplicates", "FileError", "read_qrels", "read_run"]
