"""Files whose rows belong together, and their rows as whole topics.

Scoring a topic needs all of its rows. In most files they are contiguous, so a topic is
complete as soon as another one begins, and a file may be larger than memory.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, TypeVar

import polars as pl

from pres_plugin.messages import KEEP_ONE, InputError, shortened
from pres_plugin.ranking.tables import Dicts, Topics, cut_into_topics, whole_topics
from pres_plugin.tables.base import DataFile, Reading, shown_as
from pres_plugin.tables.folding import Folding
from pres_plugin.tables.threads import ahead

#: From how many rows on to announce that a file is read into memory as a whole.
MANY_ROWS = 1_000_000

#: How many rows to rank at once, at least. Fewer rows take longer, because each step has a cost.
ROWS_AT_ONCE = 20_000

# What to do about a repeated document or rank if one of the columns may contain names of runs.
_SEVERAL_RUNS = (
    "if there are several runs, name their column with columns={'run': 'NAME'} (--columns "
    'run="NAME"), else remove one of these rows'
)

_Result = TypeVar("_Result")


class _ScatteredError(Exception):
    """The rows of a topic are not contiguous, so a file cannot be read topic by topic."""


@dataclass(frozen=True)
class FileSet:
    """Files whose rows belong together: the judgements, a run, or several runs."""

    path: str  # the path in messages; a folder if there are several files
    files: tuple[DataFile, ...]  # in the order in which they are read
    reading: Reading
    name: str | None = ""  # the run's name in results; None if a column `run` names several runs
    chosen: Mapping[str, str] = field(default_factory=dict)  # the runs to read and their names
    labelled: bool = False  # whether the user gave the run its name

    @property
    def has_runs(self) -> bool:
        """Whether a column `run` contains the names of several runs."""
        return self.name is None

    def called(self, name: str) -> str:
        """Return how messages refer to the run of this name."""
        return f"{self.path}, run {shortened(name)}" if self.has_runs else self.path

    def stop(self) -> None:
        """Stop threads that are reading batches."""
        for file in self.files:
            file.stopped = True

    def batches(self) -> Iterator[pl.DataFrame]:
        """Yield the rows to read in batches, until :meth:`stop` is called."""
        columns, n_unjudged = None, 0
        for file in self.files:
            for batch in file.batches():
                if file.stopped:
                    return
                if self.reading.value == "relevance":
                    # A topic without documents is a row with nulls.
                    judged = pl.col("relevance").is_not_null() | pl.col("doc_id").is_null()
                    n_unjudged += batch.height
                    batch = batch.filter(judged)
                    n_unjudged -= batch.height
                if self.chosen:
                    batch = batch.filter(pl.col("run").is_in([*self.chosen]))
                    batch = batch.with_columns(pl.col("run").replace(self.chosen))
                if batch.is_empty():
                    continue
                if not self.has_runs and "run" in batch.columns:
                    batch = batch.drop("run")
                columns = columns or sorted(batch.columns)
                if columns != sorted(batch.columns):
                    raise file.error(
                        f"some documents of {self.path} are ordered by score, and others by rank "
                        "or by the order of the rows; give all files the same columns"
                    )
                yield batch.select(columns)
        if columns is None:
            raise InputError(f"{shown_as(self.path)}: the file is empty, or contains no rows")
        if n_unjudged:
            warnings.warn(
                f"{shown_as(self.path)}: documents without a relevance count as unjudged "
                f"({n_unjudged:,})",
                stacklevel=2,
            )

    def run_names(self) -> dict[str, None]:
        """Return the names of the runs to read in a column `run`, in the files' order."""
        names: dict[str, None] = {}
        for batch in self.batches():
            names |= dict.fromkeys(batch["run"].unique(maintain_order=True))
        return names

    def read(self, use: Callable[[Iterable[Topics]], _Result]) -> _Result:
        """Return what `use` returns for the topics.

        One batch and the largest topic must fit in memory. If a topic returns, `use` is called
        again with all rows at once, which must then fit in memory.
        """
        families = self.reading.families
        folding = None if families is None else Folding(families)
        fold = folding.folded if folding else None
        try:
            # A thread reads batches while this one ranks. After an error, closing them waits until
            # it has ended.
            with closing(ahead(self.batches())) as batches:
                cut = cut_into_topics(batches, self._keys, ROWS_AT_ONCE)
                found = use(_each_once(self._whole(rows, fold) for rows in cut))
        except _ScatteredError:
            found = use([self._whole(pl.concat(self._announced()), fold)])
        if folding:
            folding.report(self.path)
        return found

    def dicts(self) -> Dicts:
        """Return the value of each document by topic, for the judgements or a single run."""
        return self._whole(pl.concat(self.batches())).by_topic(self.path, self.reading.value)

    def _announced(self) -> Iterator[pl.DataFrame]:
        """Yield the rows in batches, and warn if there are many."""
        n_rows = 0
        for batch in self.batches():
            if n_rows <= MANY_ROWS < n_rows + batch.height:
                warnings.warn(
                    f"{self.path}: the rows of a topic are not together, so the whole file must "
                    "fit in memory; sort it by topic to need less",
                    stacklevel=2,
                )
            n_rows += batch.height
            yield batch

    @property
    def _keys(self) -> list[str]:
        """The columns that identify a topic."""
        return ["run", "query_id"] if self.has_runs else ["query_id"]

    def _whole(
        self, rows: pl.DataFrame, fold: Callable[[pl.DataFrame], pl.DataFrame] | None = None
    ) -> Topics:
        """Return whole topics with each document once, or raise an InputError."""
        return whole_topics(rows, self._keys, self.reading.duplicates, self._problem, fold)

    def _problem(self, problem: str, row: dict[str, Any]) -> InputError:
        """Return the error for a document or a rank that occurs twice, with its line."""
        is_repeated = problem.endswith("twice")
        if self.reading.value == "score" and not self.has_runs and self.files[0].others:
            problem += f"; {_SEVERAL_RUNS}"
        elif is_repeated:
            problem += f"; {KEEP_ONE}"
        if len(self.files) > 1 or not is_repeated:
            return InputError(f"{self.path}: {problem}")
        [file] = self.files
        line = file.line_of({key: row[key] for key in (*self._keys, "doc_id")})
        return file.error(problem, line)


def _each_once(topics: Iterable[Topics]) -> Iterator[Topics]:
    """Yield the same topics, or raise a _ScatteredError if one returns."""
    seen: set[int] = set()
    for whole in topics:
        n_before = len(seen)
        # Hashes take less memory. Two topics with equal hashes only make the file be read again.
        seen.update(whole.keys.hash_rows())
        if len(seen) < n_before + whole.keys.height:
            raise _ScatteredError
        yield whole
