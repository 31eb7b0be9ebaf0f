"""Find and read the runs at a path: a file, or a folder of files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from urllib.parse import unquote

import polars as pl

from pres_plugin.files import parquet, trec
from pres_plugin.files.dicts import Dicts, to_dicts
from pres_plugin.files.disk import on_disk
from pres_plugin.files.folders import parquet_parts, visible
from pres_plugin.files.judged import Judged
from pres_plugin.files.names import own_names
from pres_plugin.files.parquet import ParquetError, ParquetFile
from pres_plugin.files.rows import RowsError, ScatteredError, check_scores, numbered, once_each
from pres_plugin.files.scoring import RunScores, score_runs
from pres_plugin.files.text import UnclearError
from pres_plugin.measures import Measure
from pres_plugin.trec import Duplicates, read_run, run_name

__all__ = ["ParquetRuns", "Runs", "TrecRun", "runs_in", "with_own_names"]

# How many rows to keep in memory at once, for runs that are scattered over their files.
_ROWS_IN_MEMORY = 4_000_000

_KEYS = ["query_id"]


@dataclass(frozen=True)
class TrecRun:
    """A run in TREC's format.

    Attributes
    ----------
    path : str
        The file's path in messages.
    file : str
        The file to read, several times if needed.
    name : str
        The run's name in results.
    """

    path: str
    file: str
    name: str

    def called(self, name: str | None) -> str:
        """Return how messages refer to the run of this name."""
        return self.path

    def scores(
        self, judged: Judged, measures: Sequence[Measure], duplicates: Duplicates
    ) -> list[RunScores]:
        """Return the run's scores, in a list of one.

        The file is read in pieces; memory must fit one piece and the largest topic. If
        the rows of a topic are not contiguous, the whole file is read into memory.

        Raises
        ------
        TrecFileError
            As :func:`pres_plugin.trec.read_run` does.
        """
        [scores] = self._scores(judged, measures, duplicates)
        scores.name = self.name
        return [scores]

    def _scores(
        self, judged: Judged, measures: Sequence[Measure], duplicates: Duplicates
    ) -> list[RunScores]:
        try:
            try:
                scores = score_runs(trec.run_frames(self.file), _KEYS, judged, measures, duplicates)
            except ScatteredError:
                whole = pl.concat(list(trec.run_frames(self.file)))
                scores = score_runs(whole, _KEYS, judged, measures, duplicates)
            if scores:
                return scores
        except (UnclearError, RowsError):
            pass
        whole = trec.run_frame(self.file, duplicates, self.path)
        return score_runs(whole, _KEYS, judged, measures, duplicates)

    def dicts(self, duplicates: Duplicates) -> Iterator[tuple[str, Dicts]]:
        """Yield the run's name and, for each topic, the score of each document."""
        yield self.name, self._dicts(duplicates)

    def _dicts(self, duplicates: Duplicates) -> Dicts:
        with suppress(UnclearError, RowsError):
            if pieces := list(trec.run_frames(self.file)):
                return _dicts(pl.concat(pieces), duplicates)
        return read_run(self.file, duplicates, self.path)


