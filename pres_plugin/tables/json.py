"""Read runs and judgements in JSON, as a whole or line by line.

A record is an object about one row, as in other tables, or about one topic. Then a field contains
the documents of the topic: an object of numbers, a ranked list of ids, or a list of records. A file
without records is an object of topics and their documents.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain, islice
from types import NoneType
from typing import Any

import polars as pl

from pres_plugin.messages import InputError, quoted, shortened
from pres_plugin.tables.base import LARGEST, Reading, Value, located
from pres_plugin.tables.columns import TableFile, chosen
from pres_plugin.tables.opening import opened, start_of
from pres_plugin.tables.text import TextFile

# The key under which MTEB describes the model, beside the predictions.
_MODEL = "mteb_model_meta"
_KEY = rb'\{\s*"(?:[^"\\]|\\.)*"\s*:\s*'  # and what precedes and follows it
# How MTEB's predictions begin: with the description of the model, whose values are texts or null,
# or with three objects. The values of a topic that is called so are numbers.
_PREDICTIONS = re.compile(
    rb'\s*(?:\{\s*"%b"\s*:\s*(?:\{\s*\}|%b["n])|%b\{)' % (_MODEL.encode(), _KEY, 2 * _KEY)
)

# What the keys of an object are; those of other objects are topics.
_KEYS: dict[Value, str] = {"family": "doc_id"}

_NUMBERS = ("relevance", "score", "rank", "N", "value")

# The beginning of a record whose first field is the topic's id.
_TOPIC = re.compile(rb'\{\s*"q(uery|)[_-]?id"\s*:\s*"')


class RecordsFile(TableFile):
    """Records about rows, or about topics and their documents."""

    def rows_of(self, records: Iterable[Any]) -> pl.DataFrame:
        """Return the rows of records, or raise an InputError."""
        fields = [object_of(record, "an object") for record in records]
        if "doc_id" in self.columns or self.reading.value not in ("relevance", "score"):
            cells = {
                kind: _cells(kind, [record.get(name) for record in fields])
                for kind, name in self.columns.items()
            }
            return self.checked(pl.DataFrame(cells))
        columns: dict[str, list[Any]] = {"query_id": [], "doc_id": []}
        names = dict(self.columns)
        topic_name = names.pop("query_id")
        [documents_name] = names.values()
        for record in fields:
            topic = record.get(topic_name)
            with located(f"topic {topic!r:.99}: "):
                kind, doc_ids, numbers = self._documents(record.get(documents_name))
                doc_ids = _cells("doc_id", doc_ids).to_list()
            columns["query_id"] += [topic] * len(doc_ids)
            columns["doc_id"] += doc_ids
            columns.setdefault(kind, []).extend(numbers)
        if len(columns) > 3:
            raise InputError("some topics have scores and others ranks; write scores for all")
        cells = {kind: _cells(kind, values) for kind, values in columns.items()}
        return self.checked(pl.DataFrame(cells), topics_alone=True)

    def _documents(self, documents: Any) -> tuple[str, list[Any], list[Any]]:
        """Return the ids of a topic's documents and their numbers, and what the numbers are.

        A judged topic without documents has one row, with nulls.
        """
        value = self.reading.value
        if not isinstance(documents, dict | list):
            raise InputError(
                f"expected an object with documents or a list of them, got {_described(documents)}"
            )
        if not documents and value == "relevance":
            return value, [None], [None]
        if isinstance(documents, dict):
            return value, [*documents], [*documents.values()]
        doc_ids: list[Any] = documents
        if documents and isinstance(documents[0], dict):
            fields = [object_of(each, "an object per document") for each in documents]
            named = chosen([*fields[0]], self.reading)
            doc_ids = [each.get(named["doc_id"]) for each in fields]
            for kind in named.keys() & {"relevance", "score", "rank"}:
                return kind, doc_ids, [each.get(named[kind]) for each in fields]
        if value == "score":
            return "rank", doc_ids, [*range(1, len(doc_ids) + 1)]
        return value, doc_ids, [1] * len(doc_ids)


class JsonFile(RecordsFile):
    """An object with the documents of each topic, or a list of records.

    MTEB's predictions are an object of subsets, their splits, and their topics. Each split is a
    run. If there is only one, it is named after the file.
    """

    signature: re.Pattern[bytes] = re.compile(rb'\s*(?:\{\s*(?:["}]|\Z)|\[\s*(?:["\[\]{]|\Z))')

    def prepare(self) -> None:
        """Read the names of the fields, and whether there are several runs."""
        start = start_of(self.path, self.name)
        self._has_splits: bool = _PREDICTIONS.match(start) is not None
        value = self.reading.value
        names = [_KEYS.get(value, "query_id"), value]
        if start.lstrip().startswith(b"["):
            content = read_whole(self)
            with self.located():
                records = (object_of(each, "an object") for each in content)
                names = [*dict.fromkeys(chain(*records))]
        self.set_names(names, nested=True)
        self.has_runs: bool = self.has_runs or (self._has_splits and len(self._runs()) > 1)

    def batches(self) -> Iterator[pl.DataFrame]:
        """Yield all rows of each run at once."""
        for run, topics in self._runs().items():
            with self.located(run and f"{run}: "):
                rows = self.rows_of(self._records(topics))
            if run and self.has_runs:
                rows = rows.with_columns(run=pl.lit(f"{self.run_name}/{run}"))
            yield rows

    def _records(self, content: Any) -> list[Any]:
        """Return the records in a list, or in an object with a value for each key."""
        if isinstance(content, list):
            return content
        key, value = _KEYS.get(self.reading.value, "query_id"), self.reading.value
        topics = object_of(content, "an object with topics")
        return [{key: name, value: found} for name, found in topics.items()]

    def _runs(self) -> dict[str, Any]:
        """Return the content of the file, by run if it contains MTEB's predictions."""
        content = read_whole(self)
        if not self._has_splits:
            return {"": content}
        if self.reading.value != "score":
            raise self.error("predictions of MTEB are runs")
        content.pop(_MODEL, None)
        with self.located():
            return {
                f"{subset}/{split}": topics
                for subset, splits in content.items()
                for split, topics in object_of(splits, f"splits in {quoted(subset)}").items()
            }


