"""Read runs and judgements in CSV and TSV files with a header.

Columns are named as in :mod:`pres_plugin.formats.columns`; others are ignored. Fields are
separated by commas or tabs and may be quoted, as Python's csv module writes them. Ids are read
exactly as written. A row may be up to 8 MiB long.

:class:`CsvFile` reads a file in pieces with :mod:`.pieces`, which is many times faster. A file
that contains anything unusual is read row by row.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import IO, TYPE_CHECKING, NamedTuple, cast

from pres_plugin.formats.base import (
    DataFile,
    Duplicates,
    FileError,
    Reading,
    UnclearError,
    Value,
)
from pres_plugin.formats.csv.header import BLANKS, LONGEST_ROW, Header, header_of
from pres_plugin.formats.dicts import Dicts, Topics, from_dicts
from pres_plugin.formats.input.opening import opened, shown_as, start_of
from pres_plugin.formats.numbers import rank_of, relevance_of, score_of
from pres_plugin.formats.ranks import check_ranks
from pres_plugin.remedy import RemediedError, quoted, some

if TYPE_CHECKING:
    import polars as pl

#: The maximum number of blank lines. A file of a few megabytes may contain a billion.
MOST_BLANK_LINES: int = 1_000_000

_NUMBERS = {"relevance": relevance_of, "score": score_of, "rank": rank_of}


class CsvFile(DataFile):
    """Judgements or runs in a table with commas or tabs, compressed or not."""

    endings: tuple[str, ...] = (".csv", ".tsv")
    works_without_polars: bool = True

    def __init__(self, path: str, name: str | None = None, reading: Reading | None = None) -> None:
        super().__init__(path, name, reading)
        header = header_of(start_of(path, name))
        self.has_runs: bool = header is not None and "run" in header.names
        self._separator = header.separator if header else ","

    def pieces(self, value: Value) -> Iterator[pl.DataFrame]:
        """Yield the rows in pieces, or raise an UnclearError for unusual ones."""
        from pres_plugin.formats.csv.pieces import pieces_of

        return pieces_of(self.path, self.name, value)

    def carefully(self, value: Value, duplicates: Duplicates) -> pl.DataFrame:
        """Read the file row by row."""
        import polars as pl

        runs: dict[str, Topics] = {}
        with self._rows(value) as rows:
            for row in rows:
                topics = runs.setdefault(row.run, Topics(duplicates))
                topics.add(row.query_id, row.doc_id, row.number)
            for topics in runs.values():
                rows.check(topics.dicts)
        frame = pl.concat(
            from_dicts(topics.dicts, value).select(pl.lit(run).alias("run"), pl.all())
            for run, topics in runs.items()
        )
        if rows.has_ranks:
            frame = frame.with_columns(rank=(-pl.col("score")).cast(pl.Int64))
        return frame if self.has_runs and value == "score" else frame.drop("run")

    def dicts(self, value: Value, duplicates: Duplicates, run: str | None = None) -> Dicts:
        """Read the file row by row."""
        topics = Topics(duplicates)
        with self._rows(value) as rows:
            for row in rows:
                if run is None or row.run == run:
                    topics.add(row.query_id, row.doc_id, row.number)
            rows.check(topics.dicts)
        return topics.dicts

    def run_sizes(self) -> Counter[str]:
        """Count the rows of each run in a file that contains several, in the file's order."""
        try:
            return super().run_sizes()
        except (ImportError, UnclearError):  # without polars, or with an unusual row
            with self._rows("score") as rows:
                return Counter(row.run for row in rows)

    @contextmanager
    def _rows(self, value: Value) -> Iterator[_Rows]:
        """Open the file; a problem with a row in the ``with`` statement becomes a FileError."""
        with opened(self.path, self.name) as file:
            text = TextIOWrapper(
                cast(IO[bytes], file), "utf-8-sig", errors="surrogateescape", newline=""
            )
            rows = _Rows(text, self._separator, value)
            try:
                yield rows
            except RemediedError as error:
                where = f"{shown_as(self.name)}{f', line {rows.line}' if rows.line else ''}"
                raise FileError(f"{where}: {error.problem}", error.remedy) from None
            finally:
                text.detach()  # otherwise it would close standard input


