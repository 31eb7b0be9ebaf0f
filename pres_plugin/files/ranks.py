"""Rank runs in files: find the rank of each judged document.

Only the ranks are kept, not the rows. So a run may be larger than memory, and one stream
may contain many runs. All scores follow from the ranks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
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
from pres_plugin.ranking.rows import Ints, UInts, hashes, keys_of
from pres_plugin.ranking.scores import RunRanks
from pres_plugin.ranking.unmatched import UnmatchedIdsWarning, is_few
from pres_plugin.ranking.unmatched_rows import unmatched_in_rows
from pres_plugin.remedy import Remedy, no_common_topic

# How to leave out one of the runs in a file.
_CHOOSE_RUNS = Remedy("name the other runs with {}", "run_names", ("NAME",))

# What some whole topics add to a run: the numbers and sizes of its judged topics, the ids of the
# others, and the documents that were found with their ranks.
_Part = tuple[Ints, Ints, NDArray[Any], Ints, Ints]


@dataclass(frozen=True, eq=False)
class RunInFile(RunRanks):
    """The ranks of the D documents of :class:`.judgements.JudgedTopics` in a run."""

    extra: Collection[str]  # the topics of the run that are not judged
    unmatched: UnmatchedIdsWarning | None  # if its ids hardly ever match those judged


def rank_files(files: RunFiles, judged: JudgedTopics) -> Generator[list[RunInFile], None, None]:
    """Yield the ranks of the runs in each file, in order, or raise a FileError.

    A file is read again if a run retrieves relevant documents in few topics only, to see whether
    its ids match those of any judged documents.
    """

    def rank(runs: FileSet, stop: Event) -> list[RunInFile]:
        duplicates = files.sources.duplicates
        groups = runs.read(duplicates, lambda found: _rank(found, judged, runs.name), stop)
        found = [run for group in groups for run in group]
        few = [run.name for run in found if is_few(judged.n_matched(run), len(run.order))]
        if not few:
            return found
        qrels = pl.concat(files.qrels.documents()).drop("run")
        called = {name: runs.called(name) for name in few}
        problems = unmatched_in_rows(called, partial(runs.documents, stop), qrels)
        return [replace(run, unmatched=problems.get(run.name)) for run in found]

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


def _rank(found: Iterable[Whole], judged: JudgedTopics, name: str | None) -> list[RunInFile]:
    """Rank the run of this name; without a name, rank all runs named in a column `run`."""
    parts: dict[str, list[_Part]] = defaultdict(list)
    for whole in found:
        query_ids = whole.keys["query_id"].to_numpy()
        numbers = judged.numbers(query_ids)
        sizes = np.bincount(whole.topic, minlength=len(numbers))
        document, topic, ranks = _found(whole, numbers, judged)
        groups = [(name, slice(None))] if name is not None else whole.topics_by_run()
        for run_name, of_run in groups:
            is_its = np.zeros(len(numbers), dtype=np.bool_)
            is_its[of_run] = True
            in_order, others = is_its & (numbers >= 0), is_its & (numbers < 0)
            extra, its_documents = query_ids[others], is_its[topic]
            parts[run_name].append(
                (
                    *(numbers[in_order], sizes[in_order], extra),
                    *(document[its_documents], ranks[its_documents]),
                )
            )
    return [_whole_run(run_name, of_run, judged) for run_name, of_run in parts.items()]


def _whole_run(name: str, parts: Sequence[_Part], judged: JudgedTopics) -> RunInFile:
    order, sizes, extra, documents, found = map(np.concatenate, zip(*parts, strict=True))
    ranks = np.zeros(len(judged.relevance), dtype=np.int64)
    ranks[documents] = found
    retrieved = np.zeros(len(judged.topics), dtype=np.int64)
    retrieved[order] = sizes
    return RunInFile(name, ranks, retrieved, order, dict.fromkeys(extra.tolist()), None)


def _found(whole: Whole, numbers: Ints, judged: JudgedTopics) -> tuple[Ints, Ints, Ints]:
    """Return the judged documents that were found, their topics in `whole`, and their ranks."""
    document, topic = judged.documents(numbers)
    doc_ids = whole.rows["doc_id"]
    wanted = keys_of(topic, judged.hashed[document])
    row, position = _matches(keys_of(whole.topic, hashes(doc_ids)), wanted)
    is_same = (doc_ids[row] == judged.doc_ids[document[position]]).to_numpy()
    row, position = row[is_same], position[is_same]
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
