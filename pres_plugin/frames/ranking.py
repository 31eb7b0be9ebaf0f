"""Rank documents in trec_eval's order: by score, then by id, both descending."""

from __future__ import annotations

import narwhals.stable.v2 as nw

from pres_plugin.frames.columns import Inputs
from pres_plugin.frames.engines.base import Frame
from pres_plugin.frames.names import DOC, QUERY, RANK, RELEVANCE, SCORE
from pres_plugin.frames.repeated import Duplicates, retrieved_once

_COUNT = "_count"


def ranked(inputs: Inputs, judged_only: bool, duplicates: Duplicates) -> Frame:
    """Return the parts, DOC and RANK of each document, once per ranking.

    With `judged_only`, unjudged documents are dropped and the rest renumbered. A run
    that already has ranks must come from :func:`.repeated.ranked_once`.
    """
    run, parts, engine = inputs.run, inputs.parts, inputs.engine
    if RANK in run.collect_schema():
        if judged_only:
            run = _only_judged(run, inputs)
        if judged_only or duplicates == "highest":
            run = engine.with_count(run, _COUNT, parts, [RANK])
            run = run.with_columns(nw.col(_COUNT).alias(RANK))
    elif judged_only:
        if duplicates == "error":
            run = retrieved_once(run, SCORE, parts, engine)
        run = engine.with_ranks(_only_judged(run, inputs), parts)
    else:
        # Drop the scores before the check, which then has fewer columns to keep.
        run = engine.with_ranks(run, parts).select(*parts, DOC, RANK)
        if duplicates == "error":
            # Check after ranking: a distributed engine has then already brought the rows of
            # each ranking together, and does not move them again.
            run = retrieved_once(run, RANK, parts, engine)
    return run.select(*parts, DOC, RANK)


def _only_judged(run: Frame, inputs: Inputs) -> Frame:
    # As in trec_eval, documents with negative relevance are unjudged.
    judged = inputs.qrels.filter(nw.col(RELEVANCE) >= 0).select(QUERY, DOC)
    return run.join(judged, on=[QUERY, DOC], how="inner")
