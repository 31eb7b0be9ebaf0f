"""Files whose rows belong together, and their rows as whole topics.

Scoring a topic needs all of its rows. In most files they are contiguous, so a topic is
complete as soon as another one begins, and a file may be larger than memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from itertools import pairwise
from threading import Event
from typing import Any, NamedTuple, TypeVar

import numpy as np
import polars as pl

from pres_plugin.formats.base import DataFile, Duplicates, FileError, Value, shown_as
from pres_plugin.formats.folding import Folding
from pres_plugin.formats.threads import ahead
from pres_plugin.kernel.topics import running_sum
from pres_plugin.measures.parameters import LARGEST
from pres_plugin.ranking.rows import Ints, numbered, repeated
from pres_plugin.remedy import KEEP_ONE, Remedy, quoted, shortened

#: How many rows to keep in memory at once if the rows of a topic are not contiguous.
ROWS_IN_MEMORY = 4_000_000

#: How many rows to rank at once, at least. Fewer rows take longer, because each step has a cost.
ROWS_AT_ONCE = 20_000

# How many bits the largest rank takes.
_RANK_BITS = LARGEST.bit_length()

Dicts = dict[str, dict[str, Any]]
_Result = TypeVar("_Result")


class _ScatteredError(Exception):
    """The rows of a topic are not contiguous, so a file cannot be read topic by topic."""


class Whole(NamedTuple):
    """Some whole topics, in which each document occurs once."""

    rows: pl.DataFrame  # the rows of each topic are together
    topic: Ints  # the 0-based number of each row's topic, ascending
    keys: pl.DataFrame  # the `query_id` of each topic, and its `run` if there are several

    def ranks_of_topics(self) -> tuple[Ints, Ints, Ints]:
        """Return the number of documents per topic, and its first and its last rank."""
        n = np.bincount(self.topic, minlength=self.keys.height)
        if "rank" not in self.rows.columns:
            return n, np.ones_like(n), n
        ranks, starts = self.rows["rank"].to_numpy(), running_sum(n)[:-1]
        return n, np.minimum.reduceat(ranks, starts), np.maximum.reduceat(ranks, starts)

    def some_ids(self, topic: int, at_most: int) -> dict[str, None]:
        """Return the ids of the first documents of a topic."""
        start, end = np.searchsorted(self.topic, [topic, topic + 1]).tolist()
        return dict.fromkeys(self.rows["doc_id"][start:end].head(at_most))

    def topics_by_run(self) -> Iterator[tuple[str, Ints]]:
        """Yield the name of each run and the numbers of its topics, if there are several runs."""
        topics = self.keys.with_row_index("topic").group_by("run", maintain_order=True)
        for name, numbers in topics.agg("topic").iter_rows():
            yield name, np.array(numbers, dtype=np.int64)


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
        use: Callable[[Iterable[Whole]], _Result],
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
                cut = _cut(batches, self._keys)
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
            runs = rows.group_by(["run"], maintain_order=True) if self.has_runs else [((), rows)]
            for names, of_run in runs:
                yield "".join(names) or str(self.name), self._dicts(of_run, duplicates)
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

    def _whole(self, rows: pl.DataFrame, duplicates: Duplicates) -> Whole:
        """Return whole topics with each document once, or raise a FileError for a duplicate."""
        rows, topic, keys = _together(rows, self._keys)
        again = repeated(topic, rows["doc_id"])
        if len(again) and duplicates == "error":
            raise self._repeated(rows.row(int(again[0]), named=True))
        if len(again) or self.folding:
            rows = self._reduced(rows.with_columns(topic=topic), duplicates)
            topic = rows["topic"].to_numpy()
        elif "rank" in rows.columns:
            self._check_ranks(rows, topic)
        return Whole(rows, topic, keys)

    def _reduced(self, rows: pl.DataFrame, duplicates: Duplicates) -> pl.DataFrame:
        """Drop repeated documents and fold families; `topic` is the number of each row's topic.

        Given ranks close up where rows are dropped, but not where documents were left out.
        """
        has_ranks = "rank" in rows.columns
        if has_ranks:
            rows = rows.with_columns(position=pl.col("rank").rank("dense").over("topic"))
        if duplicates != "error":
            rows = rows.unique(["topic", "doc_id"], keep=duplicates, maintain_order=True)
        if has_ranks:
            self._check_ranks(rows, rows["topic"].to_numpy())
        if self.folding:
            rows = self.folding.folded(rows)
        if has_ranks:
            now = pl.col("rank").rank("dense").over("topic")
            rows = rows.with_columns(rank=pl.col("rank") + now.cast(pl.Int64) - pl.col("position"))
        return rows

    def _dicts(self, rows: pl.DataFrame, duplicates: Duplicates) -> Dicts:
        whole = self._whole(rows, duplicates)
        starts = running_sum(np.bincount(whole.topic))
        if "rank" in whole.rows.columns:
            self._check_gaps(whole)
        found = dicts_of(
            whole.keys["query_id"], starts, whole.rows["doc_id"], whole.rows[self.value]
        )
        for documents in found.values():
            documents.pop(None, None)  # type: ignore[call-overload]
        return found

    def _report(self) -> None:
        if self.folding:
            self.folding.report(self.path)

    def _repeated(self, row: dict[str, Any]) -> FileError:
        """Return the error for a document that occurs twice, with its line if there is one."""
        query_id, doc_id = row["query_id"], row["doc_id"]
        problem = f"document {quoted(doc_id)} is in topic {quoted(query_id)} twice"
        if len(self.files) > 1:
            return FileError(f"{self.path}: {problem}", KEEP_ONE)
        [file] = self.files
        line = file.line_of(self.value, {key: row[key] for key in (*self._keys, "doc_id")})
        return file.error(problem, self._name_runs(query_id) or KEEP_ONE, line)

    def _name_runs(self, query_id: str) -> Remedy | None:
        """Return what to do if a column seems to name several runs."""
        if self.value == "relevance" or self.has_runs or len(self.files) > 1:
            return None
        column = self.files[0].column_of_runs(query_id)
        advice = "name the column of the run with {}"
        return Remedy(advice, "columns", ({"run": column},)) if column else None

    def _check_ranks(self, rows: pl.DataFrame, topic: Ints) -> None:
        """Raise a FileError if two documents of a topic have the same rank."""
        keys = pl.Series((topic << _RANK_BITS) | rows["rank"].to_numpy())
        if keys.n_unique() < rows.height:
            same = rows.filter(keys == keys.filter(keys.is_duplicated())[0])
            query_id, rank = same.select("query_id", "rank").row(0)
            first, second = map(quoted, same["doc_id"][:2])
            raise FileError(
                f"{self.path}: topic {quoted(query_id)}: documents {first} and {second} both have "
                f"rank {rank}",
                self._name_runs(query_id),
            )

    def _check_gaps(self, whole: Whole) -> None:
        """Raise a FileError if documents were left out, which dicts of scores cannot express."""
        n, first, last = whole.ranks_of_topics()
        missing = np.flatnonzero(last - min(first.min(), 1) + 1 > n)
        for i in missing[:1].tolist():
            raise FileError(
                f"{self.path}: topic {quoted(whole.keys['query_id'][i])}: the ranks have gaps, and "
                "only measures of ranks allow for documents that were left out; use PRES, AP or R, "
                "or list all documents"
            )


def _together(rows: pl.DataFrame, keys: list[str]) -> tuple[pl.DataFrame, Ints, pl.DataFrame]:
    """Bring the rows of each ranking together, rankings in order of first appearance.

    `keys` are the columns that identify a ranking. Return the rows, the 0-based number of each
    row's ranking, and the keys of each ranking.
    """
    number, found = numbered(rows.select(keys))
    if (number[1:] < number[:-1]).any():  # some rankings are not contiguous
        order = number.argsort(kind="stable")
        rows, number = rows[order], number[order]
    return rows, number, found


def dicts_of(
    query_ids: Iterable[str], starts: Ints, doc_ids: pl.Series, values: pl.Series
) -> Dicts:
    """Return the values of documents by topic. A topic's documents begin at one of the `starts`."""
    ids, numbers = doc_ids.to_list(), values.to_list()
    return {
        query_id: dict(zip(ids[start:end], numbers[start:end], strict=True))
        for query_id, (start, end) in zip(query_ids, pairwise(starts.tolist()), strict=True)
    }


