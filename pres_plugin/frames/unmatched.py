"""Warn about runs in eager frames whose ids hardly ever match those of judged documents."""

from __future__ import annotations

import polars as pl

from pres_plugin.frames.inputs import CheckedFrames
from pres_plugin.frames.names import DOC, QUERY
from pres_plugin.ranking.unmatched import is_few, unmatched_documents, unmatched_topics, warn


def warn_about_ids(frames: CheckedFrames, topics: pl.DataFrame, found: str) -> None:
    """Warn about each run that matches too few topics.

    `topics` has one row per run and topic, and null in the column `found` if no relevant document
    was retrieved.
    """
    *by, _ = frames.parts
    for key, of_run in topics.group_by(by, maintain_order=True) if by else [((), topics)]:
        if is_few(of_run[found].count(), of_run.height):
            _check(frames, dict(zip(by, key, strict=True)))


def _check(frames: CheckedFrames, run: dict[str, object]) -> None:
    rows = frames.run.to_native().filter(**run)
