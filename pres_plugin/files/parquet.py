"""Runs and qrels in Parquet files, as frames.

Columns are called as in ir-measures (`query_id`, `doc_id`, `relevance`, `score`)
or as in PyTerrier (`qid`, `docno`, `label`, `score`). A column `run` tells
several runs apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import polars as pl

from pres_plugin.files.state import CHANGED, state_of
from pres_plugin.remedy import RemediedError

__all__ = [
    "ROWS",
    "ParquetError",
    "ParquetFile",
    "is_parquet",
    "qrels_frame",
    "run_batches",
    "run_frames",
    "run_names",
]

#: How many rows are read at once.
ROWS = 250_000

_NAMES = {
    "run": ("run",),
    "query_id": ("query_id", "qid"),
    "doc_id": ("doc_id", "docno"),
    "relevance": ("relevance", "label"),
    "score": ("score",),
}
_TEXT = (pl.String, pl.Categorical, pl.Enum)

_Read = TypeVar("_Read")


class ParquetError(RemediedError):
    """A Parquet file is missing or its content is wrong; the message names it and says why."""


def is_parquet(path: str) -> bool:
    """Return whether a path is that of a Parquet file or table: its name decides."""
    return path.endswith(".parquet")


class ParquetFile:
    """A Parquet file that must stay the same from now on.

    Each piece of a file is read by opening its path again. If another file took
    its place in between, pieces of both would be mixed.

    Parameters
    ----------
    path : str
        The file.

    Raises
    ------
    ParquetError
        If there is no such file, or it is not in Parquet.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            self._state = state_of(path)
        except FileNotFoundError:
            raise ParquetError(f"{path}: there is no such file") from None
        except OSError as error:
            raise ParquetError(f"{path}: cannot be read ({error.strerror})") from None
        self._schema: dict[str, Any] = _read(
            path, [self], lambda: dict(self._scan().collect_schema())
        )

    @property
    def has_runs(self) -> bool:
        """Whether the file has a column `run`."""
        return "run" in self._schema

    def columns(self, wanted: Sequence[str]) -> pl.LazyFrame:
        """Return the wanted columns under our names and with our types.

        Raises
        ------
        ParquetError
            If a column is missing or has the wrong type.
        """
        chosen = []
        for column in wanted:
            name = next((name for name in _NAMES[column] if name in self._schema), None)
            if name is None:
                raise ParquetError(
                    f"{self.path}: there is no column {' or '.join(_NAMES[column])}; "
                    f"the file has {', '.join(self._schema) or 'none'}"
                )
            chosen.append(_typed(self.path, column, name, self._schema[name]).alias(column))
        return self._scan().select(chosen)

    def check_unchanged(self) -> None:
        """Raise a ParquetError if the file has been replaced or written to."""
        try:
            unchanged = state_of(self.path) == self._state
        except OSError:
            unchanged = False
        if not unchanged:
            raise ParquetError(f"{self.path}: {CHANGED}")

    def _scan(self) -> pl.LazyFrame:
        return pl.scan_parquet(self.path, hive_partitioning=False, glob=False)


def qrels_frame(path: str, files: Sequence[ParquetFile]) -> pl.DataFrame:
    """Read all judgements of a table.

    Parameters
    ----------
    path : str
        The table's name in messages.
    files : sequence of ParquetFile
        The parts of the table.

    Returns
    -------
    DataFrame
        Columns `query_id`, `doc_id` (String) and `relevance` (Int64), in the order
        of the files.

    Raises
    ------
    ParquetError
        If a file cannot be read or lacks a column, if a column contains null or
        anything but ids and whole numbers of 64 bits, or if there are no rows.
    """
    wanted = ("query_id", "doc_id", "relevance")
    if not files:
        raise ParquetError(f"{path}: there are no Parquet files in this folder")
    parts = [
        _with_64_bits(file, _collected(file.path, [file], file.columns(wanted))) for file in files
    ]
    frame = pl.concat(parts)
    if frame.is_empty():
        raise ParquetError(f"{path}: the file contains no rows")
    return frame


