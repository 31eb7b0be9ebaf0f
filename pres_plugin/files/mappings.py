"""Read mappings of two columns: the families of documents, and the groups of topics."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from pres_plugin.families import KIND_CODES
from pres_plugin.formats.base import DataFile
from pres_plugin.formats.copies import on_disk
from pres_plugin.formats.csv import CsvFile
from pres_plugin.formats.excel import ExcelFile
from pres_plugin.formats.json import JsonFile, read_whole
from pres_plugin.formats.opening import start_of
from pres_plugin.formats.parquet import ParquetFile
from pres_plugin.formats.tables import NAMES, TableFile
from pres_plugin.remedy import listed, quoted, some


def read_families(path: str) -> dict[str, str] | str:
    """Read the family of each document; `path` may also be 'kind-codes', which needs no file.

    The file is a table with a header or a JSON object, in any format that is read. Its columns
    are `doc_id` and `family`. Raise a FileError if it is wrong.
    """
    if path == KIND_CODES:
        return path
    return _read(path, (*NAMES["doc_id"], "document", "publication"), ("family", "family_id"))


def read_groups(path: str) -> dict[str, str]:
    """Read the group of each topic from a file with columns `topic` and `group`.

    See :func:`read_families`.
    """
    return _read(path, ("topic", *NAMES["query_id"]), ("group",))


def _read(path: str, keys: Sequence[str], values: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    with ExitStack() as until:
        file = _opened(on_disk(path, until), path)
        for key, value in _pairs(file, keys, values):
            if not (isinstance(key, str) and isinstance(value, str) and key and value):
                raise file.error(f"{keys[0]} {key!r:.60} needs a {values[0]}, got {value!r:.60}")
            if found.setdefault(key, value) != value:
                raise file.error(
                    f"{keys[0]} {quoted(key)} has two entries: {quoted(found[key])} and "
                    f"{quoted(value)}; keep one"
                )
    return found


def _opened(path: str, name: str) -> DataFile:
    start = start_of(path, name)
    for kind in (ParquetFile, ExcelFile, JsonFile):
        if kind.recognises(start, None):  # type: ignore[arg-type]
            return kind(path, name)
    return CsvFile(path, name)


def _pairs(file: DataFile, keys: Sequence[str], values: Sequence[str]) -> list[tuple[str, str]]:
    if not isinstance(file, TableFile):
        content = read_whole(file)
        if not isinstance(content, dict):
            raise file.error(f"expected a JSON object of {keys[0]} and {values[0]}")
        return list(content.items())
    columns = {}
    for what, options in (("key", keys), ("value", values)):
        there = [name for name in options if name in file.names]
        if not there:
            raise file.error(
                f"there is no column {listed([options[0]])} (or {', '.join(options[1:])}); the "
                f"first row must name the columns, which are {some(file.names, 20) or 'none'}"
            )
        columns[what] = there[0]
    return [row for rows in file.tables(columns) for row in rows.rows()]
