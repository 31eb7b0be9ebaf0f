"""Rank runs in files: find the rank of each judged document.

Only the ranks are kept, not the rows. So a run may be larger than memory, and one stream
may contain many runs. All scores follow from the ranks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pres_plugin.files.judgements import JudgedTopics
from pres_plugin.files.run_files import RunFiles
from pres_plugin.formats.base import FileError
from pres_plugin.formats.runs import Runs
from pres_plugin.formats.sets import ScatteredError, Whole
from pres_plugin.formats.threads import in_order
from pres_plugin.ranking.rows import Ints, keys_of, matches, ranks_of
from pres_plugin.ranking.scores import RankedRun
from pres_plugin.remedy import Remedy, no_common_topic

# How to leave out one of the runs in a file.
_CHOOSE_RUNS = Remedy("name the other runs with {}", "run_names", ("NAME",))


@dataclass(frozen=True, eq=False)
class RunInFile(RankedRun):
    """The ranks of the D documents of :class:`.judgements.JudgedTopics` in a run."""

    not_judged: Collection[str]  # the topics of the run that are not judged

    @property
    def n_topics(self) -> int:
        """The number of topics of the run, judged or not."""
        return len(self.order) + len(self.not_judged)

    def missing(self, judged: Collection[str]) -> list[str]:
        """Return the judged topics that the run lacks."""
        there = set(self.order.tolist())
        return [topic for i, topic in enumerate(judged) if i not in there]

    def extra(self, judged: Collection[str]) -> Collection[str]:
        """Return the topics of the run that are not judged."""
        return self.not_judged

    @property
    def largest_topic(self) -> int:
        """The number of documents of the largest judged topic."""
        return int(self.retrieved.max(initial=0))


class _Run:
    """The topics and ranks of a run that have been read so far."""

    def __init__(self, n_topics: int) -> None:
        self.seen = np.zeros(n_topics, dtype=np.bool_)
        self.extra: dict[str, None] = {}
        self.numbers: list[Ints] = []
        self.sizes: list[Ints] = []
        self.documents: list[Ints] = []
        self.ranks: list[Ints] = []

    def add(self, numbers: Ints, query_ids: NDArray[Any], sizes: Ints) -> None:
        """Add topics; raise a ScatteredError if one was added before."""
        is_extra = numbers < 0
        judged, extra = numbers[~is_extra], query_ids[is_extra]
        n_extra = len(self.extra)
        self.extra.update(dict.fromkeys(extra))
        if self.seen[judged].any() or len(self.extra) < n_extra + len(extra):
            raise ScatteredError
        self.seen[judged] = True
        self.numbers.append(judged)
        self.sizes.append(sizes[~is_extra])

    def ranked(self, name: str, judged: JudgedTopics) -> RunInFile:
        ranks = np.zeros(len(judged.relevance), dtype=np.int64)
        ranks[np.concatenate(self.documents)] = np.concatenate(self.ranks)
        order = np.concatenate(self.numbers)
        retrieved = np.zeros(len(judged.topics), dtype=np.int64)
        retrieved[order] = np.concatenate(self.sizes)
        return RunInFile(name, ranks, retrieved, order, self.extra)


def rank_files(files: RunFiles, judged: JudgedTopics) -> Iterator[list[RunInFile]]:
    """Yield the ranks of the runs in each file, in order, or raise a FileError."""

    def rank(runs: Runs, stop: Event) -> list[RunInFile]:
        groups = runs.read(
            files.sources.duplicates, lambda topics: _rank(topics, judged, runs.name), stop
        )
        return [run for group in groups for run in group]

    results = in_order(rank, files.files)
    for runs, found in zip(files.files, results, strict=True):
        for run in found:
            files.check_name(runs, run.name)
            if not len(run.order):
                raise without_topics(runs, run.name, run.not_judged, judged.topics)
        yield found


def without_topics(
    runs: Runs, name: str, topics: Collection[str], judged: Collection[str]
) -> FileError:
    """Return the error for a run whose topics are not judged."""
    problem = no_common_topic(topics, judged)
    return FileError(f"{runs.called(name)}: {problem}", _CHOOSE_RUNS if runs.has_runs else None)


def _rank(found: Iterable[Whole], judged: JudgedTopics, name: str | None) -> list[RunInFile]:
    """Rank the run of this name; without a name, rank all runs named in a column `run`."""
    runs: dict[str, _Run] = {}
    for whole in found:
        query_ids = whole.keys["query_id"].to_numpy()
        numbers = judged.numbers(query_ids)
        sizes = np.bincount(whole.topic, minlength=len(numbers))
        document, topic, ranks = _found(whole, numbers, judged)
        names = [name] if name is not None else whole.keys["run"].to_list()
        for run_name in dict.fromkeys(names):
            of_run = np.broadcast_to(np.array(names, dtype=object) == run_name, numbers.shape)
            run = runs.setdefault(run_name, _Run(len(judged.topics)))
            run.add(numbers[of_run], query_ids[of_run], sizes[of_run])
            run.documents.append(document[of_run[topic]])
            run.ranks.append(ranks[of_run[topic]])
    return [run.ranked(run_name, judged) for run_name, run in runs.items()]


def _found(whole: Whole, numbers: Ints, judged: JudgedTopics) -> tuple[Ints, Ints, Ints]:
    """Return the judged documents that were found, their topics in `whole`, and their ranks."""
    document, topic = judged.documents(numbers)
    doc_ids = whole.rows["doc_id"]
    row, position = matches(
        keys_of(whole.topic, whole.hashed),
        doc_ids,
        keys_of(topic, judged.hashed[document]),
        judged.doc_ids[document],
    )
    ranks = ranks_of(row, whole.topic, whole.rows["score"].to_numpy(), doc_ids)
    return document[position], whole.topic[row], ranks
