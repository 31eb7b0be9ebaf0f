"""The file formats, and how a file's format is recognised: by its content, else by its name.

To add a format, write a subclass of :class:`.base.DataFile` and add it to the table below.
"""

from __future__ import annotations

import re
import warnings
from collections import defaultdict
from collections.abc import Sequence
from itertools import chain

from pres_plugin.messages import InputError, quoted, some
from pres_plugin.tables.asreview import AsreviewFile
from pres_plugin.tables.base import ENDINGS, DataFile, Reading, ending_of, shown_as
from pres_plugin.tables.columns import plain
from pres_plugin.tables.copies import on_disk
from pres_plugin.tables.csv import CsvFile
from pres_plugin.tables.excel import ExcelFile
from pres_plugin.tables.json import JsonFile, JsonLinesFile
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
    "json": JsonFile,
    # Tested before TREC's lines, because a table read as TREC's lines could give wrong scores.
    "csv": CsvFile,
    "trec": TrecFile,
}

# Files that accompany runs.
_TEXTS = (".md", ".yml", ".yaml", ".rst", ".html", ".pdf", ".log", ".py", ".sh", ".toml", ".ini")

# A field of a line that is a number.
_NUMBER = re.compile(rb"(?:^|[\s,;])-?\d[\d.]*(?:[\s,;]|$)")

# How files of references begin that are no tables, and what they are.
_REFERENCES = re.compile(rb"\s*(?:TY  - |@\w+\s*\{|PMID- |FN |%0 )")


def open_file(path: str, name: str | None, reading: Reading) -> DataFile:
    """Open the file at a path for reading; error messages refer to it as `name`, or as its path.

    Raise an InputError if the file cannot be read, and an ImportError if this needs a package
    that is not installed.
    """
    name = name or path
    path = on_disk(path, reading)
    start = start_of(path, name)
    known = reading.format or recognised(start, reading)
    if not known and _REFERENCES.match(start):
        raise InputError(
            f"{shown_as(name)}: this is a file of references, such as RIS or BibTeX, "
            "without labels and ranks; export the records as CSV or Excel instead"
        )
    # Without a known format, the error about missing names of columns says what to do.
    ending = ENDINGS.get(ending_of(name.lower().removesuffix(".gz")), "trec")
    # So does the error about a wrong line of TREC's, which may be long.
    if not known and (ending != "trec" or b"\0" in start or b"\n" not in start[:10_000]):
        known = ending
    return FORMATS[known or "csv"](path, name, reading)


def recognised(start: bytes, reading: Reading) -> str | None:
    """Return the name of the format of a file that starts with these bytes, or None."""
    return next((each for each in FORMATS if FORMATS[each].recognises(start, reading)), None)


def cannot_be_run(path: str, reading: Reading) -> bool:
    """Return whether a file in a folder is a text, or a table without documents and numbers."""
    if path.lower().endswith(_TEXTS):
        return True
    if reading.format or reading.topics_in:
        return False
    start = start_of(path, path)
    # Looking for a number is faster than recognising the format.
    has_number = _NUMBER.search(start.lstrip().partition(b"\n")[0])
    return not has_number and recognised(start, reading) is None


def check_opened(files: Sequence[DataFile]) -> None:
    """Raise an InputError if files lack what was asked for, and say what was assumed about them.

    That is a sheet or a column in any of the files, and topics in all of them or in none.
    """
    sheets = {file.reading.sheet for file in files if isinstance(file, ExcelFile)}
    for sheet in [file.reading.sheet for file in files]:
        if sheet and sheet not in sheets:
            raise InputError(
                f"sheet {quoted(sheet)} was asked for, but no file is a workbook; "
                "leave out the sheet, or give a workbook"
            )
    tables = [file for file in files if file.names]
    known = {plain(name) for file in tables for name in file.names}
    for name in chain(*files[0].reading.columns.values()):
        if plain(name) not in known:
            there = [f"{some(file.names, 20)}{file.where} ({file.shown})" for file in tables]
            raise InputError(
                f"no file contains a column {quoted(name)}; the columns are {some(there) or 'none'}"
            )
    assumed: dict[str, list[str]] = defaultdict(list)
    named: dict[bool, list[DataFile]] = defaultdict(list)
    for file in files:
        named[file.has_topics].append(file)
        for note in file.notes:
            assumed[note].append(file.shown)
    if without := named[False]:
        if others := named[True]:
            raise without[0].error(
                f"there is no column query_id, unlike in {others[0].shown}; the columns"
                f"{without[0].where} are {some(without[0].names, 20)}; for another name, write "
                "columns={'query_id': 'NAME'} (--columns query_id=\"NAME\"); if each file of a "
                "folder is a topic, write topics_in='files' (--topics-in files)"
            )
        names = [file.shown for file in without]
        assumed["there is no column of topics, so all rows belong to one topic"] = names
    for note, names in assumed.items():
        warnings.warn(f"{some(dict.fromkeys(names))}: {note}", stacklevel=2)