def run_frames(
    files: Sequence[ParquetFile], with_runs: bool, rows: int = ROWS
) -> Iterator[pl.DataFrame]:
    """Read the rows of one or several files, piece by piece.

    Parameters
    ----------
    files : sequence of ParquetFile
        Files that belong together.
    with_runs : bool
        Whether to read a column `run`.
    rows : int
        How many rows to read at once.

    Yields
    ------
    DataFrame
        Columns `query_id`, `doc_id` (String), `score` (Float64), perhaps `run` (String).

    Raises
    ------
    ParquetError
        If a file cannot be read, lacks a column or changes in the meantime, or if a
        column contains null or anything but ids and numbers.
    """
    for file in files:
        columns = file.columns(_run_columns(with_runs))
        start = 0
        while not (frame := _collected(file.path, [file], columns.slice(start, rows))).is_empty():
            yield frame
            start += rows


def run_batches(files: Sequence[ParquetFile], rows: int) -> Iterator[pl.DataFrame]:
    """Read the rows of files with a column `run`, some whole runs at a time.

    This is for files in which the rows of a run are scattered: they are read once
    to count, and then once for each batch.

    Parameters
    ----------
    files : sequence of ParquetFile
        Files that belong together.
    rows : int
        Runs are read together up to this many rows; a larger one alone.

    Yields
    ------
    DataFrame
        The columns of :func:`run_frames`.

    Raises
    ------
    ParquetError
        As from :func:`run_frames`.
    """
    whole = pl.concat([file.columns(_run_columns(True)) for file in files])
    shown = files[0].path if len(files) == 1 else str(Path(files[0].path).parent)
    sizes = _collected(shown, files, whole.group_by("run", maintain_order=True).agg(pl.len()))
    batch: list[str] = []
    total = 0
    for run, size in sizes.iter_rows():
        if batch and total + size > rows:
            yield _collected(shown, files, whole.filter(pl.col("run").is_in(batch)))
            batch, total = [], 0
        batch.append(run)
        total += size
    if batch:
        yield _collected(shown, files, whole.filter(pl.col("run").is_in(batch)))


def run_names(file: ParquetFile) -> set[str | None]:
    """Return the different values of the column `run`, without reading other columns."""
    column = file.columns(["run"])
    return set(_read(file.path, [file], column.unique().collect)["run"])


def _run_columns(with_runs: bool) -> tuple[str, ...]:
    return (*(("run",) if with_runs else ()), "query_id", "doc_id", "score")


def _typed(path: str, column: str, name: str, kind: Any) -> pl.Expr:
    if column == "score":
        fits, expected = kind.is_numeric(), "numbers belong"
    elif column == "relevance":
        fits, expected = kind.is_integer(), "whole numbers belong"
    else:
        fits, expected = isinstance(kind, _TEXT), "text belongs"
    if not fits:
        raise ParquetError(f"{path}: column {name} contains {kind}, where {expected}")
    if column == "relevance":  # cast by _with_64_bits, where a number that is too large is named
        return pl.col(name)
    return pl.col(name).cast(pl.Float64 if column == "score" else pl.String)


def _with_64_bits(file: ParquetFile, frame: pl.DataFrame) -> pl.DataFrame:
    """Cast relevances to 64 bits; name the first that does not fit."""
    relevance = frame["relevance"].cast(pl.Int64, strict=False)
    if relevance.null_count():
        row = frame.filter(relevance.is_null()).row(0, named=True)
        raise ParquetError(
            f"{file.path}: topic {row['query_id']!r}, document {row['doc_id']!r}: "
            f"a relevance must fit 64 bits, got {row['relevance']}"
        )
    return frame.with_columns(relevance)


def _collected(path: str, files: Iterable[ParquetFile], columns: pl.LazyFrame) -> pl.DataFrame:
    frame = _read(path, files, columns.collect)
    for column in frame:
        if column.null_count():
            raise ParquetError(f"{path}: {_null(frame, column.name)}")
    return frame


def _null(frame: pl.DataFrame, column: str) -> str:
    """Describe the first row that contains null in a column."""
    row = frame.filter(pl.col(column).is_null()).row(0, named=True)
    names = (("topic", "query_id"), ("document", "doc_id"))
    where = [f"{name} {row[key]!r}" for name, key in names if row.get(key) is not None]
    return f"{', '.join(where)}{': ' * bool(where)}column {column} contains null"


def _read(path: str, files: Iterable[ParquetFile], read: Callable[[], _Read]) -> _Read:
    """What `read` returns, if the files stayed the same meanwhile."""
    try:
        found = read()
    except (pl.exceptions.PolarsError, OSError) as error:
        _check_unchanged(files)
        raise ParquetError(f"{path}: cannot be read as Parquet ({_first_line(error)})") from None
    _check_unchanged(files)
    return found


def _check_unchanged(files: Iterable[ParquetFile]) -> None:
    for file in files:
        file.check_unchanged()


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