def _each_once(topics: Iterable[Whole]) -> Iterator[Whole]:
    """Yield the same topics, or raise a _ScatteredError if one returns."""
    seen: set[int] = set()
    for whole in topics:
        n_before = len(seen)
        # Hashes take less memory. Two topics with equal hashes only make the file be read again.
        seen.update(whole.keys.hash_rows())
        if len(seen) < n_before + whole.keys.height:
            raise _ScatteredError
        yield whole


def _cut(batches: Iterable[pl.DataFrame], keys: list[str]) -> Iterator[pl.DataFrame]:
    """Yield the same rows in the same order, cut where a topic ends, many rows at a time.

    The last topic of a batch waits until another topic begins.
    """
    waiting: list[pl.DataFrame] = []
    n_waiting = 0
    for batch in batches:
        n_waiting += batch.height
        if waiting and n_waiting >= ROWS_AT_ONCE:
            last = batch.select(keys).row(-1)
            is_other = pl.any_horizontal(pl.col(key) != last[i] for i, key in enumerate(keys))
            before = batch.select(is_other.arg_true().last()).item()
            start = 0 if before is None else before + 1
            if start or last != waiting[-1].select(keys).row(-1):
                yield pl.concat([*waiting, batch.head(start)])
                waiting, batch = [], batch.slice(start)
                n_waiting = batch.height
        waiting.append(batch)
    if waiting:
        yield pl.concat(waiting)
