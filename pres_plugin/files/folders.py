"""List the data files in a folder; the same names are skipped at every level."""

from __future__ import annotations

from pathlib import Path

from pres_plugin.formats import format_of, open_file
from pres_plugin.formats.base import DataFile, FileError
from pres_plugin.formats.opening import os_errors


def visible(folder: Path) -> list[Path]:
    """Return the entries of a folder by name, except names that begin with ``.`` or ``_``.

    Spark, Hive and editors give such names to files that are not data, or not yet complete.
    """
    with os_errors(str(folder)):
        entries = sorted(folder.iterdir())
    return [entry for entry in entries if not entry.name.startswith((".", "_"))]


def parts(folder: Path) -> tuple[DataFile, ...]:
    """Return the parts of a table: all Parquet files in a folder and its subfolders.

    Raise a FileError if there are none, or if there is anything else in the folder.
    """
    found = _parts(folder, ())
    if not found:
        raise FileError(f"{folder}: there are no Parquet files in this folder")
    return tuple(found)


def _parts(folder: Path, above: tuple[Path, ...]) -> list[DataFile]:
    here = folder.resolve()
    if here in above:
        raise FileError(f"{folder}: this link leads back to a folder that contains it")
    found: list[DataFile] = []
    for entry in visible(folder):
        if entry.is_dir() and entry.name.startswith("run="):
            raise FileError(f"{entry}: one run's folder is inside another's; move it out")
        if entry.is_dir():
            found += _parts(entry, (*above, here))
        elif format_of(str(entry)).can_be_part:
            found.append(open_file(str(entry)))
        else:
            raise FileError(f"{entry}: only Parquet files belong in {folder}; move it elsewhere")
    return found
