"""The file formats, and how a file's format is recognised: by its content, else by its name.

To add a format, write a subclass of :class:`.base.DataFile` and add it to the table below.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from pres_plugin.messages import InputError, quoted, some
from pres_plugin.tables.asreview import AsreviewFile
from pres_plugin.tables.base import ENDINGS, DataFile, Reading, ending_of, shown_as
from pres_plugin.tables.columns import TableFile, plain
from pres_plugin.tables.csv import CsvFile
from pres_plugin.tables.excel import ExcelFile
from pres_plugin.tables.json import JsonFile
from pres_plugin.tables.jsonl import JsonLinesFile
from pres_plugin.tables.mteb import MtebFile
from pres_plugin.tables.opening import start_of
from pres_plugin.tables.parquet import ParquetFile
from pres_plugin.tables.trec import TrecFile

#: The formats by the name that users give them. If the content fits several, the first
#: one is used.
FORMATS: dict[str, type[DataFile]] = {
    "parquet": ParquetFile,
    "excel": ExcelFile,
    # Every zip archive: the error for an invalid project is clearer than that for invalid text.
    "asreview": AsreviewFile,
    "jsonl": JsonLinesFile,
    "mteb": MtebFile,
    "json": JsonFile,
    # Tested before TREC's lines, because a table read as TREC's lines could give wrong scores.
    "csv": CsvFile,
    "trec": TrecFile,
}


def open_file(path: str, name: str | None = None, reading: Reading | None = None) -> DataFile:
    """Open the file at a path for reading; error messages refer to it as `name`.

    Raise an InputError if the file cannot be read, and an ImportError if this needs a package
    that is not installed.
    """
    reading = reading or Reading()
    start = start_of(path, name)
    chosen = reading.format or _recognised(start, name or path, reading)
    if reading.qrels_field and chosen not in ("jsonl", "json"):
        raise InputError(
            f"{shown_as(name or path)}: the field {quoted(reading.qrels_field)} applies only to "
            f"JSON lines and JSON, but the format of this file is {chosen}"
        )
    return FORMATS[chosen](path, name, reading)


def check_asked(reading: Reading, files: Iterable[DataFile]) -> None:
    """Raise an InputError if no file contains the sheet or a column that was asked for."""
    sheet = reading.sheet
    found = {file.reading.sheet for file in files if isinstance(file, ExcelFile)}
    if sheet and sheet not in found:
        raise InputError(
            f"sheet {quoted(sheet)} was asked for, but no file is a workbook; "
            "leave out the sheet, or give a workbook"
        )
    tables = [file for file in files if isinstance(file, TableFile)]
    known = {plain(name) for file in tables for name in file.names}
    for name in chain(*reading.columns.values()):
        if plain(name) not in known:
            there = [
                f"{some(file.names, 20)}{file.where} ({shown_as(file.name)})" for file in tables
            ]
            raise InputError(
                f"no file contains a column {quoted(name)}; the columns are {some(there) or 'none'}"
            )


def _recognised(start: bytes, name: str, reading: Reading) -> str:
    """Return the name of a file's format; files that no format recognises are read as TREC's."""
    for format_name, each in FORMATS.items():
        if each.recognises(start, reading):
            return format_name
    return ENDINGS.get(ending_of(name.lower().removesuffix(".gz")), "trec")
