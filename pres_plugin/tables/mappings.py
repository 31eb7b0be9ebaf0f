"""Read tables that are neither runs nor judgements: families, groups, sizes and values."""

from __future__ import annotations

from typing import Any

import polars as pl

from pres_plugin.messages import quoted
from pres_plugin.tables.base import DataFile, Names, Reading, Value
from pres_plugin.tables.collection_sizes import CollectionSizes
from pres_plugin.tables.recognition import open_file


def read_groups(path: str) -> dict[str, str]:
    """Read the group of each topic from a table with the columns `topic` and `group`.

    The file may also be a JSON object.
    """
    return mapping_of(*read_table(path, "group"))


def read_collection_sizes(path: str) -> CollectionSizes:
    """Read the size of each topic's collection from a table with the columns `topic` and `N`.

    The file may also be a JSON object.
    """
    return CollectionSizes(path, mapping_of(*read_table(path, "N")))


def read_table(
    path: str, value: Value, columns: Names | None = None
) -> tuple[DataFile, pl.DataFrame]:
    """Return the file at a path, and its rows; raise an InputError if there are none.

    `columns` contains names of columns, by what they contain.
    """
    reading = Reading(value, columns=columns or {})
    with reading.temporary_files:
        file = open_file(path, path, reading)
        batches = [*file.batches()]
    if not batches:
        raise file.error("the file is empty, or contains no rows")
    return file, pl.concat(batches)


def mapping_of(file: DataFile, rows: pl.DataFrame) -> dict[str, Any]:
    """Return the second column of a file's rows by the first; raise if a key has two values."""
    (key, name), found = rows.columns, dict[str, Any]()
    for each, value in rows.iter_rows():
        if found.setdefault(each, value) != value:
            what = "document" if key == "doc_id" else "topic"
            both = f"{quoted(str(found[each]))} and {quoted(str(value))}"
            raise file.error(
                f"the {name} of {what} {quoted(each)} is {both}; keep one of these rows"
            )
    return found
