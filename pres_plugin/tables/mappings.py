"""Read families of documents, groups of topics and sizes of collections from tables."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from pres_plugin.families import KIND_CODES
from pres_plugin.messages import quoted
from pres_plugin.tables.base import Reading, Value
from pres_plugin.tables.collection_sizes import CollectionSizes
from pres_plugin.tables.copies import on_disk
from pres_plugin.tables.opening import start_of
from pres_plugin.tables.recognition import FORMATS


def read_families(path: str) -> dict[str, str] | str:
    """Read the family of each document; `path` may also be 'kind-codes', which needs no file.

    The file is a table with the columns `doc_id` and `family`, or a JSON object. Raise a
    InputError if it is invalid.
    """
    return path if path == KIND_CODES else _read(path, "family", "document")


def read_groups(path: str) -> dict[str, str]:
    """Read the group of each topic from a table with the columns `topic` and `group`.

    The file may have the same formats as in :func:`read_families`.
    """
    return _read(path, "group", "topic")


def read_collection_sizes(path: str) -> CollectionSizes:
    """Read the size of each topic's collection from a table with the columns `topic` and `N`.

    The file may have the same formats as in :func:`read_families`.
    """
    return CollectionSizes(path, _read(path, "N", "topic"))


def _read(path: str, value: Value, what: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    with ExitStack() as temporary_files:
        copy = on_disk(path, temporary_files)
        start, reading = start_of(copy, path), Reading()
        kinds = ("parquet", "excel", "json")
        recognised = (kind for kind in kinds if FORMATS[kind].recognises(start, reading))
        file = FORMATS[next(recognised, "csv")](copy, path)
        rows = [row for batch in file.batches(value) for row in batch.iter_rows()]
    for key, each in rows:
        if found.setdefault(key, each) != each:
            both = f"{quoted(str(found[key]))} and {quoted(str(each))}"
            raise file.error(f"{what} {quoted(key)} is in {both}; keep one of these rows")
    if not found:
        raise file.error("the file is empty, or contains no rows")
    return found
