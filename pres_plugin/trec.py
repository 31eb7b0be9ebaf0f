"""Another name for :mod:`pres_plugin.formats`, for code written for version 0.1."""

from pres_plugin.formats import Duplicates, FileError, read_qrels, read_run

__all__ = ["Duplicates", "FileError", "TrecFileError", "read_qrels", "read_run"]

#: The name of :class:`FileError` in version 0.1.
TrecFileError = FileError
