"""Read judgements or runs from one or more files: in pieces if possible, else as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import polars as pl

from pres_plugin.files.validation import Pile, ScatteredError
from pres_plugin.formats.base import DataFile, Duplicates, FileError, UnclearError, Value

Rows = pl.DataFrame | Iterator[pl.DataFrame]
_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Table:
    """Files whose rows belong together: the judgements, a run, or several runs."""

    path: str  # the path in messages; a folder if there are several files
    value: Value  # whether the files contain judgements or runs
    files: tuple[DataFile, ...]  # in the order in which they are read

    def read(self, duplicates: Duplicates, use: Callable[[Rows], _Result]) -> list[_Result]:
        """Return what `use` returns for the rows, in one result or one per group of runs.

        `use` is called with pieces. If it raises a ScatteredError, it is called with whole
        runs. If it raises an UnclearError, it is called with the rows that `carefully`
        returns, unless that raises a FileError.
        """
        try:
            try:
                return [use(self.pieces())]
            except ScatteredError:
                return [use(rows) for rows in self.whole_runs(duplicates)]
        except UnclearError as error:
            rows = self._carefully(duplicates, error)
        try:
            return [use(rows)]
        except UnclearError as error:  # each file is valid, but together they are not
            raise self.failed(error) from None

    def pieces(self) -> Iterator[pl.DataFrame]:
        """Yield the rows in pieces; raise an UnclearError if there are none."""
        is_empty = True
        has_ranks = None
        for file in self.files:
            for piece in file.pieces(self.value):
                is_empty = False
                if has_ranks is None:
                    has_ranks = "rank" in piece.columns
                elif has_ranks != ("rank" in piece.columns):
                    raise FileError(
                        f"{file.name}: the documents of this file are ordered by "
                        f"{'score' if has_ranks else 'rank'}, but those of "
                        f"{self.files[0].name} by {'rank' if has_ranks else 'score'}"
                    )
                yield piece if self.has_runs else piece.drop("run", strict=False)
        if is_empty:
            raise UnclearError("the file contains no rows")

    def whole_runs(self, duplicates: Duplicates) -> Iterator[pl.DataFrame]:
        """Yield the rows of whole runs, here all at once."""
        yield together(self.pieces(), duplicates)

    @property
    def has_runs(self) -> bool:
        """Whether a column `run` contains the names of several runs."""
        return False

    def failed(self, error: UnclearError) -> FileError:
        """Return `error` as a FileError that names the path."""
        return FileError(f"{self.path}: {error.problem}", error.remedy)

    def _carefully(self, duplicates: Duplicates, error: UnclearError) -> pl.DataFrame:
        frames = []
        for file in self.files:
            frame = file.carefully(self.value, duplicates)
            if frame is None:
                raise self.failed(error) from None
            frames.append(frame)
        return pl.concat(frames)


def together(rows: Rows, duplicates: Duplicates) -> pl.DataFrame:
    """Return all rows of a run or the judgements in one frame.

    Raise an UnclearError if `duplicates` is 'error' and many rows repeat a document.
    """
    if isinstance(rows, pl.DataFrame):
        return rows
    pile = Pile(["query_id"], duplicates)
    for piece in rows:
        pile.add(piece)
    return pile.rows()
