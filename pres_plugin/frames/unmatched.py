"""Warn about the runs in eager frames whose ids hardly ever match those of judged documents."""

from __future__ import annotations

import polars as pl

from pres_plugin.frames.inputs import CheckedFrames
from pres_plugin.frames.names import DOC, QUERY
from pres_plugin.ranking.unmatched import is_few, warn
from pres_plugin.ranking.unmatched_rows import unmatched_in_rows


def warn_about_ids(frames: CheckedFrames, topics: pl.DataFrame, found: str) -> None:
    """Warn about each run that matches too few topics.

    `topics` has one row per run and topic, with null in the column `found` if no relevant document
    was retrieved.
    """
    *by, _ = frames.parts
    ids = {"query_id": QUERY, "doc_id": DOC}
    qrels = frames.qrels.to_native().select(**ids)
    for run, of_run in topics.group_by(by, maintain_order=True) if by else [((), topics)]:
        if is_few(of_run[found].count(), of_run.height):
            where = " ".join(["run", *map(str, run)])
            rows = frames.run.to_native().filter(**dict(zip(by, run, strict=True)))
            rows = rows.select(run=pl.lit(where), **ids)
            for problem in unmatched_in_rows({where: where}, [rows].copy, qrels).values():
                warn(problem)