class JsonLinesFile(TextFile, RecordsFile):
    """A record on each line."""

    @classmethod
    def recognises(cls, start: bytes, reading: Reading) -> bool:
        """Return whether the first line is a record.

        That is an object that contains a value such as an id, or that another object follows.
        """
        first, line_break, rest = start.lstrip().partition(b"\n")
        if not first.startswith(b"{"):
            return False
        try:
            record = json.loads(first)
        except (ValueError, RecursionError):
            # The first line may be longer than `start`.
            return not line_break and _TOPIC.match(first) is not None
        has_value = any(not isinstance(each, dict | list) for each in record.values())
        is_record = has_value and reading.value in ("relevance", "score")
        return is_record or rest.lstrip().startswith(b"{")

    def prepare(self) -> None:
        """Read the names of the fields in the first lines, because a record may lack some."""
        text = b"".join(piece for _, piece in islice(self.pieces(), 2))
        names: dict[str, None] = {}
        for line in text.split(b"\n"):
            with suppress(ValueError, RecursionError):  # wrong lines are named when they are read
                record = json.loads(line)
                names |= dict.fromkeys(record if isinstance(record, dict) else ())
        self.set_names([*names], nested=True)

    def parsed(self, text: bytes) -> pl.DataFrame:
        """Return the rows of some lines."""
        lines = [line for line in text.split(b"\n") if line and not line.isspace()]
        # Parsing all lines at once takes half the time.
        return self.rows_of(loads(b"[%b]" % b",\n".join(lines))) if lines else pl.DataFrame()


def _cells(kind: str, values: list[Any]) -> pl.Series:
    """Return a column of ids or numbers, which are texts unless all of them have one type."""
    types = set(map(type, values))
    if kind not in _NUMBERS:
        if wrong := types - {str, int, NoneType}:
            [value, *_] = (value for value in values if type(value) in wrong)
            raise InputError(f"expected text as its {kind}, got {_described(value)}")
        return pl.Series(kind, [None if id is None else str(id) for id in values], pl.String)
    if types in ({int}, {float}) and kind != "value":
        with suppress(OverflowError):
            return pl.Series(kind, values)
    # What is no number is named with its topic and document by the check of all tables.
    texts = [each if isinstance(each, str | None) else json.dumps(each) for each in values]
    return pl.Series(kind, texts, pl.String)


def read_whole(file: TableFile) -> Any:
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
    try:
        value = json.loads(text.decode(), object_pairs_hook=_object)
        if b"\\ud" in text.lower():  # perhaps half of a surrogate pair
            json.dumps(value, ensure_ascii=False).encode()
        return value
    except InputError:
        raise
    except (ValueError, RecursionError) as error:
        raise InputError(f"this is not JSON ({shortened(str(error), 200)})") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        again, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise InputError(f"an object contains the key {quoted(again)} twice")
    return found


def object_of(value: Any, expected: str) -> dict[str, Any]:
    """Return the value if it is an object, or raise an InputError."""
    if not isinstance(value, dict):
        raise InputError(f"expected {expected}, got {_described(value)}")
    return value


def _described(value: Any) -> str:
    """Return a value for a message."""
    text = shortened(json.dumps(value))
    return f"the string {text}" if isinstance(value, str) else text
