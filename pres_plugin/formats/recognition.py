"""The file formats, and how a file's format is recognised: by its content, else by its name.

To add a format, write a subclass of :class:`.base.DataFile` and add a line to the table below.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple

from pres_plugin.formats.base import DataFile, FileError, Reading
from pres_plugin.formats.csv.header import looks_like_csv
from pres_plugin.formats.input.on_disk import PARQUET, ZIP
from pres_plugin.formats.input.opening import shown_as, start_of
from pres_plugin.formats.input.spreadsheets import spreadsheet_problem
from pres_plugin.formats.json.detection import (
    looks_like_json,
    looks_like_json_lines,
    looks_like_mteb,
)
from pres_plugin.formats.trec.files import looks_like_trec
from pres_plugin.remedy import quoted


class Format(NamedTuple):
    """A file format: how files of this format are recognised, and the class that reads them."""

    #: Whether a file that starts with these bytes, decompressed, has this format.
    looks_like: Callable[[bytes, Reading], bool]
    #: How names of files in this format end, apart from ``.gz``.
    endings: tuple[str, ...]
    #: The module in this package that contains its subclass of :class:`.base.DataFile`.
    module: str
    reader: str

    def read_by(self) -> type[DataFile]:
        """Import the class that reads this format."""
        module = import_module(f"{__package__}.{self.module}")
        found: type[DataFile] = getattr(module, self.reader)
        return found


#: The formats by the name that users give them. If the content fits several, the first
#: one is used.
FORMATS: dict[str, Format] = {
    "parquet": Format(
        lambda start, _: start.startswith(PARQUET), (".parquet",), "parquet.files", "ParquetFile"
    ),
    # Every zip archive: the error for an invalid project is clearer than that for invalid text.
    "asreview": Format(
        lambda start, _: start.startswith(ZIP), (".asreview",), "asreview.files", "AsreviewFile"
    ),
    "jsonl": Format(looks_like_json_lines, (".jsonl", ".ndjson"), "json.files", "JsonLinesFile"),
    "mteb": Format(
        lambda start, _: looks_like_mteb(start), ("_predictions.json",), "json.files", "MtebFile"
    ),
    "json": Format(lambda start, _: looks_like_json(start), (".json",), "json.files", "JsonFile"),
    # Tested before TREC's lines, because a table read as TREC's lines could give wrong scores.
    "csv": Format(lambda start, _: looks_like_csv(start), (".csv", ".tsv"), "csv.files", "CsvFile"),
    "trec": Format(lambda start, _: looks_like_trec(start), (), "trec.files", "TrecFile"),
}

#: The formats whose fields the user may name.
WITH_FIELDS = ("jsonl", "json")


def open_file(path: str, name: str | None = None, reading: Reading | None = None) -> DataFile:
    """Open the file at a path for reading; error messages refer to it as `name`.

    Raise a FileError if the file cannot be read, and an ImportError if this needs a package
    that is not installed.
    """
    reading = reading or Reading()
    start = start_of(path, name)
    if problem := spreadsheet_problem(start):
        raise FileError(f"{shown_as(name or path)}: {problem}")
    chosen = reading.format or _recognised(start, name or path, reading)
    if reading.qrels_field and chosen not in WITH_FIELDS:
        raise FileError(
            f"{shown_as(name or path)}: the field {quoted(reading.qrels_field)} applies only to "
            f"JSON lines and JSON, but the format of this file is {chosen}"
        )
    return FORMATS[chosen].read_by()(path, name, reading)


def named_like_parts(folder: str) -> bool:
    """Return whether a folder's name ends as in a format that can split a run into files."""
    return any(
        folder.lower().endswith(each.endings) and each.read_by().can_be_part
        for each in FORMATS.values()
    )


def _recognised(start: bytes, name: str, reading: Reading) -> str:
    """Return the name of a file's format; files that no format recognises are read as TREC's."""
    start = start.removeprefix(b"\xef\xbb\xbf")
    for format_name, each in FORMATS.items():
        if each.looks_like(start, reading):
            return format_name
    ending = name.lower().removesuffix(".gz")
    return next((each for each in FORMATS if ending.endswith(FORMATS[each].endings)), "trec")
