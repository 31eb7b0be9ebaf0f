"""Read runs and judgements in TREC's text formats: :mod:`pres_plugin.formats.trec`."""

from pres_plugin.formats.base import Duplicates, FileError
from pres_plugin.formats.trec import read_qrels, read_run

__all__ = ["Duplicates", "FileError", "TrecFileError", "read_qrels", "read_run"]

#: The name of :class:`FileError` in version 0.1.
TrecFileError = FileError
