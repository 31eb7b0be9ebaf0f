"""Read runs and judgements in JSON, in JSON lines, and in the predictions that MTEB writes."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from pres_plugin.formats.base import DataFile, Duplicates, FileError, Reading, Value
from pres_plugin.formats.dicts import Dicts, Topics, from_dicts
from pres_plugin.formats.input.lines import has_long_line, pieces
from pres_plugin.formats.input.opening import opened, shown_as
from pres_plugin.formats.json.documents import (
    REPEATED,
    Documents,
    PathError,
    documents_by_topic,
    documents_of,
    object_at,
    written,
)
from pres_plugin.formats.json.parts import (
    BINARY,
    IN_LIST,
    LONGEST_TOPIC,
    TOO_LONG,
    Part,
    parts,
)
from pres_plugin.formats.json.values import NotJsonError, read_with
from pres_plugin.formats.trec.files import empty
from pres_plugin.remedy import RemediedError, Remedy, quoted

if TYPE_CHECKING:
    import polars as pl

#: The key under which MTEB describes the model.
MODEL = "mteb_model_meta"

#: The minimum number of rows in each dataframe except the last.
ROWS = 100_000

_Read = TypeVar("_Read")


class Found(NamedTuple):
    """The documents of a topic, the line if the file has one per topic, and the run's name."""

    documents: Documents
    line: int | None = None
    run: str | None = None


class _AnyJsonFile(DataFile):
    """Base class of the JSON formats, which are read one whole topic at a time."""

    endings: tuple[str, ...] = ("_predictions.json", ".json", ".jsonl", ".ndjson")
    works_without_polars: bool = True

    @abstractmethod
    def _topics(self, value: Value) -> Iterator[Found]:
        """Yield the topics in the file's order, or raise a FileError."""

    def pieces(self, value: Value) -> Iterator[pl.DataFrame]:
        """Yield whole topics, together at least ROWS rows."""
        waiting: list[Found] = []
        n_rows = 0
        for found in self._once_each(value):
            waiting.append(found)
            n_rows += len(found.documents.doc_ids)
            if n_rows >= ROWS:
                yield _frame(waiting, value, self.has_runs)
                waiting, n_rows = [], 0
        if waiting:
            yield _frame(waiting, value, self.has_runs)

    def carefully(self, value: Value, duplicates: Duplicates) -> pl.DataFrame | None:
        """Return all rows of a file with one run."""
        return None if self.has_runs else from_dicts(self.dicts(value, duplicates), value)

    def dicts(self, value: Value, duplicates: Duplicates, run: str | None = None) -> Dicts:
        """Return the relevance or score of each document, by topic."""
        topics = Topics(duplicates)
        for found in self._once_each(value):
            if run is None or run == found.run:
                self._add(found, topics)
        return topics.dicts

    def _add(self, found: Found, topics: Topics) -> None:
        query_id, doc_ids, numbers = found.documents[:3]
        topics.dicts[query_id] = {}
        for i, (doc_id, number) in enumerate(zip(doc_ids, numbers, strict=True)):
            try:
                topics.add(query_id, doc_id, number)
            except RemediedError as error:
                path = found.documents.path_of(i)
                repeated = PathError(path, error.problem, error.remedy)
                raise self._at_path(repeated, found.line) from None

    def _once_each(self, value: Value) -> Iterator[Found]:
        """Yield the topics to read; raise a FileError if there are none, or one occurs twice."""
        seen: dict[tuple[str | None, str], int | None] = {}
        has_documents = False
        for found in self._topics(value):
            key = found.run, found.documents.query_id
            if key in seen:
                topic = f"topic {quoted(found.documents.query_id)}"
                where = f"on line {seen[key]}" if seen[key] else "in the file"
                raise self._error(f"{topic} is {where} already", found.line)
            seen[key] = found.line
            if value == "relevance" or found.documents.doc_ids:
                has_documents = True
                yield found
        if not has_documents:
            what = "documents" if seen else "topics"
            raise self._error(f"the file contains no {what}")

    def _read(self, text: bytes, use: Callable[[Any], _Read], line: int | None = None) -> _Read:
        """Return what `use` returns for JSON text, which fills a line unless `line` is None."""
        try:
            return read_with(text, use)
        except PathError as error:
            raise self._at_path(error, line) from None

    def _at_path(self, error: PathError, line: int | None) -> FileError:
        where = f"{written(error.path)}: " if error.path else ""
        return self._error(f"{where}{error.problem}", line, remedy=error.remedy)

    def _error(
        self,
        problem: str,
        line: int | None = None,
        column: int | None = None,
        remedy: Remedy | None = None,
    ) -> FileError:
        where = "" if line is None else f", line {line}"
        where += "" if column is None else f", column {column}"
        return FileError(f"{shown_as(self.name)}{where}: {problem}", remedy)

    def _parts(self, *depths: int) -> Iterator[Part]:
        """Yield a file in parts, or raise a FileError."""
        try:
            with opened(self.path, self.name) as file:
                for part in parts(file, *depths):
                    if part.is_first and part.is_last and not part.text.strip():
                        raise empty(self.name)
                    if not part.is_first and part.text.lstrip()[:1] in b"]}":
                        raise self._error("this is not JSON (a comma without a value)", part.line)
                    yield part
        except RemediedError as error:
            raise error if isinstance(error, FileError) else self._error(error.problem) from None

    def _read_part(
        self, part: Part, opening: bytes, closing: bytes, use: Callable[[Any], _Read]
    ) -> _Read:
        """Return what `use` returns for a part, made valid JSON by `opening` and `closing`."""
        opening = b"" if part.is_first else opening
        closing = b"" if part.is_last else closing
        try:
            return self._read(opening + part.text + closing, use)
        except NotJsonError as error:
            line, column = error.line, error.column
            if line == 0 and column is not None:
                column += part.column - len(opening)
            raise self._error(
                error.problem,
                None if line is None else part.line + line,
                None if column is None else column + 1,
            ) from None


