"""The files of one run, or of several runs that a column `run` names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Event

import polars as pl

from pres_plugin.formats.base import Duplicates
from pres_plugin.formats.sets import Dicts, FileSet
from pres_plugin.remedy import shortened

#: How many rows to keep in memory at once if the rows of a topic are not contiguous.
ROWS_IN_MEMORY = 4_000_000


@dataclass(frozen=True)
class Runs(FileSet):
    """The files of one run, or of several runs."""

    name: str | None = None  # the run's name in results; None if a column `run` names several runs
    only: tuple[str, ...] = ()  # the runs to read if there are several; all of them if empty

    @property
    def has_runs(self) -> bool:
        """Whether a column `run` contains the names of several runs."""
        return self.name is None

    def called(self, name: str) -> str:
        """Return how messages refer to the run of this name."""
        return f"{self.path}, run {shortened(name)}" if self.has_runs else self.path

    def batches(self, stop: Event | None = None) -> Iterator[pl.DataFrame]:
        """Yield the rows of the runs to read in batches, until `stop` is set."""
        for batch in super().batches(stop):
            if self.only:
                batch = batch.filter(pl.col("run").is_in(self.only))
            if not batch.is_empty():
                yield batch

    def sizes(self) -> Counter[str]:
        """Count the rows of each run to read, if there are several, in the files' order."""
        sizes: Counter[str] = Counter()
        for batch in self.batches():
            sizes.update(dict(batch.group_by("run", maintain_order=True).len().iter_rows()))
        return sizes

    def frames(self, stop: Event | None = None) -> Iterator[pl.DataFrame]:
        """Yield all rows of one run or several at a time: at most ROWS_IN_MEMORY if possible."""
        if not self.has_runs:
            yield from super().frames(stop)
            return
        groups: list[list[str]] = []
        left = 0
        for run, size in self.sizes().items():
            if size > left:
                groups.append([])
                left = ROWS_IN_MEMORY
            groups[-1].append(run)
            left -= size
        for runs in groups:
            is_in = pl.col("run").is_in(runs)
            yield pl.concat(batch.filter(is_in) for batch in self.batches(stop))

    def named_dicts(self, duplicates: Duplicates) -> Iterator[tuple[str, Dicts]]:
        """Yield the name of each run and the score of each document, by topic."""
        if self.name is not None:
            yield self.name, self.dicts(duplicates)
            return
        for frame in self.frames():
            for (name,), rows in frame.group_by(["run"], maintain_order=True):
                yield str(name), self.whole(rows, duplicates).dicts()
