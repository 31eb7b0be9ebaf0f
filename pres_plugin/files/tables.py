"""Read judgements or runs from one or more files: in pieces if possible, else as a whole."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pres_plugin.files.folders import parts
from pres_plugin.formats.base import (
    DataFile,
    Duplicates,
    FileError,
    Reading,
    UnclearError,
    Value,
)
from pres_plugin.formats.input.on_disk import on_disk
from pres_plugin.formats.input.opening import is_compressed, is_folder, os_errors
from pres_plugin.formats.recognition import named_like_parts, open_file

if TYPE_CHECKING:
    import polars as pl

    from pres_plugin.files.streaming import Rows

_Result = TypeVar("_Result")

#: The most bytes of text that are scored without polars. Up to about 5 MB, reading lines in Python
#: takes less time than importing polars.
SMALL: int = 1 << 22

# The assumed size of a text, divided by the size of the compressed file that contains it.
_RATIO = 20


class ScatteredError(Exception):
    """The rows of a topic are not contiguous, so pieces cannot consist of whole topics."""


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
        from pres_plugin.files.streaming import together

        yield together(self.pieces(), duplicates)

    @property
    def has_runs(self) -> bool:
        """Whether a column `run` contains the names of several runs."""
        return False

    def failed(self, error: UnclearError) -> FileError:
        """Return `error` as a FileError that names the path."""
        return FileError(f"{self.path}: {error.problem}", error.remedy)

    def _carefully(self, duplicates: Duplicates, error: UnclearError) -> pl.DataFrame:
        import polars as pl

        frames = []
        for file in self.files:
            frame = file.carefully(self.value, duplicates)
            if frame is None:
                raise self.failed(error) from None
            frames.append(frame)
        return pl.concat(frames)


def judgement_table(path: str, until: ExitStack, reading: Reading | None) -> Table:
    """Find the judgements at a path: a file, or a folder of parts such as Spark writes.

    Temporary files, such as a copy of standard input, are deleted when `until` is closed.
    """
    if path != "-" and is_folder(path) and named_like_parts(path):
        return Table(path, "relevance", parts(Path(path), until))
    return Table(path, "relevance", (open_file(on_disk(path, until), path, reading),))


def are_small(tables: Iterable[Table]) -> bool:
    """Return whether these are text files that take less time to read without polars."""
    return sum(map(_size, tables)) <= SMALL


def _size(table: Table) -> float:
    if len(table.files) > 1 or table.has_runs:
        return math.inf
    [file] = table.files
    if file.has_runs or not file.works_without_polars:
        return math.inf
    with os_errors(file.name):
        size = Path(file.path).stat().st_size
        return size * _RATIO if is_compressed(file.path) else size
