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


def unmatched_in_rows(
    called: Mapping[str, str],
    batches: Callable[[], Iterable[pl.DataFrame]],
    judged: pl.DataFrame,
) -> dict[str, UnmatchedIdsWarning]:
    """Return the warning about each of some runs that matches too few topics.

    `called` maps each run to its name in messages. Each call of `batches` returns the rows of all
    runs again, with the columns `run`, `query_id` and `doc_id`. `judged` contains the judged
    documents, with the columns `query_id` and `doc_id`.
    """
    is_judged = judged.unique().with_columns(matched=True)
    found = [
        batch.filter(pl.col("run").is_in(list(called)))
        .join(is_judged, on=["query_id", "doc_id"], how="left")
        .group_by("run", "query_id", maintain_order=True)
        .agg(pl.col("matched").any())
        for batch in batches()
    ]
    topics = pl.concat(found).rows_by_key("run")
    judged_topics = dict.fromkeys(judged["query_id"])

    def documents(run: str, topic: str) -> Iterator[str]:
        for batch in batches():
            yield from batch.filter(run=run, query_id=topic)["doc_id"]

    problems = {}
    for run, where in called.items():
        matched = {topic for topic, is_matched in topics[run] if is_matched}
        of_run = dict.fromkeys(topic for topic, _ in topics[run])
        problems[run] = unmatched_topics(where, of_run, judged_topics) or unmatched_documents(
            where,
            [topic for topic in of_run if topic in judged_topics],
            matched,
            partial(documents, run),
            lambda topic: judged.filter(query_id=topic)["doc_id"],
        )
    return {run: problem for run, problem in problems.items() if problem}
