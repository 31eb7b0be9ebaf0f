"""Rank documents in trec_eval's order: by score, then by id, both descending."""

from __future__ import annotations

import narwhals.stable.v2 as nw

from pres_plugin.frames.engines.base import Frame
from pres_plugin.frames.inputs import CheckedFrames, Duplicates, retrieved_once
from pres_plugin.frames.names import DOC, QUERY, RANK, RELEVANCE


def judged_with_ranks(frames: CheckedFrames, judged_only: bool, duplicates: Duplicates) -> Frame:
    """Return the parts, DOC, RANK and RELEVANCE of each judged document that was retrieved.

    With `judged_only`, unjudged documents are dropped from the rankings before ranks are
    assigned.
    """
    run, qrels, parts, engine = frames.run, frames.qrels, frames.parts, frames.engine
    has_ranks = RANK in run.collect_schema()

    def checked(run: Frame) -> Frame:
        # Given ranks have been checked already.
        return retrieved_once(run, parts, engine) if duplicates == "error" else run

    if judged_only:
        # As in trec_eval, documents with negative relevance are unjudged.
        judged = qrels.filter(nw.col(RELEVANCE) >= 0)
        if has_ranks:
            run = run.join(judged, on=[QUERY, DOC], how="inner")
            return engine.with_count(run, RANK, parts, RANK)
        run = checked(run).join(judged, on=[QUERY, DOC], how="inner")
        return engine.with_ranks(run, parts)
    if not has_ranks:
        return engine.judged_with_ranks(run, parts, qrels, checked)
    return run.join(qrels, on=[QUERY, DOC], how="inner")
