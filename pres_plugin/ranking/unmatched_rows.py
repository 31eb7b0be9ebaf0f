"""Find out whether the ids of runs in tables of many rows match those of any judged documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

import polars as pl

from pres_plugin.ranking.unmatched import (
    UnmatchedIdsWarning,
    unmatched_documents,
    unmatched_topics,
)

_Batches = Callable[[], Iterable[pl.DataFrame]]


def unmatched_in_rows(
    called: Mapping[str, str], batches: _Batches, judged: pl.DataFrame
) -> dict[str, UnmatchedIdsWarning]:
    """Return the warning about each of some runs that matches too few topics.

    `called` contains how messages refer to each run. `batches` returns the rows of all runs, as
    often as it is called: `run`, `query_id` and `doc_id`. `judged` has the last two of these.
    """
    is_judged = judged.unique().with_columns(matched=True)
    topic = ["run", "query_id"]
    found = [
        batch.filter(pl.col("run").is_in(list(called)))
        .join(is_judged, on=["query_id", "doc_id"], how="left")
        .group_by(topic, maintain_order=True)
        .agg(pl.col("matched").any())
        for batch in batches()
    ]
    topics = pl.concat(found).group_by(topic, maintain_order=True).agg(pl.col("matched").any())
    topics_of = topics.rows_by_key("run")
    judged_topics = dict.fromkeys(judged["query_id"])
    problems = {}
    for run, where in called.items():
        of_run = dict(topics_of[run])
        shared = [each for each in of_run if each in judged_topics]
        problems[run] = unmatched_topics(where, of_run, judged_topics) or unmatched_documents(
            where,
            shared,
            [each for each in shared if of_run[each]],
            partial(_documents, batches, run),
            lambda topic: judged.filter(query_id=topic)["doc_id"],
        )
    return {run: problem for run, problem in problems.items() if problem}


def _documents(batches: _Batches, run: str, topic: str) -> Iterator[str]:
    """Yield a topic's documents, up to a batch of rows without it."""
    is_found = False
    for batch in batches():
        rows = batch.filter(run=run, query_id=topic)
        yield from rows["doc_id"]
        if is_found and rows.is_empty():
            return
        is_found = not rows.is_empty()
