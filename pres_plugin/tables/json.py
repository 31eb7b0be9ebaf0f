"""Read runs and judgements in JSON: an object of topics, or a list of records.

A record is an object about one topic. The documents of a topic are an object of scores, a ranked
list, or a list of objects. JSON lines and MTEB's predictions contain the same parts.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

import polars as pl

from pres_plugin.messages import InputError, listed, quoted, shortened, some
from pres_plugin.ranking.checks import int_if_whole
from pres_plugin.tables.base import LARGEST, DataFile, Reading, Value, located
from pres_plugin.tables.columns import NAMES, TableFile
from pres_plugin.tables.opening import opened

try:
    import orjson
except ModuleNotFoundError:  # then Python's json module reads the files
    orjson = None  # type: ignore[assignment]

# The fields of a record with the documents of its topic: of a run, and of judgements.
_DOCUMENTS: dict[Value, Sequence[str]] = {
    "score": ("results", "ranking", "scores"),
    "relevance": ("relevant", "relevant_docs", "relevance", "qrels", "judgements", "judgments"),
}
# The types of numbers, their range, and how messages name them. Scores are finite 64-bit floats.
_NUMBERS: dict[Value, tuple[tuple[type, ...], float, float, str]] = {
    "score": ((int, float), -sys.float_info.max, sys.float_info.max, "number"),
    "relevance": ((int, bool), -(2**63), 2**63 - 1, "whole number of 64 bits, such as 1"),
}


class JsonFile(TableFile):
    """An object with the documents of each topic, or a list of records as in JSON lines.

    Other tables are an object with a value for each key, or a list of rows.
    """

    signature: re.Pattern[bytes] = re.compile(rb'\s*(?:\{\s*(?:["}]|\Z)|\[\s*(?:["\[\]{]|\Z))')

    by_hand: bool = True

    def batches(self, value: Value) -> Iterator[pl.DataFrame]:
        """Yield all rows at once."""
        content = read_whole(self)
        with self.located():
            if value not in _NUMBERS:
                yield self._rows(content, value)
            elif isinstance(content, list):
                yield rows_of(_numbered(content, value, self.reading), value)
            else:
                yield rows_of(object_of(content, "an object with topics").items(), value)

    def _rows(self, content: Any, value: Value) -> pl.DataFrame:
        """Return the rows of a list, or of an object with a value for each key."""
        if isinstance(content, dict):
            key = "doc_id" if value == "family" else "query_id"
            content = [{key: name, value: found} for name, found in content.items()]
        records = [object_of(record, "an object per row") for record in content]
        self.set_names([*dict.fromkeys(chain(*records))])
        columns = self.columns(value)
        rows = [[_text(record, *column) for column in columns.items()] for record in records]
        schema = dict.fromkeys(columns, pl.String)
        return self.checked(pl.DataFrame(rows, schema, orient="row"))


def _text(record: dict[str, Any], kind: str, name: str) -> str | None:
    value = record.get(name)
    if isinstance(value, dict | list):
        where = shortened(json.dumps(record))
        raise InputError(f"{where}: expected text as its {kind}, got {_described(value)}")
    return None if value is None else str(value)


def _numbered(records: list[Any], value: Value, reading: Reading) -> Iterator[tuple[Any, Any]]:
    """Yield the topics in a list of records; errors name the number of the record."""
    for number, record in enumerate(records, 1):
        with located(f"record {number}: "):
            topic = topic_of(record, value, reading)
        yield topic


def read_whole(file: DataFile) -> Any:
    """Return the value that a JSON file contains, or raise an InputError."""
    with opened(file.path, file.name) as content:
        text = content.read(LARGEST + 1)
    if len(text) > LARGEST:
        raise file.error(
            f"a JSON file is read as a whole and may be at most {LARGEST:,} bytes long; "
            "write JSON lines, with one topic per line, or Parquet"
        )
    with file.located():
        return loads(text)


def loads(text: bytes) -> Any:
    """Return the value that JSON describes; raise an InputError for wrong JSON.

    Parsers keep the last value of a key that an object contains twice. That is an error here. NaN
    and infinity, which JSON lacks, become floats.
    """
    if orjson is not None:
        with suppress(ValueError, RecursionError):
            value = orjson.loads(text)
            # An unescaped quote begins or ends a string. A repeated key counts only once.
            quotes = text.replace(b"\\\\", b"").replace(b'\\"', b"").count(b'"')
            if quotes == 2 * _n_strings(value):
                return value
    try:
        value = json.loads(text.decode(), object_pairs_hook=_object)
        json.dumps(value, ensure_ascii=False).encode()  # fails for half of a surrogate pair
        return value
    except InputError:
        raise
    except (ValueError, RecursionError) as error:
        raise InputError(f"this is not JSON ({shortened(str(error), 200)})") from None


def _n_strings(value: Any) -> int:
    """Count the strings in a value, including keys; a repeated key counts once."""
    if isinstance(value, dict):
        return len(value) + sum(map(_n_strings, value.values()))
    return sum(map(_n_strings, value)) if isinstance(value, list) else isinstance(value, str)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise InputError(f"an object contains the key {quoted(key)} twice")
        found[key] = value
    return found


def topic_of(record: Any, wanted: Value, reading: Reading) -> tuple[Any, Any]:
    """Return the id and the documents in a record, which is an object about one topic."""
    fields = object_of(record, "an object about one topic")
    topic_fields = [reading.topic_field] if reading.topic_field else NAMES["query_id"]
    hint = "; name the field with topic_field='NAME' (--topic-field NAME)"
    query_id = fields[_field_of(fields, "the topic's id", topic_fields, hint=hint)]
    of_run, hint = _DOCUMENTS["score"], ""
    choices = [of_run]
    if wanted == "relevance":
        hint = "; name the field with qrels_field='NAME' (--qrels-field NAME)"
        named = reading.qrels_field
        choices = [[named]] if named else [_DOCUMENTS[wanted], of_run]
    what = f"the documents of topic {query_id!r:.99}"
    return query_id, fields[_field_of(fields, what, *choices, hint=hint)]


def rows_of(topics: Iterable[tuple[Any, Any]], value: Value) -> pl.DataFrame:
    """Return the rows of topics, given as their ids and documents.

    A judged topic without documents is a row with nulls.
    """
    seen = set()
    columns: tuple[list[Any], ...] = ([], [], [])
    for query_id, documents in topics:
        _check_id(query_id, "a topic")
        where = f"topic {quoted(query_id)}"
        if query_id in seen:
            raise InputError(f"{where} occurs twice; write it once")
        seen.add(query_id)
        doc_ids, numbers = _documents(where, documents, value)
        if not doc_ids and value == "relevance":
            doc_ids, numbers = [None], [None]
        for column, more in zip(
            columns, ([query_id] * len(doc_ids), doc_ids, numbers), strict=True
        ):
            column += more
    number = pl.Float64 if value == "score" else pl.Int64
    schema = {"query_id": pl.String, "doc_id": pl.String, value: number}
    return pl.DataFrame(columns, schema)


def _field_of(fields: dict[str, Any], what: str, *choices: Sequence[str], hint: str = "") -> str:
    """Return the only field of an object that is in a choice: the first one with such a field."""
    groups = ([name for name in choice if name in fields] for choice in choices)
    found = next(filter(None, groups), [])
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError(f"fields {listed(found)} contain {what}; keep one of these fields")
    options = ", ".join(map(quoted, chain(*choices)))
    there = some([*map(repr, fields)], at_most=20) or "none"
    raise InputError(f"no field with {what}: expected {options} (found: {there}){hint}")


def _documents(where: str, value: Any, wanted: Value) -> tuple[Sequence[Any], Sequence[Any]]:
    """Return the ids of documents and their scores or relevances."""
    if isinstance(value, dict):
        doc_ids, numbers = [*value], [*value.values()]
    elif not isinstance(value, list):
        expected = "an object with documents or a list of them"
        raise InputError(f"{where}: expected {expected}, got {_described(value)}")
    elif value and isinstance(value[0], dict):
        doc_ids, numbers = _from_objects(where, value, wanted)
    else:
        # 32-bit floats represent whole numbers up to 2^24 exactly. No topic has so many documents.
        scores = [*range(len(value), 0, -1)]
        doc_ids, numbers = value, scores if wanted == "score" else [1] * len(value)
    if wanted == "relevance":
        numbers = list(map(int_if_whole, numbers))
    types, least, most, expected = _NUMBERS[wanted]
    for doc_id, number in zip(doc_ids, numbers, strict=True):
        _check_id(doc_id, f"{where}: a document")
        if type(number) not in types or not least <= number <= most:
            raise InputError(
                f"{where}, document {quoted(doc_id)}: the {wanted} is {_described(number)}; "
                f"write a {expected}"
            )
    return doc_ids, numbers


def _from_objects(where: str, values: list[Any], wanted: Value) -> tuple[list[Any], list[Any]]:
    """Return ids and numbers from a list of objects, such as sentence-transformers writes."""
    doc_field = _field_of(values[0], f"a document of {where}", NAMES["doc_id"])
    number = _field_of(values[0], f"the {wanted} of {where}", NAMES[wanted], NAMES["score"])
    try:
        return [each[doc_field] for each in values], [each[number] for each in values]
    except (TypeError, KeyError):
        raise InputError(
            f"{where}: each document must be an object with the fields {quoted(doc_field)} and "
            f"{quoted(number)}"
        ) from None


def _check_id(value: Any, what: str) -> None:
    if type(value) is not str or not value:
        raise InputError(
            f"{what}: the id is {_described(value)}; ids are non-empty strings, in quotes"
        )


def object_of(value: Any, expected: str) -> dict[str, Any]:
    """Return the value if it is an object, or raise an InputError."""
    if not isinstance(value, dict):
        raise InputError(f"expected {expected}, got {_described(value)}")
    return value


def _described(value: Any) -> str:
    """Return a value for a message: as JSON, or what kind of value it is."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    text = shortened(json.dumps(value))
    return f"the string {text}" if isinstance(value, str) else text
