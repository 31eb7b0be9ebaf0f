"""Warn about the runs in eager frames whose ids hardly ever match those of judged documents."""

from __future__ import annotations

import polars as pl

from pres_plugin.frames.inputs import CheckedFrames
from pres_plugin.frames.names import DOC, QUERY
from pres_plugin.ranking.unmatched import (
    UnmatchedIdsWarning,
    is_few,
    unmatched_documents,
    unmatched_topics,
    warn,
)


def warn_about_ids(frames: CheckedFrames, topics: pl.DataFrame, found: str) -> None:
    """Warn about each run that matches too few topics.

    `topics` has one row per run and topic, with null in the column `found` if no relevant document
    was retrieved.
    """
    *by, _ = frames.parts
    for run, of_run in topics.group_by(by, maintain_order=True) if by else [((), topics)]:
        if is_few(of_run[found].count(), of_run.height):
            rows = frames.run.to_native().filter(**dict(zip(by, run, strict=True)))
            warn(_problem(" ".join(["run", *map(str, run)]), rows, frames.qrels.to_native()))


def _problem(where: str, run: pl.DataFrame, qrels: pl.DataFrame) -> UnmatchedIdsWarning | None:
    judged = run.join(qrels, on=QUERY, how="semi")
    if judged.is_empty():
        return unmatched_topics(
            where, *(each[QUERY].unique().sort().to_list() for each in (run, qrels))
        )
    return unmatched_documents(
        where,
        judged[QUERY].unique(maintain_order=True).to_list(),
        set(run.join(qrels, on=[QUERY, DOC], how="semi")[QUERY]),
        lambda topic: run.filter(pl.col(QUERY) == topic)[DOC],
        lambda topic: qrels.filter(pl.col(QUERY) == topic)[DOC],
    )
