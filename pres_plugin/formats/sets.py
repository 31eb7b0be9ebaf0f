"""Files whose rows belong together, and their rows as whole topics.

Scoring a topic needs all of its rows. In most files they are contiguous, so a topic is
complete as soon as another one begins, and a file may be larger than memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from threading import Event
from typing import Any, TypeVar

import polars as pl

from pres_plugin.formats.base import DataFile, Duplicates, FileError, Value, shown_as
from pres_plugin.formats.folding import Folding
from pres_plugin.formats.threads import ahead
from pres_plugin.kernel.topics import Ints
from pres_plugin.ranking.tables import Dicts, Topics, check_gaps, cut_into_topics, whole_topics
from pres_plugin.remedy import KEEP_ONE, Remedy, shortened

#: How many rows to keep in memory at once if the rows of a topic are not contiguous.
ROWS_IN_MEMORY = 4_000_000

#: How many rows to rank at once, at least. Fewer rows take longer, because each step has a cost.
ROWS_AT_ONCE = 20_000

_Result = TypeVar("_Result")


class _ScatteredError(Exception):
    """The rows of a topic are not contiguous, so a file cannot be read topic by topic."""


@dataclass(frozen=True)
class FileSet:
    """Files whose rows belong together: the judgements, a run, or several runs."""

    path: str  # the path in messages; a folder if there are several files
    value: Value  # whether the files contain judgements or runs
    files: tuple[DataFile, ...]  # in the order in which they are read
    name: str | None = ""  # the run's name in results; None if a column `run` names several runs
    only: tuple[str, ...] = ()  # the runs to read if there are several; all of them if empty
    folding: Folding | None = None  # folds documents into families
    labelled: bool = False  # whether the user gave the run its name
    renamed: Mapping[str, str] = field(default_factory=dict)  # runs whose names are in other files

    @property
    def has_runs(self) -> bool:
        """Whether a column `run` contains the names of several runs."""
        return self.name is None

    def called(self, name: str) -> str:
        """Return how messages refer to the run of this name."""
        return f"{self.path}, run {shortened(name)}" if self.has_runs else self.path

    def batches(self, stop: Event | None = None) -> Iterator[pl.DataFrame]:
        """Yield the rows to read in batches, until `stop` is set."""
        has_ranks = None
        for file in self.files:
            for batch in file.batches(self.value):
                if stop is not None and stop.is_set():
                    return
                file.on_batch()
                if self.only:
                    batch = batch.filter(pl.col("run").is_in(self.only))
                if batch.is_empty():
                    continue
                if self.renamed:
                    batch = batch.with_columns(pl.col("run").replace(self.renamed))
                if has_ranks is None:
                    has_ranks = "rank" in batch.columns
                elif has_ranks != ("rank" in batch.columns):
                    raise file.error(
                        f"some documents of {self.path} are ordered by score and others by rank; "
                        "give all files the same columns"
                    )
                if not self.has_runs and "run" in batch.columns:
                    batch = batch.drop("run")
                yield batch
        if has_ranks is None:
            raise FileError(f"{shown_as(self.path)}: the file is empty, or contains no rows")

    def sizes(self) -> Counter[str]:
        """Count the rows of each run to read, if there are several, in the files' order."""
        sizes: Counter[str] = Counter()
        for batch in self.batches():
            sizes.update(dict(batch.group_by("run", maintain_order=True).len().iter_rows()))
        return sizes

    def read(
        self,
        duplicates: Duplicates,
        use: Callable[[Iterable[Topics]], _Result],
        stop: Event | None = None,
    ) -> list[_Result]:
        """Return what `use` returns for the topics, in one result or one per group of runs.

        One batch and the largest topic must fit in memory. If a topic returns, `use` is called
        again with whole runs, which must then fit in memory.
        """
        try:
            # One thread reads batches while another one cuts them into whole topics. A run of
            # 7 million lines takes a fifth less time than with a single thread for both.
            # After an error, closing them waits until both have ended.
            with closing(ahead(self.batches(stop))) as batches:
                cut = cut_into_topics(batches, self._keys, ROWS_AT_ONCE)
                with closing(ahead(self._whole(rows, duplicates) for rows in cut)) as topics:
                    found = [use(_each_once(topics))]
        except _ScatteredError:
            if self.folding:
                self.folding.restart()
            found = [use([self._whole(rows, duplicates)]) for rows in self._whole_runs(stop)]
        self._report()
        return found

    def dicts(self, duplicates: Duplicates) -> Iterator[tuple[str, Dicts]]:
        """Yield the name of each run, and the value of each document by topic.

        The judgements are called like a run without a name.
        """
        for rows in self._whole_runs():
            topics = self._whole(rows, duplicates)
            runs = topics.by_run() if self.has_runs else [(str(self.name), slice(None))]
            for name, chosen in runs:
                if topics.ranked:
                    self._check_gaps(topics, name, chosen)
                yield name, topics.dicts(self.value, chosen)
        self._report()

    @property
    def _keys(self) -> list[str]:
        """The columns that identify a topic."""
        return ["run", "query_id"] if self.has_runs else ["query_id"]

    def _whole_runs(self, stop: Event | None = None) -> Iterator[pl.DataFrame]:
        """Yield all rows of one run or several at a time: at most ROWS_IN_MEMORY if possible."""
        if not self.has_runs:
            yield pl.concat(self.batches(stop))
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

    def _whole(self, rows: pl.DataFrame, duplicates: Duplicates) -> Topics:
        """Return whole topics with each document once, or raise a FileError."""
        fold = self.folding.folded if self.folding else None
        return whole_topics(rows, self._keys, duplicates, self._problem, fold)

    def _check_gaps(self, topics: Topics, name: str, chosen: Ints | slice) -> None:
        query_ids = topics.keys["query_id"].to_numpy()
        of_topics = (query_ids, topics.n, *topics.first_and_last())
        check_gaps(self.called(name), *(values[chosen] for values in of_topics))

    def _report(self) -> None:
        if self.folding:
            self.folding.report(self.path)

    def _problem(self, problem: str, row: dict[str, Any]) -> FileError:
        """Return the error for a document or a rank that occurs twice, with its line."""
        is_repeated = problem.endswith("twice")
        remedy = self._name_runs(row["query_id"]) or (KEEP_ONE if is_repeated else None)
        if len(self.files) > 1 or not is_repeated:
            return FileError(f"{self.path}: {problem}", remedy)
        [file] = self.files
        line = file.line_of(self.value, {key: row[key] for key in (*self._keys, "doc_id")})
        return file.error(problem, remedy, line)

    def _name_runs(self, query_id: str) -> Remedy | None:
        """Return what to do if a column seems to name several runs."""
        if self.value == "relevance" or self.has_runs or len(self.files) > 1:
            return None
        column = self.files[0].column_of_runs(query_id)
        advice = "name the column of the run with {}"
        return Remedy(advice, "columns", ({"run": column},)) if column else None


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