class _Row(NamedTuple):
    """The fields of a row that are used: its ids, and its relevance or score as `number`."""

    run: str  # empty in a file with one run
    query_id: str
    doc_id: str
    number: float


class _Rows:
    """The rows of an open table; iterating raises a RemediedError for the row that is wrong."""

    def __init__(self, text: TextIOWrapper, separator: str, value: Value) -> None:
        #: The line where the current row begins, from 1; 0 if no row is read.
        self.line = 0
        self._text = text
        self._separator = separator
        self._value: Value = value
        self._size = 0  # the size of the current row so far
        #: Whether the scores follow from ranks; known when a row has been read.
        self.has_ranks = False

    def __iter__(self) -> Iterator[_Row]:
        rows = self._split()
        names = next(rows, None)
        if names is None:
            raise RemediedError("the file is empty")
        columns = Header(names, self._separator).columns(self._value)
        at = {kind: names.index(name) for kind, name in columns.items()}
        kind = next(kind for kind in _NUMBERS if kind in at)
        number_of, number_at = _NUMBERS[kind], at[kind]
        self.has_ranks = kind == "rank"
        is_empty = True
        for fields in rows:
            is_empty = False
            if len(fields) != len(names):
                expected = f"{len(names)} fields ({some(names, 20)})"
                raise RemediedError(f"expected {expected}, got {len(fields)}")
            if fields == names:
                raise RemediedError("the header is repeated; keep only the first one")
            run = _id(fields[at["run"]], "run") if "run" in at else ""
            query_id = _id(fields[at["query_id"]], "topic")
            doc_id = _id(fields[at["doc_id"]], "document")
            number = number_of(fields[number_at].strip(BLANKS).encode())
            yield _Row(run, query_id, doc_id, float(-number) if self.has_ranks else number)
        if is_empty:
            raise RemediedError("there are no rows after the header")

    def check(self, topics: Dicts) -> None:
        """Raise a RemediedError if there are ranks, and two documents of a topic share one."""
        if self.has_ranks:
            check_ranks(topics)

    def _split(self) -> Iterator[list[str]]:
        """Yield the fields of each row that is not blank."""
        # The limit concerns the whole process. Lowering it again could disturb another thread.
        csv.field_size_limit(max(csv.field_size_limit(), LONGEST_ROW))
        reader = csv.reader(self._lines(), delimiter=self._separator, strict=True)
        n_blank = 0
        while True:
            self.line = reader.line_num + 1
            self._size = 0
            try:
                fields = next(reader, None)
            except csv.Error as error:
                raise RemediedError(f"this is not a row of CSV ({error})") from None
            if fields is None:
                self.line = 0
                return
            if fields:
                yield fields
                continue
            n_blank += 1
            if n_blank > MOST_BLANK_LINES:
                raise RemediedError(f"more than {MOST_BLANK_LINES:,} lines are blank")

    def _lines(self) -> Iterator[str]:
        while line := self._text.readline(LONGEST_ROW + 1):
            self._size += len(line)
            if not line.isascii():
                _check_encoding(line)
            if "\0" in line:
                raise RemediedError("this is a binary file, not text")
            if self._size > LONGEST_ROW:
                raise RemediedError(f"a row may be at most {LONGEST_ROW:,} bytes long")
            yield line


def _check_encoding(line: str) -> None:
    try:
        line.encode()
    except UnicodeEncodeError:  # the line contains bytes that could not be decoded
        raise RemediedError("this is not UTF-8 text") from None


def _id(field: str, what: str) -> str:
    if not field:
        raise RemediedError(f"the {what} is empty")
    if field[0] in BLANKS or field[-1] in BLANKS:
        raise RemediedError(
            f"the {what} {quoted(field)} begins or ends with white space; remove it"
        )
    return field
