"""Read runs and judgements in JSON: an object of topics, or a list of records.

A record is an object about one topic. The documents of a topic are an object of scores, a ranked
list, or a list of objects. JSON lines and MTEB's predictions contain the same parts.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from pres_plugin.formats import base
from pres_plugin.formats.base import DataFile, Reading, Value
from pres_plugin.formats.opening import BYTE_ORDER_MARK, opened
from pres_plugin.formats.tables import NAMES
from pres_plugin.remedy import RemediedError, Remedy, listed, quoted, shortened, some

try:
    import orjson
except ModuleNotFoundError:  # then Python's json module reads the files
    orjson = None  # type: ignore[assignment]

_NUMBER_FIELDS: dict[Value, tuple[str, ...]] = {
    "score": NAMES["score"],
    "relevance": (*NAMES["relevance"], *NAMES["score"]),
}
_RUN_FIELDS = ("results", "ranking", "scores")
_QRELS_FIELDS = ("relevant", "relevant_docs", "relevance", "qrels", "judgements", "judgments")
_START = re.compile(rb'\s*(?:\{\s*(?:["}]|\Z)|\[\s*(?:["\[\]{]|\Z))')


class Documents(NamedTuple):
    """The documents of a topic, and their scores or relevances."""

    query_id: str
    doc_ids: Sequence[str]
    numbers: Sequence[float]


class JsonFile(DataFile):
    """An object with the documents of each topic, or a list of records as in JSON lines."""

    @classmethod
    def recognises(cls, start: bytes, reading: Reading) -> bool:
        """Return whether a file begins with a JSON object or list."""
        return looks_like_json(start)

    def batches(self, value: Value) -> Iterator[pl.DataFrame]:
        """Yield all rows at once."""
        read = read_whole(self)
        try:
            if isinstance(read, list):
                topics = [documents_of(record, value, self.reading) for record in read]
            else:
                topics = documents_by_topic(read, value)
            check_topics(topics)
        except RemediedError as error:
            raise self.error(error.problem, error.remedy) from None
        yield rows_of(topics, value)


def looks_like_json(start: bytes) -> bool:
    """Return whether a file begins with a JSON object or list."""
    return _START.match(start) is not None


def read_whole(file: DataFile) -> Any:
    """Return the value that a JSON file contains, or raise a FileError."""
    with opened(file.path, file.name) as content:
        text = content.read(base.LARGEST + 1).removeprefix(BYTE_ORDER_MARK)
    if len(text) > base.LARGEST:
        raise file.error(
            f"a JSON file is read as a whole and may be at most {base.LARGEST:,} bytes long; "
            "write JSON lines, with one topic per line, or Parquet"
        )
    try:
        return loads(text)
    except RemediedError as error:
        raise file.error(error.problem) from None


def loads(text: bytes) -> Any:
    """Return the value that JSON describes; raise a RemediedError for wrong JSON.

    Parsers keep the last value of a key that an object contains twice. That is an error here. NaN
    and infinity, which JSON lacks, become floats.
    """
    if orjson is not None:
        with suppress(ValueError):
            value = orjson.loads(text)
            # An unescaped quote begins or ends a string. A repeated key counts only once.
            quotes = text.replace(b"\\\\", b"").replace(b'\\"', b"").count(b'"')
            if quotes == 2 * _n_strings(value):
                return value
    try:
        return json.loads(text.decode(), object_pairs_hook=_object)
    except RemediedError:
        raise
    except (ValueError, RecursionError) as error:
        raise RemediedError(f"this is not JSON ({shortened(str(error), 200)})") from None


def _n_strings(value: Any) -> int:
    """Count the strings in a value, including keys; a repeated key counts once."""
    n = 0
    level = [value]
    while level:
        kinds = Counter(map(type, level))
        objects = [each for each in level if type(each) is dict] if kinds[dict] else []
        lists = [each for each in level if type(each) is list] if kinds[list] else []
        n += kinds[str] + sum(map(len, objects))
        level = [*chain.from_iterable(map(dict.values, objects)), *chain.from_iterable(lists)]
    return n


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    for key, times in Counter(key for key, _ in pairs).items():
        if times > 1:
            raise RemediedError(f"an object contains the key {quoted(key)} twice")
    return dict(pairs)


def documents_by_topic(value: Any, wanted: Value) -> list[Documents]:
    """Return the documents of each topic in an object whose keys are topics."""
    topics = _object_of(value, "an object with topics")
    return [_documents(key, documents, wanted) for key, documents in topics.items()]


def documents_of(record: Any, wanted: Value, reading: Reading) -> Documents:
    """Return the documents of a record, which is an object about one topic."""
    fields = _object_of(record, "an object about one topic")
    topic_fields = (reading.topic_field,) if reading.topic_field else NAMES["query_id"]
    query_id = fields[_field_of(fields, topic_fields, "the topic's id", "topic_field")]
    _check_ids([query_id], "the topic")
    options: tuple[str, ...] = _RUN_FIELDS
    what, argument = "the documents", None
    if wanted == "relevance":
        what, argument = "relevant documents", "qrels_field"
        options = (reading.qrels_field,) if reading.qrels_field else _fields_of_qrels(fields)
    try:
        field = _field_of(fields, options, what, argument)
    except RemediedError as error:
        raise RemediedError(f"topic {quoted(query_id)}: {error.problem}", error.remedy) from None
    return _documents(query_id, fields[field], wanted)


def check_topics(topics: Sequence[Documents]) -> None:
    """Raise a RemediedError if two records are about the same topic."""
    for query_id, times in Counter(each.query_id for each in topics).items():
        if times > 1:
            raise RemediedError(f"topic {quoted(query_id)} occurs {times} times")


def rows_of(topics: Sequence[Documents], value: Value) -> pl.DataFrame:
    """Return the rows of some topics; a judged topic without documents is a row with nulls."""
    if value == "relevance":
        topics = [each if each.doc_ids else Documents(each[0], [None], [None]) for each in topics]  # type: ignore[list-item]
    sizes = [len(each.doc_ids) for each in topics]
    columns = {
        "query_id": pl.Series([each.query_id for each in topics], dtype=pl.String).gather(
            np.repeat(np.arange(len(topics)), sizes)
        ),
        "doc_id": pl.Series([*chain.from_iterable(t.doc_ids for t in topics)], dtype=pl.String),
        value: pl.Series(
            [*chain.from_iterable(each.numbers for each in topics)],
            dtype=pl.Float64 if value == "score" else pl.Int64,
        ),
    }
    return pl.DataFrame(columns)


def _fields_of_qrels(fields: dict[str, Any]) -> tuple[str, ...]:
    """Return the names to look for in judgements: those of a run only if there is no other."""
    has_only_those = not fields.keys().isdisjoint(_RUN_FIELDS) and fields.keys().isdisjoint(
        _QRELS_FIELDS
    )
    return _RUN_FIELDS if has_only_those else _QRELS_FIELDS


def _field_of(
    fields: dict[str, Any], options: Sequence[str], what: str, argument: str | None = None
) -> str:
    """Return the name of the only field of an object that is among `options`."""
    found = [name for name in options if name in fields]
    if len(found) == 1:
        return found[0]
    if found:
        raise RemediedError(f"fields {listed(found)} contain {what}; keep one of these fields")
    there = some([*map(repr, fields)], at_most=20) or "none"
    expected = "one of " * (len(options) > 1) + ", ".join(map(quoted, options))
    remedy = Remedy("name the field with {}", argument, ("NAME",)) if argument else None
    raise RemediedError(f"no field with {what}: expected {expected} (found: {there})", remedy)


def _documents(query_id: str, value: Any, wanted: Value) -> Documents:
    _check_ids([query_id], "the topic")
    where = f"topic {quoted(query_id)}"
    if isinstance(value, dict):
        doc_ids, numbers = [*value], [*value.values()]
    elif not isinstance(value, list):
        expected = "an object with documents or a list of them"
        raise RemediedError(f"{where}: expected {expected}, got {_described(value)}")
    elif value and isinstance(value[0], dict):
        doc_ids, numbers = _from_objects(where, value, wanted)
    else:
        # 32-bit floats represent whole numbers up to 2^24 exactly. No topic has so many documents.
        doc_ids, numbers = value, [*map(float, range(len(value), 0, -1))]
        if wanted == "relevance":
            numbers = [1] * len(value)
    _check_ids(doc_ids, f"{where}: a document")
    return Documents(query_id, doc_ids, _checked(where, doc_ids, numbers, wanted))


def _from_objects(where: str, values: list[Any], wanted: Value) -> tuple[list[Any], list[Any]]:
    """Return ids and numbers from a list of objects, such as sentence-transformers writes."""
    try:
        first = _object_of(values[0], "an object about one document")
        doc_field = _field_of(first, NAMES["doc_id"], "the document's id")
        options = [name for name in _NUMBER_FIELDS[wanted] if name in first][:1]
        number_field = _field_of(first, options or _NUMBER_FIELDS[wanted], f"the {wanted}")
        for value in values:
            if not isinstance(value, dict) or not {doc_field, number_field} <= value.keys():
                fields = _object_of(value, "an object about one document")
                _field_of(fields, [doc_field], "the document's id")
                _field_of(fields, [number_field], f"the {wanted}")
    except RemediedError as error:
        raise RemediedError(f"{where}: {error.problem}") from None
    return [value[doc_field] for value in values], [value[number_field] for value in values]


def _checked(
    where: str, doc_ids: Sequence[str], numbers: list[Any], wanted: Value
) -> Sequence[float]:
    """Return scores as floats, and relevances as they are; raise a RemediedError for others."""
    check = _is_score if wanted == "score" else _is_relevance
    kinds = set(map(type, numbers))
    if not (kinds <= {float} and all(map(math.isfinite, numbers)) and wanted == "score"):
        for doc_id, number in zip(doc_ids, numbers, strict=True):
            if not check(number):
                expected = "finite number" if wanted == "score" else "whole number of 64 bits"
                raise RemediedError(
                    f"{where}, document {quoted(doc_id)}: the {wanted} is {_described(number)}; "
                    f"write a {expected}"
                )
    return [*map(float, numbers)] if wanted == "score" else numbers


def _is_score(value: Any) -> bool:
    # Python's own parser returns whole numbers of any length.
    return type(value) in (int, float) and -1.7e308 < value < 1.7e308


def _is_relevance(value: Any) -> bool:
    return type(value) is int and -(1 << 63) <= value < 1 << 63


def _check_ids(ids: Sequence[Any], what: str) -> None:
    """Raise a RemediedError for an id that is not a string, is empty, or contains invalid text."""
    if set(map(type, ids)) <= {str} and "" not in ids and _is_text("".join(ids)):
        return
    for value in ids:
        if type(value) is not str:
            is_number = type(value) in (int, float)
            advice = "write it in quotes" if is_number else "write a string"
            raise RemediedError(f"{what}: the id is {_described(value)}; {advice}")
        if not value:
            raise RemediedError(f"{what}: the id is empty")
        if not _is_text(value):
            raise RemediedError(f"{what}: the id {quoted(value)} is not text")


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair
        return False
    return "\0" not in text


def _object_of(value: Any, expected: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise RemediedError(f"expected {expected}, got {_described(value)}")
    return value


def _described(value: Any) -> str:
    """Return a value for a message: as JSON, or what kind of value it is."""
    if isinstance(value, str):
        return f'the string "{quoted(value)[1:-1]}"'
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return shortened(json.dumps(value))
