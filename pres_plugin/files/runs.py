"""Score the runs in files, or read them as dicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from pres_plugin.files.scores import RunScores
from pres_plugin.files.tables import Table
from pres_plugin.formats.base import Duplicates, FileError, UnclearError
from pres_plugin.formats.dicts import Dicts, to_dicts
from pres_plugin.remedy import Remedy, no_common_topic, shortened

if TYPE_CHECKING:
    import polars as pl

    from pres_plugin.files.judgements import JudgedTopics
    from pres_plugin.files.run_ranks import RunRanks
    from pres_plugin.files.streaming import Rows

#: How many rows to keep in memory at once if the rows of a topic are not contiguous.
ROWS_IN_MEMORY = 4_000_000

# How to leave out one of the runs in a file.
_CHOOSE_RUNS = Remedy("name the other runs with {}", "run_names", ("NAME",))


@dataclass(frozen=True)
class Runs(Table):
    """The files of one run, or of several runs."""

    name: str | None  # the run's name in results; None if a column `run` names several runs
    only: tuple[str, ...] = ()  # the runs to read if there are several; all of them if empty

    @property
    def has_runs(self) -> bool:
        """Whether a column `run` contains the names of several runs."""
        return self.name is None

    def called(self, name: str) -> str:
        """Return how messages refer to the run of this name."""
        return f"{self.path}, run {shortened(name)}" if self.has_runs else self.path

    def pieces(self) -> Iterator[pl.DataFrame]:
        """Yield the rows of the runs to read; raise an UnclearError if there are none."""
        for piece in super().pieces():
            yield piece.filter(piece["run"].is_in(self.only)) if self.only else piece

    def sizes(self) -> Counter[str]:
        """Count the rows of each run to read, if there are several."""
        sizes: Counter[str] = Counter()
        for file in self.files:
            sizes.update(file.run_sizes())
        return Counter({run: sizes[run] for run in self.only}) if self.only else sizes

    def scores(self, judged: JudgedTopics, duplicates: Duplicates) -> list[RunScores]:
        """Return the scores of each run, or raise a FileError.

        The files are read in pieces: one piece and the largest topic must fit in memory. If
        the rows of a topic are not contiguous, the runs are read into memory one after
        the other, several small ones at once.
        """
        from pres_plugin.files.run_scores import score_runs

        score = partial(score_runs, judged=judged, duplicates=duplicates, name=self.name)
        return list(chain.from_iterable(self.read(duplicates, score)))

    def ranks(self, judged: JudgedTopics, duplicates: Duplicates) -> list[RunRanks]:
        """Return the ranks of the relevant documents in each run; see :meth:`scores`."""
        from pres_plugin.files.run_ranks import rank_runs

        rank = partial(rank_runs, judged=judged, duplicates=duplicates, name=self.name)
        return list(chain.from_iterable(self.read(duplicates, rank)))

    def dicts(self, duplicates: Duplicates) -> Iterator[tuple[str, Dicts]]:
        """Yield the name of each run and the score of each document, by topic."""
        if self.name is not None:
            [run] = self.read(duplicates, partial(_dicts, duplicates=duplicates))
            yield self.name, run
            return
        done: set[str] = set()
        try:
            for name, run in _dicts_by_run(self.whole_runs(duplicates), duplicates):
                done.add(name)
                yield name, run
            return
        except UnclearError as error:
            rows = self._carefully(duplicates, error)
        try:
            for name, run in _dicts_by_run([rows], duplicates):
                if name not in done:
                    yield name, run
        except UnclearError as error:  # each file is valid, but together they are not
            raise self.failed(error) from None

    def check_topics(self, name: str, topics: Collection[str], judged: Collection[str]) -> None:
        """Raise a FileError if no topic of a run is judged."""
        if problem := no_common_topic(topics, judged):
            remedy = _CHOOSE_RUNS if self.has_runs else None
            raise FileError(f"{self.called(name)}: {problem}", remedy)

    def whole_runs(self, duplicates: Duplicates) -> Iterator[pl.DataFrame]:
        """Yield the rows of one run or several at a time: at most ROWS_IN_MEMORY if possible."""
        if not self.has_runs:
            yield from super().whole_runs(duplicates)
            return
        batch: list[str] = []
        total = 0
        for run, size in self.sizes().items():
            if batch and total + size > ROWS_IN_MEMORY:
                yield self._rows_of(batch)
                batch, total = [], 0
            batch.append(run)
            total += size
        if not batch:
            raise FileError(f"{self.path}: the file contains no rows")
        yield self._rows_of(batch)

    def _carefully(self, duplicates: Duplicates, error: UnclearError) -> pl.DataFrame:
        rows = super()._carefully(duplicates, error)
        return rows.filter(rows["run"].is_in(self.only)) if self.only else rows

    def _rows_of(self, runs: Collection[str]) -> pl.DataFrame:
        import polars as pl

        return pl.concat(chain.from_iterable(file.rows_of(runs) for file in self.files))


def _dicts_by_run(
    frames: Iterable[pl.DataFrame], duplicates: Duplicates
) -> Iterator[tuple[str, Dicts]]:
    """Yield the name and the scores of each run in frames of whole runs."""
    for whole in frames:
        for (name,), rows in whole.group_by(["run"], maintain_order=True):
            yield str(name), _dicts(rows, duplicates)


def _dicts(rows: Rows, duplicates: Duplicates) -> Dicts:
    """Return the scores of one run as dicts."""
    from pres_plugin.files.streaming import together
    from pres_plugin.files.validation import check_ranks, check_scores, numbered, once_each

    whole = together(rows, duplicates)
    check_scores(whole)
    once, _ = once_each(numbered(whole, ["query_id"])[0], duplicates)
    check_ranks(once)
    return to_dicts(once, "score")
