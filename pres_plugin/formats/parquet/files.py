"""Read runs and judgements in Parquet files.

Columns are named as in :mod:`pres_plugin.formats.columns`. A column `run` contains the names of
several runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from itertools import chain
from typing import Any, TypeVar

import polars as pl

from pres_plugin.formats.base import DataFile, FileError, Reading, Value
from pres_plugin.formats.columns import NAMES, columns_of
from pres_plugin.formats.input.opening import CHANGED, os_errors, state_of
from pres_plugin.formats.parquet.pages import page_problem
from pres_plugin.formats.ranks import with_scores
from pres_plugin.remedy import RemediedError, in_topic, quoted, shortened

#: The number of rows to read at once. A million rows take twice the memory and no less time;
#: 100,000 rows take 35 MB less and a quarter more time.
ROWS = 250_000

_TEXT = (pl.String, pl.Categorical, pl.Enum)

_Read = TypeVar("_Read")


class ParquetFile(DataFile):
    """A Parquet file that must not change while this object is used.

    The path is opened again for each piece. If another file replaced it in between, pieces
    of both files would be mixed.
    """

    can_be_part: bool = True
    endings: tuple[str, ...] = (".parquet",)

    def __init__(self, path: str, name: str | None = None, reading: Reading | None = None) -> None:
        super().__init__(path, name, reading)
        try:
            path.encode()
        except UnicodeEncodeError:
            raise self._error(
                "Parquet files can be read only at paths in UTF-8; rename the file or its folder"
            ) from None
        with os_errors(self.name):
            self._state = state_of(path)
        self._types: dict[str, Any] = self._read(lambda: dict(self._scan().collect_schema()))
        self.has_runs: bool = "run" in self._types
        columns = set(chain.from_iterable(NAMES.values()))
        if problem := self._read(lambda: page_problem(path, columns)):
            raise self._error(f"cannot be read as Parquet ({problem})")

    def pieces(self, value: Value) -> Iterator[pl.DataFrame]:
        """Yield the rows, up to ROWS at a time."""
        rows = self._columns(value)
        start = 0
        while not (piece := self._collected(rows.slice(start, ROWS))).is_empty():
            yield self._checked(piece)
            start += ROWS

    def run_sizes(self) -> Counter[str]:
        """Count the rows of each run, without reading other columns."""
        counts = self._columns("score").select("run").group_by("run", maintain_order=True).len()
        return Counter(dict(self._collected(counts).iter_rows()))

    def rows_of(self, runs: Collection[str]) -> Iterator[pl.DataFrame]:
        """Yield the rows of some runs, all at once."""
        rows = self._columns("score").filter(pl.col("run").is_in(list(runs)))
        yield self._checked(self._collected(rows))

    def _scan(self) -> pl.LazyFrame:
        return pl.scan_parquet(self.path, hive_partitioning=False, glob=False)

    def _columns(self, value: Value) -> pl.LazyFrame:
        """Return the columns to read, `run` first if there is one, under our names."""
        try:
            names = columns_of(list(self._types), value)
        except RemediedError as error:
            raise self._error(error.problem) from None
        kinds = sorted(names, key=list(NAMES).index)
        return self._scan().select(self._typed(kind, names[kind]).alias(kind) for kind in kinds)

    def _typed(self, column: str, name: str) -> pl.Expr:
        kind = self._types[name]
        if column == "score":
            fits, expected = kind.is_numeric(), "numbers"
        elif column in ("relevance", "rank"):
            fits, expected = kind.is_integer(), "whole numbers"
        else:
            fits, expected = isinstance(kind, _TEXT), "text"
        if not fits:
            raise self._error(f"column {name} contains {shortened(str(kind))}; expected {expected}")
        if column in ("relevance", "rank"):  # _checked casts them and reports wrong numbers
            return pl.col(name)
        return pl.col(name).cast(pl.Float64 if column == "score" else pl.String)

    def _checked(self, piece: pl.DataFrame) -> pl.DataFrame:
        """Check the numbers in a piece; if it contains ranks, add a column with scores."""
        if "relevance" in piece.columns:
            return self._with_64_bits(piece)
        if "rank" not in piece.columns:
            return piece
        try:
            scored = with_scores(piece)
        except RemediedError as error:
            raise self._error(error.problem) from None
        return scored.select(pl.exclude("rank"), "rank")

    def _with_64_bits(self, piece: pl.DataFrame) -> pl.DataFrame:
        relevance = piece["relevance"].cast(pl.Int64, strict=False)
        if relevance.null_count():
            row = piece.filter(relevance.is_null()).row(0, named=True)
            raise self._error(
                f"{in_topic(row['query_id'], row['doc_id'])}: "
                f"a relevance must fit 64 bits, got {row['relevance']}"
            )
        return piece.with_columns(relevance)

    def _collected(self, rows: pl.LazyFrame) -> pl.DataFrame:
        frame = self._read(rows.collect)
        for column in frame:
            if column.null_count():
                raise self._error(_null(frame, column.name))
        return frame

    def _read(self, read: Callable[[], _Read]) -> _Read:
        """Return what `read` returns; raise a FileError if the file has changed."""
        try:
            found = read()
        # Some damaged files make polars panic, and a panic is not an Exception.
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
            self._check_unchanged()
            reason = next(iter(str(error).splitlines()), type(error).__name__)
            raise self._error(f"cannot be read as Parquet ({shortened(reason, 200)})") from None
        self._check_unchanged()
        return found

    def _check_unchanged(self) -> None:
        try:
            unchanged = state_of(self.path) == self._state
        except OSError:
            unchanged = False
        if not unchanged:
            raise self._error(CHANGED)

    def _error(self, problem: str) -> FileError:
        return FileError(f"{self.name}: {problem}")


def _null(frame: pl.DataFrame, column: str) -> str:
    """Describe the first row that contains null in a column."""
    row = frame.filter(pl.col(column).is_null()).row(0, named=True)
    names = (("topic", "query_id"), ("document", "doc_id"))
    where = [f"{name} {quoted(row[key])}" for name, key in names if row.get(key) is not None]
    return f"{', '.join(where)}{': ' * bool(where)}column {column} contains null"
