"""What every file format defines, and the error that reading raises."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Literal, get_args

import polars as pl

from pres_plugin.escaping import text_of
from pres_plugin.messages import InputError
from pres_plugin.ranking.tables import Duplicates as Duplicates

#: The last column to read: ``relevance`` for judgements, ``score`` for runs, the second column of
#: tables of families, groups and sizes of collections, and reported values of a measure.
Value = Literal["relevance", "score", "family", "group", "N", "value"]

#: The names that columns of tables may have, by what the columns contain.
Names = Mapping[str, Sequence[str]]

#: The most bytes of a JSON file, of a line, or of a row of CSV, decompressed. Such a text is read
#: into memory as a whole, and a file of a few megabytes may decompress to many gigabytes.
LARGEST: int = 1 << 30


#: The format that each ending of a file name means. Endings are not part of the name of a run.
ENDINGS: dict[str, str] = {
    ".parquet": "parquet",
    ".xlsx": "excel",
    ".xlsm": "excel",
    ".xls": "excel",
    ".ods": "excel",
    ".asreview": "asreview",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    "_predictions.json": "json",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "csv",
    ".run": "trec",
    ".res": "trec",
    ".trec": "trec",
    ".txt": "trec",
}


#: The relevance that each word means; None if it means that the document is unjudged.
Grades = Mapping[str, int | None]

#: Which parts are topics: the files of a folder, or the sheets of a workbook.
Parts = Literal["files", "sheets"]


@dataclass(frozen=True)
class Reading:
    """What to read from files, and how. All files of judgements, or of runs, have the same one.

    `format` is a name in :data:`.recognition.FORMATS`; None to recognise it. `sheet` names a sheet
    of workbooks. `columns` names columns of tables by what they contain; whole numbers are
    positions in tables without names. `duplicates` states which row of a repeated document to keep.
    `families` are those of documents, which are then folded. `topics_in` states whether each file
    of a folder, or each sheet of a workbook, is a topic, and `topic` is the one of a single file.
    `grades` contains the relevance that each word means. With `all_relevant`, all documents have
    a relevance of 1. Copies of standard input and of pipes are deleted when `temporary_files` is
    closed. Raise a ValueError for an unknown value of `format`, `duplicates` or `topics_in`.
    """

    value: Value
    format: str | None = None
    sheet: str | None = None
    columns: Names = field(default_factory=dict)
    duplicates: Duplicates = "error"
    families: Mapping[str, str] | str | None = None
    topics_in: Parts | None = None
    topic: str | None = None
    grades: Grades | None = None
    all_relevant: bool = False
    temporary_files: ExitStack = field(default_factory=ExitStack)

    def __post_init__(self) -> None:
        for name, value, known, absent in (
            ("duplicates", self.duplicates, get_args(Duplicates), ()),
            ("format", self.format, [*dict.fromkeys(ENDINGS.values())], (None,)),
            ("topics_in", self.topics_in, get_args(Parts), (None,)),
        ):
            if value not in (*known, *absent):
                raise ValueError(f"{name} must be one of {', '.join(known)}, got {value!r}")

    @property
    def names(self) -> Names:
        """The names in `columns`, without positions."""
        return {
            kind: [name for name in names if not name.isdecimal()]
            for kind, names in self.columns.items()
        }

    @property
    def has_positions(self) -> bool:
        """Whether `columns` contains positions."""
        return self.names != self.columns


class DataFile(ABC):
    """A file of judgements or runs. Each format is a subclass with a signature and `batches`.

    The file at `path` can be read more than once. Messages refer to it as `name`.
    """

    signature: re.Pattern[
        bytes
    ]  # how files of this format begin, unless `recognises` looks further
    has_runs: bool = False  # whether the file contains several runs, named in a column `run`
    has_topics: bool = True  # whether the rows name their topics
    names: Sequence[str] = ()  # the names of its columns, if it is a table
    where: str = ""  # where these names are, for errors
    others: bool = False  # whether other columns could contain the names of runs
    notes: Sequence[str] = ()  # what was assumed when the file was opened
    stopped: bool = False  # whether no more batches are needed

    def __init__(self, path: str, name: str | None, reading: Reading) -> None:
        self.path = path
        self.name: str = name or path
        self.shown: str = shown_as(self.name)
        self.reading: Reading = reading
        self.prepare()

    def prepare(self) -> None:  # noqa: B027 - some formats need nothing
        """Read what the object needs before its rows are read."""

    @classmethod
    def recognises(cls, start: bytes, reading: Reading) -> bool:
        """Return whether a file that starts with these bytes, decompressed, has this format."""
        return cls.signature.match(start) is not None

    @abstractmethod
    def batches(self) -> Iterator[pl.DataFrame]:
        """Yield the rows in batches of any length; raise an InputError if one is wrong.

        The columns are `query_id`, `doc_id` (String), and `relevance` (Int64), `score` (Float64) or
        `rank` (Int64); a run may have neither, if its rows are in order. If the file has several
        runs, there is a column `run` (String), too. Documents without a relevance are unjudged. A
        judged topic without documents is one row with nulls. Tables of families have the columns
        `doc_id` and `family`, those of groups and sizes `query_id` and `group` or `N`.
        """

    def line_of(self, row: Mapping[str, str]) -> int | None:
        """Return the line of the second row with these values, if the format has lines."""
        return None

    def error(self, problem: str, line: int | None = None) -> InputError:
        """Return an error that names the file, and the line if there is one."""
        return InputError(f"{self.shown}{f', line {line}' if line else ''}: {problem}")

    def located(self, where: str = "") -> AbstractContextManager[None]:
        """Turn an InputError into an InputError that names the file, and where in it."""
        return located(f"{self.shown}: {where}")

    @property
    def run_name(self) -> str:
        """The name of the file's run in results."""
        return run_name_of(self.name)


def run_name_of(path: str) -> str:
    """Return the name of a file's run in results."""
    return text_of(without_endings(PurePath(path).name))


@contextmanager
def located(where: str) -> Iterator[None]:
    """Turn an InputError into an InputError whose message begins with `where`."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{where}{error}") from None


def shown_as(path: str) -> str:
    """Return the name of a file in errors."""
    return "standard input" if path == "-" else path


def ending_of(name: str) -> str:
    """Return the ending of a file name if it names a format, otherwise an empty string."""
    return next((each for each in ENDINGS if name.lower().endswith(each)), "")


def without_endings(name: str) -> str:
    """Return a file name without the endings of formats and ``.gz``, unless nothing would be left.

    >>> from pres_plugin.tables.base import without_endings
    >>> without_endings("bm25-v1.2.RUN.gz"), without_endings(".csv")
    ('bm25-v1.2', '.csv')
    """
    ending = ".gz" if name.lower().endswith(".gz") else ending_of(name)
    if not 0 < len(ending) < len(name):
        return name
    return without_endings(name[: -len(ending)])
