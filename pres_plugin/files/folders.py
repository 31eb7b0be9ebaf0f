"""List the data files in a folder; the same names are skipped at every level."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path

from pres_plugin.formats.base import DataFile, FileError
from pres_plugin.formats.input.on_disk import on_disk
from pres_plugin.formats.input.opening import is_folder, os_errors
from pres_plugin.formats.recognition import open_file


def visible(folder: Path) -> list[Path]:
    """Return the entries of a folder by name, except names that begin with ``.`` or ``_``.

    Spark, Hive and editors give such names to files that are not data, or not yet complete.
    """
    with os_errors(str(folder)):
        entries = sorted(folder.iterdir())
    return [entry for entry in entries if not entry.name.startswith((".", "_"))]


def parts(folder: Path, until: ExitStack) -> tuple[DataFile, ...]:
    """Return the parts of a table: all Parquet files in a folder and its subfolders.

    Closing `until` removes decompressed copies. Raise a FileError if there are none, or if there
    is anything else in the folder.
    """
    found: list[DataFile] = []
    read: set[str] = set()
    waiting = [folder]
    while waiting:
        entry = waiting.pop()
        if is_folder(str(entry)):
            if entry != folder and entry.name.startswith("run="):
                raise FileError(f"{entry}: one run's folder is inside another's; move it out")
            if (here := os.path.realpath(entry)) in read:
                raise FileError(f"{entry}: this link leads to a folder that is already included")
            read.add(here)
            waiting += reversed(visible(entry))
        elif (file := open_file(on_disk(str(entry), until), str(entry))).can_be_part:
            found.append(file)
        else:
            raise FileError(
                f"{entry}: only Parquet files belong in {entry.parent}; move it elsewhere"
            )
    if not found:
        raise FileError(f"{folder}: there are no Parquet files in this folder")
    return tuple(found)
