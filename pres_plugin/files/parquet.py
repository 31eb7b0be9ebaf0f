"""Runs and qrels in Parquet files, as frames.

Columns are called as in ir-measures (`query_id`, `doc_id`, `relevance`, `score`)
or as in PyTerrier (`qid`, `docno`, `label`, `score`). A column `run` tells
several runs apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl

__all__ = [
    "ROWS",
    "ParquetError",
    "has_runs",
    "is_parquet",
    "qrels_frame",
    "run_batches",
    "run_frames",
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


class ParquetError(ValueError):
    """A Parquet file is missing or does not hold what it should; the message says which and why."""


def is_parquet(path: str) -> bool:
    """Whether a file is taken for Parquet: by its name."""
    return path.endswith(".parquet")


def has_runs(path: str) -> bool:
    """Whether the file has a column `run`.

    Raises
    ------
    ParquetError
        If the file cannot be read.
    """
    return "run" in _schema(path)


def qrels_frame(path: str) -> pl.DataFrame:
    """Judgements, as the file has them.

    Returns
    -------
    DataFrame
        Columns `query_id`, `doc_id` (String) and `relevance` (Int64).

    Raises
    ------
    ParquetError
        If the file cannot be read, holds nothing or lacks a column, or a column
        holds null or something else than ids and whole numbers.
    """
    frame = _collected(path, _columns(path, ("query_id", "doc_id", "relevance")))
    if frame.is_empty():
        raise ParquetError(f"{path}: the file holds no rows")
    return frame


def run_frames(paths: Sequence[str], with_runs: bool, rows: int = ROWS) -> Iterator[pl.DataFrame]:
    """The rows of one or several files, piece by piece.

    Parameters
    ----------
    paths : sequence of str
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
        If a file cannot be read, lacks a column, or a column holds null or
        something else than ids and numbers.
    """
    for path in paths:
        columns = _columns(path, _run_columns(with_runs))
        start = 0
        while not (frame := _collected(path, columns.slice(start, rows))).is_empty():
            yield frame
            start += rows


def run_batches(paths: Sequence[str], rows: int) -> Iterator[pl.DataFrame]:
    """The rows of files with a column `run`, some whole runs at a time.

    For files that have the rows of a run scattered over them: they are read once
    to count, and then once for each batch.

    Parameters
    ----------
    paths : sequence of str
        Files that belong together.
    rows : int
        Runs are read together up to this many rows; a larger one alone.

    Yields
    ------
    DataFrame
        As of :func:`run_frames`.

    Raises
    ------
    ParquetError
        As from :func:`run_frames`.
    """
    whole = pl.concat([_columns(path, _run_columns(True)) for path in paths])
    shown = paths[0] if len(paths) == 1 else str(Path(paths[0]).parent)
    sizes = _collected(shown, whole.group_by("run", maintain_order=True).agg(pl.len()))
    batch: list[str] = []
    total = 0
    for run, size in sizes.iter_rows():
        if batch and total + size > rows:
            yield _collected(shown, whole.filter(pl.col("run").is_in(batch)))
            batch, total = [], 0
        batch.append(run)
        total += size
    if batch:
        yield _collected(shown, whole.filter(pl.col("run").is_in(batch)))


def _run_columns(with_runs: bool) -> tuple[str, ...]:
    return (*(("run",) if with_runs else ()), "query_id", "doc_id", "score")


def _schema(path: str) -> dict[str, Any]:
    if not Path(path).exists():
        raise ParquetError(f"{path}: there is no such file")
    try:
        return dict(pl.scan_parquet(path, hive_partitioning=False, glob=False).collect_schema())
    except (pl.exceptions.PolarsError, OSError) as error:
        raise ParquetError(f"{path}: cannot be read as Parquet ({_first_line(error)})") from None


def _columns(path: str, wanted: Sequence[str]) -> pl.LazyFrame:
    """The columns wanted, by our names and of our types."""
    schema = _schema(path)
    chosen = []
    for column in wanted:
        name = next((name for name in _NAMES[column] if name in schema), None)
        if name is None:
            raise ParquetError(
                f"{path}: there is no column {' or '.join(_NAMES[column])}; "
                f"the file has {', '.join(schema) or 'none'}"
            )
        chosen.append(_typed(path, column, name, schema[name]).alias(column))
    return pl.scan_parquet(path, hive_partitioning=False, glob=False).select(chosen)


def _typed(path: str, column: str, name: str, kind: Any) -> pl.Expr:
    target: Any
    if column == "score":
        fits, expected, target = kind.is_numeric(), "numbers belong", pl.Float64
    elif column == "relevance":
        fits, expected, target = kind.is_integer(), "whole numbers belong", pl.Int64
    else:
        fits, expected, target = isinstance(kind, _TEXT), "text belongs", pl.String
    if not fits:
        raise ParquetError(f"{path}: column {name} holds {kind}, where {expected}")
    return pl.col(name).cast(target)


def _collected(path: str, columns: pl.LazyFrame) -> pl.DataFrame:
    try:
        frame = columns.collect()
    except (pl.exceptions.PolarsError, OSError) as error:
        raise ParquetError(f"{path}: cannot be read as Parquet ({_first_line(error)})") from None
    for column in frame:
        if column.null_count():
            raise ParquetError(f"{path}: column {column.name} holds null")
    return frame


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