class JsonFile(_AnyJsonFile):
    """An object with the documents of each topic, or a list of records as in JSON lines."""

    def _topics(self, value: Value) -> Iterator[Found]:
        n_records = 0

        def found_in(read: Any) -> list[Documents]:
            if isinstance(read, list):
                records = enumerate(read, n_records)
                return [documents_of(each, value, self.reading, (i,)) for i, each in records]
            return documents_by_topic(read, value)

        opening = b""
        for part in self._parts(1, IN_LIST):
            opening = opening or part.text.lstrip()[:1]
            closing = b"]" if opening == b"[" else b"}"
            topics = self._read_part(part, opening, closing, found_in)
            n_records += len(topics)
            yield from map(Found, topics)


class JsonLinesFile(_AnyJsonFile):
    """A record on each line: the id of a topic and its documents."""

    def _topics(self, value: Value) -> Iterator[Found]:
        for line, text in self._lines():
            try:
                yield Found(
                    self._read(text, lambda each: documents_of(each, value, self.reading), line),
                    line,
                )
            except NotJsonError as error:
                column = None if error.column is None else error.column + 1
                raise self._error(error.problem, line, column) from None

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield each line that is not blank, with its 1-based number."""
        before = 0
        is_empty = True
        with opened(self.path, self.name) as file:
            for text in pieces(file, LONGEST_TOPIC):
                if b"\0" in text:
                    line = before + text.count(b"\n", 0, text.index(b"\0")) + 1
                    raise self._error(BINARY, line)
                if has_long_line(text, LONGEST_TOPIC):
                    raise self._error(TOO_LONG, before + 1)
                if not text.isspace():
                    for i, record in enumerate(text.split(b"\n"), before + 1):
                        if record and not record.isspace():
                            is_empty = False
                            yield i, record
                before += text.count(b"\n")
        if is_empty:
            raise empty(self.name)


class MtebFile(_AnyJsonFile):
    """Predictions that MTEB writes: an object of subsets, their splits, and the topics of each.

    Each subset and split is a run. If there is only one, it is named after the file.
    """

    def __init__(self, path: str, name: str | None = None, reading: Reading | None = None) -> None:
        super().__init__(path, name, reading)
        self._kept: list[Found] | None = None
        if path == "-" or not Path(path).is_file():  # a pipe cannot be read again
            self._kept = list(self._read_topics())
        self._sizes: Counter[str] = Counter()
        for found in self._topics("score"):
            self._sizes[found.run or ""] += len(found.documents.doc_ids)
        self.has_runs: bool = len(self._sizes) > 1

    def run_sizes(self) -> Counter[str]:
        """Count the documents of each run."""
        return self._sizes

    def _topics(self, value: Value) -> Iterator[Found]:
        if value == "relevance":
            raise self._error("predictions of MTEB are runs, not judgements")
        yield from self._read_topics() if self._kept is None else self._kept

    def _read_topics(self) -> Iterator[Found]:
        seen: set[tuple[str, ...]] = set()
        last: tuple[str, ...] = ()
        opening = b""
        for part in self._parts(3):
            keys, splits = self._read_part(part, opening, b"}}}", _splits)
            opening = b"".join(b"{%s:" % json.dumps(key).encode() for key in keys) + b"{"
            for subset, split, topics in splits:
                path = subset, split
                for there in (path[:1], path):  # a part may continue the last subset and split
                    if there != last[: len(there)]:
                        if there in seen:
                            raise self._at_path(PathError(there, REPEATED), None)
                        seen.add(there)
                last = path
                for documents in topics:
                    yield Found(documents, run=f"{self.run_name}/{subset}/{split}")


_Split = tuple[str, str, list[Documents]]


def _splits(value: Any) -> tuple[tuple[str, str], list[_Split]]:
    """Return the last key at both levels, and the topics of each subset and split."""
    found: list[_Split] = []
    subset = split = ""
    for subset, splits in object_at((), value, "an object with subsets").items():
        if subset == MODEL:
            split = next(reversed(splits), "") if isinstance(splits, dict) else ""
            continue
        for split, topics in object_at((subset,), splits, "an object with splits").items():
            found.append((subset, split, documents_by_topic(topics, "score", (subset, split))))
    return (subset, split), found


def _frame(found: Sequence[Found], value: Value, has_runs: bool) -> pl.DataFrame:
    """Return the rows of some topics; a judged topic without documents is a row with nulls."""
    import polars as pl

    doc_ids: list[str | None] = []
    numbers: list[float | None] = []
    sizes = []
    for each in found:
        before = len(doc_ids)
        doc_ids += each.documents.doc_ids or [None]
        numbers += each.documents.numbers or [None]
        sizes.append(len(doc_ids) - before)
    topic = np.repeat(np.arange(len(found)), sizes)
    columns = {
        "query_id": pl.Series([each.documents.query_id for each in found]).gather(topic),
        "doc_id": pl.Series(doc_ids, dtype=pl.String),
        value: pl.Series(numbers, dtype=pl.Float64 if value == "score" else pl.Int64),
    }
    if has_runs:
        columns["run"] = pl.Series([each.run for each in found]).gather(topic)
    return pl.DataFrame(columns)
