"""Rank runs in files: find the rank of each judged document.

Only the ranks are kept, not the rows. So a run may be larger than memory, and one stream
may contain many runs. All scores follow from the ranks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Generator, Iterable, Sequence
from dataclasses import dataclass
from threading import Event
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from pres_plugin.files.judgements import JudgedTopics
from pres_plugin.files.run_files import RunFiles
from pres_plugin.formats.base import FileError
from pres_plugin.formats.sets import FileSet, Whole
from pres_plugin.formats.threads import in_order
from pres_plugin.ranking import rows as ranking
from pres_plugin.ranking.given import RUN_ON, run_on
from pres_plugin.ranking.rows import Ints, UInts, hashes, keys_of
from pres_plugin.ranking.scores import RunRanks
from pres_plugin.ranking.unmatched import (
    MOST_IDS,
    MOST_TOPICS,
    UnmatchedIdsWarning,
    unmatched_in_dicts,
)
from pres_plugin.remedy import Remedy, no_common_topic

# How to leave out one of the runs in a file.
_CHOOSE_RUNS = Remedy("name the other runs with {}", "run_names", ("NAME",))

# What some whole topics add to a run: the numbers of its topics (-1 if not judged), their ids,
# their numbers of documents, their first and last ranks, and the documents that were found with
# their ranks.
_Part = tuple[NDArray[Any], ...]


@dataclass(frozen=True, eq=False)
class RunInFile(RunRanks):
    """The ranks of the D documents of :class:`.judgements.JudgedTopics` in a run."""

    extra: Collection[str]  # the topics of the run that are not judged
    unmatched: UnmatchedIdsWarning | None  # if its ids have another form than those judged


def rank_files(files: RunFiles, judged: JudgedTopics) -> Generator[list[RunInFile], None, None]:
    """Yield the ranks of the runs in each file, in order, or raise a FileError."""

    def rank(runs: FileSet, stop: Event) -> list[RunInFile]:
        duplicates = files.sources.duplicates
        groups = runs.read(duplicates, lambda found: _rank(found, judged, runs), stop)
        return [run for group in groups for run in group]

    for runs, found in zip(files.files, in_order(rank, files.files), strict=True):
        for run in found:
            files.check_name(runs, run.name)
            if not len(run.order):
                check_topics(runs, run.name, run.extra, judged.topics)
        yield found


def check_topics(
    runs: FileSet, name: str, topics: Collection[str], judged: Collection[str]
) -> None:
    """Raise a FileError if none of the topics of a run is judged."""
    if problem := no_common_topic(topics, judged):
        remedy = _CHOOSE_RUNS if runs.has_runs else None
        raise FileError(f"{runs.called(name)}: {problem}", remedy)


def _rank(found: Iterable[Whole], judged: JudgedTopics, runs: FileSet) -> list[RunInFile]:
    """Rank the run in some files; without a name, rank all runs named in a column `run`."""
    parts: dict[str, list[_Part]] = defaultdict(list)
    retrieved: dict[str, dict[str, dict[str, None]]] = defaultdict(dict)
    for whole in found:
        query_ids = whole.keys["query_id"].to_numpy()
        numbers = judged.numbers(query_ids)
        of_topics = (numbers, query_ids, *whole.ranks_of_topics())
        document, topic, ranks = _found(whole, numbers, judged)
        groups = [(runs.name, slice(None))] if runs.name is not None else whole.topics_by_run()
        for run_name, of_run in groups:
            is_its = np.zeros(len(numbers), dtype=np.bool_)
            is_its[of_run] = True
            its_documents = is_its[topic]
            of_its_topics = (values[is_its] for values in of_topics)
            parts[run_name].append((*of_its_topics, document[its_documents], ranks[its_documents]))
            some_ids = retrieved[run_name]
            judged_topics = np.flatnonzero(is_its & (numbers >= 0))
            for i in judged_topics[: MOST_TOPICS - len(some_ids)].tolist():
                some_ids[query_ids[i]] = whole.some_ids(i, MOST_IDS)
    return [
        _whole_run(run_name, of_run, judged, runs, retrieved[run_name])
        for run_name, of_run in parts.items()
    ]


def _whole_run(
    name: str,
    parts: Sequence[_Part],
    judged: JudgedTopics,
    runs: FileSet,
    some_ids: dict[str, dict[str, None]],
) -> RunInFile:
    """Put a run together; `some_ids` contains some of the ids that it retrieved, by topic."""
    numbers, query_ids, n, first, last, documents, found = map(
        np.concatenate, zip(*parts, strict=True)
    )
    start, rank_sum = min(first.min(), 1), ((first + last) * n).sum() / 2
    if run_on(len(n), n.sum(), (last - first + 1).sum(), start, last.max(), rank_sum):
        raise FileError(f"{runs.called(name)}: {RUN_ON}")
    # If the lowest rank of a run is 0, its ranks count from 0.
    is_judged, shift = numbers >= 0, 1 - start
    ranks = np.zeros(len(judged.relevance), dtype=np.int64)
    ranks[documents] = found + shift
    retrieved, order = np.zeros(len(judged.topics), dtype=np.int64), numbers[is_judged]
    retrieved[order] = last[is_judged] + shift
    extra = dict.fromkeys(query_ids[~is_judged].tolist())
    some_judged = {query_id: judged.judged_ids(query_id) for query_id in some_ids}
    unmatched = unmatched_in_dicts(
        runs.called(name), some_ids, some_judged, found=len(documents) > 0
    )
    return RunInFile(name, ranks, retrieved, order, extra, unmatched)


def _found(whole: Whole, numbers: Ints, judged: JudgedTopics) -> tuple[Ints, Ints, Ints]:
    """Return the judged documents that were found, their topics in `whole`, and their ranks."""
    document, topic = judged.documents(numbers)
    doc_ids = whole.rows["doc_id"]
    wanted = keys_of(topic, judged.hashed[document])
    row, position = _matches(keys_of(whole.topic, hashes(doc_ids)), wanted)
    is_same = (doc_ids[row] == judged.doc_ids[document[position]]).to_numpy()
    row, position = row[is_same], position[is_same]
    if "rank" in whole.rows.columns:
        ranks = whole.rows["rank"].to_numpy()[row]
    else:
        ranks = ranking.ranks(whole.topic, whole.rows["score"].to_numpy(), doc_ids, row)
    return document[position], whole.topic[row], ranks


def _matches(keys: UInts, wanted: UInts) -> tuple[Ints, Ints]:
    """Return pairs of a row and the position of a wanted document with the same key.

    Both come from :func:`keys_of`, with the same numbers of rankings. Different documents may have
    the same key, so their ids have to be compared.
    """
    rows = pl.DataFrame({"key": keys}).with_row_index("row")
    documents = pl.DataFrame({"key": wanted}).with_row_index("document")
    pairs = rows.join(documents, on="key").select(pl.col("row", "document").cast(pl.Int64))
    return pairs["row"].to_numpy(), pairs["document"].to_numpy()
