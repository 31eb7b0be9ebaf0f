"""Read families of documents, groups of topics and sizes of collections from tables."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from itertools import chain
from typing import Any

from pres_plugin.families import KIND_CODES
from pres_plugin.files.collection_sizes import CollectionSizes
from pres_plugin.formats.base import DataFile, Reading
from pres_plugin.formats.copies import on_disk
from pres_plugin.formats.json import read_whole
from pres_plugin.formats.opening import start_of
from pres_plugin.formats.recognition import FORMATS
from pres_plugin.formats.tables import TableFile
from pres_plugin.remedy import RemediedError, quoted


def read_families(path: str) -> dict[str, str] | str:
    """Read the family of each document; `path` may also be 'kind-codes', which needs no file.

    The file is a table with the columns `doc_id` and `family`, or a JSON object. Raise a
    FileError if it is invalid.
    """
    return path if path == KIND_CODES else _read(path, "doc_id", "family", "document")


def read_groups(path: str) -> dict[str, str]:
    """Read the group of each topic from a table with the columns `topic` and `group`.

    The file may have the same formats as in :func:`read_families`.
    """
    return _read(path, "query_id", "group", "topic")


def read_collection_sizes(path: str) -> CollectionSizes:
    """Read the size of each topic's collection from a table with the columns `topic` and `N`.

    The file may have the same formats as in :func:`read_families`.
    """
    return CollectionSizes(path, _read(path, "query_id", "N", "topic"))


def _read(path: str, key_column: str, value_column: str, what: str) -> dict[str, str]:
    found: dict[str, str] = {}
    with ExitStack() as temporary_files:
        copy = on_disk(path, temporary_files)
        start, reading = start_of(copy, path), Reading()
        kinds = ("parquet", "excel", "json")
        recognised = (kind for kind in kinds if FORMATS[kind].recognises(start, reading))
        file = FORMATS[next(recognised, "csv")](copy, path)
        for key, value in _pairs(file, key_column, value_column, what):
            if isinstance(value, int):
                value = str(value)
            if not (key and value and isinstance(value, str)):
                raise file.error(
                    f"expected a {what} and its {value_column}, both text and not empty, "
                    f"got {key!r:.60} and {value!r:.60}"
                )
            if found.setdefault(key, value) != value:
                both = f"{quoted(found[key])} and {quoted(value)}"
                raise file.error(f"{what} {quoted(key)} is in {both}; keep one of these rows")
    return found


def _pairs(file: DataFile, key: str, value: str, what: str) -> Iterable[Any]:
    if not isinstance(file, TableFile):
        content: dict[str, Any] = read_whole(file, f"an object of {what}s and each one's {value}")
        return content.items()
    try:
        columns = file.chosen([key], [value])
    except RemediedError as error:  # the remedy is for judgements and runs
        raise file.error(error.problem) from None
    return chain.from_iterable(rows.rows() for rows in file.tables(columns))
