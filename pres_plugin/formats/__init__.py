"""The file formats: each is one module here and one line in the table below.

To add a format, write a subclass of :class:`.base.DataFile` and add its line.
"""

from __future__ import annotations

from importlib import import_module

from pres_plugin.formats.base import DataFile

# The module and class of each format. The first one that recognises a path reads it.
_FORMATS = (
    ("parquet", "ParquetFile"),
    ("trec_pieces", "TrecFile"),  # recognises any path
)


def format_of(path: str) -> type[DataFile]:
    """Return the class that reads the file at a path."""
    # Imported only here, because read_run and read_qrels do not need polars.
    classes = (getattr(import_module(f"{__name__}.{name}"), cls) for name, cls in _FORMATS)
    found: type[DataFile] = next(each for each in classes if each.recognises(path))
    return found


def open_file(path: str, name: str | None = None) -> DataFile:
    """Open the file at a path for reading; errors call it `name`."""
    return format_of(path)(path, name)