@dataclass(frozen=True)
class ParquetRuns:
    """One or several runs in Parquet files.

    Attributes
    ----------
    path : str
        The path of the file or folder in messages.
    files : tuple of ParquetFile
        The files to read.
    name : str or None
        The run's name in results; None if a column `run` contains the names of several.
    """

    path: str
    files: tuple[ParquetFile, ...]
    name: str | None

    def called(self, name: str | None) -> str:
        """Return how messages refer to the run of this name."""
        return self.path if self.name is not None else f"{self.path}, run {name}"

    def scores(
        self, judged: Judged, measures: Sequence[Measure], duplicates: Duplicates
    ) -> list[RunScores]:
        """Return the scores of each run.

        The files are read in pieces; memory must fit one piece and the largest topic. If
        the rows of a topic are not contiguous, the runs are read into memory one after
        the other, small ones together.

        Raises
        ------
        ParquetError
            If a file cannot be read or contains anything but runs.
        """
        try:
            scores = self._scores(judged, measures, duplicates)
        except RowsError as error:
            raise self._error(error) from None
        for of_run in scores:
            of_run.name = of_run.name if self.name is None else self.name
        return scores

    def _scores(
        self, judged: Judged, measures: Sequence[Measure], duplicates: Duplicates
    ) -> list[RunScores]:
        try:
            return score_runs(self._frames(), self._keys, judged, measures, duplicates)
        except ScatteredError:
            return [
                of_run
                for whole in self._whole_runs()
                for of_run in score_runs(whole, self._keys, judged, measures, duplicates)
            ]

    @property
    def _keys(self) -> list[str]:
        return _KEYS if self.name is not None else ["run", *_KEYS]

    def _frames(self) -> Iterator[pl.DataFrame]:
        return self._some(parquet.run_frames(self.files, with_runs=self.name is None))

    def _whole_runs(self) -> Iterator[pl.DataFrame]:
        if self.name is None:
            return self._some(parquet.run_batches(self.files, _ROWS_IN_MEMORY))
        return iter([pl.concat(list(self._frames()))])

    def _some(self, pieces: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        """Return the same pieces; raise if there are none."""
        first = next(pieces, None)
        if first is None:
            raise ParquetError(f"{self.path}: the file contains no rows")
        return chain([first], pieces)

    def dicts(self, duplicates: Duplicates) -> Iterator[tuple[str, Dicts]]:
        """Yield the name of each run and, for each of its topics, the score of each document.

        Raises
        ------
        ParquetError
            If a file cannot be read or contains anything but runs.
        """
        for whole in self._whole_runs():
            named = whole if self.name is None else whole.with_columns(run=pl.lit(self.name))
            for (name,), rows in named.group_by(["run"], maintain_order=True):
                try:
                    of_run = _dicts(rows, duplicates)
                except RowsError as error:
                    raise self._error(error) from None
                yield str(name), of_run

    def _error(self, error: RowsError) -> ParquetError:
        return ParquetError(f"{self.path}: {error.problem}", error.remedy)


Runs = TrecRun | ParquetRuns


def runs_in(path: str, until: ExitStack) -> list[Runs]:
    """Find the runs in a file or a folder.

    In a folder each file is a run, in TREC's format or in Parquet. Parquet files
    with a column `run` are parts of one table. A folder called ``run=…`` is one run:
    all Parquet files in it and its subfolders are its parts. At every level, names
    that begin with a dot or an underscore are left out.

    Parameters
    ----------
    path : str
        A file, a folder, or ``-`` for standard input.
    until : ExitStack
        When it closes, temporary files are removed.

    Returns
    -------
    list of TrecRun or ParquetRuns
        The runs; those of a folder in order of their file names.

    Raises
    ------
    ParquetError
        If a Parquet file in a folder cannot be read, or if the folder contains no runs,
        or anything but runs.
    """
    if path == "-" or not Path(path).is_dir():
        return [_of_file(path, until)]
    if _is_partition(Path(path)):
        return [_of_partition(Path(path))]
    found: list[Runs] = []
    tables: list[ParquetFile] = []
    for entry in visible(Path(path)):
        if entry.is_dir():
            found.append(_of_partition(entry))
            continue
        run = _of_file(str(entry), until)
        if isinstance(run, ParquetRuns) and run.name is None:
            tables += run.files
        else:
            found.append(run)
    if tables:
        found.append(ParquetRuns(path, tuple(tables), None))
    if not found:
        raise ParquetError(f"{path}: there are no runs in this folder")
    return found


def with_own_names(runs: Sequence[Runs]) -> list[Runs]:
    """Return the same runs, with folders added to their names where file names coincide.

    Names in a column `run` stay as they are.
    """
    named = [(run.name, run.path) for run in runs if run.name is not None]
    names = iter(own_names(named))
    return [run if run.name is None else replace(run, name=next(names)) for run in runs]


def _dicts(rows: pl.DataFrame, duplicates: Duplicates) -> Dicts:
    """Return the scores in all rows of one run, as dicts."""
    check_scores(rows)
    rows, _ = once_each(numbered(rows, _KEYS)[0], duplicates)
    return to_dicts(rows, "score")


def _of_file(path: str, until: ExitStack) -> Runs:
    if not parquet.is_parquet(path):
        return TrecRun(path, on_disk(path, until), run_name(path))
    file = ParquetFile(path)
    return ParquetRuns(path, (file,), None if file.has_runs else run_name(path))


def _is_partition(folder: Path) -> bool:
    return folder.name.startswith("run=")


def _of_partition(folder: Path) -> ParquetRuns:
    if not _is_partition(folder):
        raise ParquetError(
            f"{folder}: a folder among runs must be called run=NAME and contain the Parquet files "
            "of this run; score other folders by themselves"
        )
    name = unquote(folder.name.removeprefix("run="))
    files = parquet_parts(folder)
    if not files:
        raise ParquetError(f"{folder}: there are no Parquet files in this folder")
    for file in files:
        # Some writers repeat the folder's name in a column.
        if file.has_runs and (others := parquet.run_names(file) - {name}):
            raise ParquetError(
                f"{file.path}: column run contains {min(map(str, others))!r}, "
                f"but the folder is that of run {name!r}"
            )
    return ParquetRuns(str(folder), tuple(files), name)
