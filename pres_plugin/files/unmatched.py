"""Find out whether the ids of the runs in a file match those of any judged documents."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial
from threading import Event

import polars as pl

from pres_plugin.formats.sets import FileSet
from pres_plugin.ranking.unmatched import UnmatchedIdsWarning, unmatched_documents

_TOPIC = ["run", "query_id"]


def unmatched_in_file(
    qrels: FileSet, runs: FileSet, names: Collection[str], stop: Event
) -> dict[str, UnmatchedIdsWarning]:
    """Return the warning about each run of these names that matches too few topics.

    The file is read in batches, because it may be larger than memory.
    """
    judged = pl.concat(qrels.documents()).drop("run")
    topics, matched = [], []
    for batch in runs.documents(stop):
        rows = batch.filter(pl.col("run").is_in(names)).join(judged, on="query_id", how="semi")
        topics.append(rows.select(_TOPIC).unique(maintain_order=True))
        rows = rows.join(judged, on=["query_id", "doc_id"], how="semi")
        matched.append(rows.select(_TOPIC).unique())
    if stop.is_set():
        return {}
    topics_of, matched_of = (
        pl.concat(found).unique(maintain_order=True).rows_by_key("run")
        for found in (topics, matched)
    )
    problems = {
        name: unmatched_documents(
            runs.called(name),
            [topic for (topic,) in topics_of[name]],
            {topic for (topic,) in matched_of[name]},
            partial(_documents, runs, name),
            lambda topic: judged.filter(query_id=topic)["doc_id"],
        )
        for name in names
    }
    return {name: problem for name, problem in problems.items() if problem}


def _documents(runs: FileSet, name: str, topic: str) -> Iterator[str]:
    """Yield a topic's documents, up to a batch of rows without it."""
    is_found = False
    for batch in runs.documents():
        rows = batch.filter(run=name, query_id=topic)
        yield from rows["doc_id"]
        if is_found and rows.is_empty():
            return
        is_found = not rows.is_empty()
