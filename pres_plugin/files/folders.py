"""List the data files in a folder, by the same rule at every level."""

from __future__ import annotations

from pathlib import Path

from pres_plugin.files.parquet import ParquetError, ParquetFile, is_parquet

__all__ = ["parquet_parts", "visible"]


def visible(folder: Path) -> list[Path]:
    """Return the entries of a folder by name, except names that begin with ``.`` or ``_``.

    Spark, Hive and editors give such names to files that are not data, or not yet complete.
    """
    return sorted(entry for entry in folder.iterdir() if not entry.name.startswith((".", "_")))


def parquet_parts(folder: Path, above: tuple[Path, ...] = ()) -> list[ParquetFile]:
    """Return the parts of a table: all Parquet files in a folder and its subfolders.

    Parameters
    ----------
    folder : Path
        The table's folder.
    above : tuple of Path
        The folders that contain it, with links resolved.

    Raises
    ------
    ParquetError
        If there is anything else in the folder, or a file cannot be read.
    """
    here = folder.resolve()
    if here in above:
        raise ParquetError(f"{folder}: this link leads back to a folder that contains it")
    files: list[ParquetFile] = []
    for entry in visible(folder):
        if entry.is_dir() and entry.name.startswith("run="):
            raise ParquetError(f"{entry}: one run's folder is inside another's; move it out")
        if entry.is_dir():
            files += parquet_parts(entry, (*above, here))
        elif is_parquet(entry.name):
            files.append(ParquetFile(str(entry)))
        else:
            raise ParquetError(f"{entry}: only Parquet files belong in {folder}; move it elsewhere")
    return files
