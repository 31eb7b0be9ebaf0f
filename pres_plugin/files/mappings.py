"""Read families of documents, groups of topics and sizes of collections from tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from itertools import chain
from typing import Any

from pres_plugin.families import KIND_CODES
from pres_plugin.files.collection_sizes import CollectionSizes
from pres_plugin.formats.base import DataFile, Reading
from pres_plugin.formats.copies import on_disk
from pres_plugin.formats.csv import CsvFile
from pres_plugin.formats.excel import ExcelFile
from pres_plugin.formats.json import JsonFile, read_whole
from pres_plugin.formats.opening import start_of
from pres_plugin.formats.parquet import ParquetFile
from pres_plugin.formats.tables import NAMES, TableFile
from pres_plugin.remedy import quoted, some


def read_families(path: str) -> dict[str, str] | str:
    """Read the family of each document; `path` may also be 'kind-codes', which needs no file.

    The file is a table with the columns `doc_id` and `family`, or a JSON object. Raise a
    FileError if it is invalid.
    """
    if path == KIND_CODES:
        return path
    return _read(path, (*NAMES["doc_id"], "document", "publication"), ("family", "family_id"))


def read_groups(path: str) -> dict[str, str]:
    """Read the group of each topic from a table with the columns `topic` and `group`.

    The file may have the same formats as in :func:`read_families`.
    """
    return _read(path, ("topic", *NAMES["query_id"]), ("group",))


def read_collection_sizes(path: str) -> CollectionSizes:
    """Read the size of each topic's collection from a table with the columns `topic` and `N`.

    The file may have the same formats as in :func:`read_families`.
    """
    topics = ("topic", *NAMES["query_id"])
    return CollectionSizes(path, _read(path, topics, ("N", "n_docs", "num_docs")))


def _read(path: str, keys: Sequence[str], values: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    with ExitStack() as temporary_files:
        copy = on_disk(path, temporary_files)
        kinds: list[type[Any]] = [ParquetFile, ExcelFile, JsonFile]
        start, reading = start_of(copy, path), Reading()
        recognised = (kind for kind in kinds if kind.recognises(start, reading))
        file = next(recognised, CsvFile)(copy, path)
        for key, value in _pairs(file, keys, values):
            if isinstance(value, int):
                value = str(value)
            if not (key and value and isinstance(value, str)):
                raise file.error(
                    f"expected a {keys[0]} and its {values[0]}, both text and not empty, "
                    f"got {key!r:.60} and {value!r:.60}"
                )
            if found.setdefault(key, value) != value:
                both = f"{quoted(found[key])} and {quoted(value)}"
                raise file.error(f"{keys[0]} {quoted(key)} is in {both}; keep one of these rows")
    return found


def _pairs(file: DataFile, keys: Sequence[str], values: Sequence[str]) -> Iterable[Any]:
    if not isinstance(file, TableFile):
        content: dict[str, Any] = read_whole(file, f"an object of {keys[0]} and {values[0]}")
        return content.items()
    columns = {}
    for options in (keys, values):
        there = [name for name in options if name in file.names]
        if not there:
            raise file.error(
                f"there is no column {' or '.join(options)}; the columns are "
                f"{some(file.names, 20) or 'none'}; the first row must name the columns"
            )
        columns[options[0]] = there[0]
    return chain.from_iterable(rows.rows() for rows in file.tables(columns))
