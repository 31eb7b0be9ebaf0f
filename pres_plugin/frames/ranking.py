"""The rank of each document, in trec_eval's order: by score, then by id, both descending."""

from __future__ import annotations

from collections.abc import Sequence

import narwhals.stable.v2 as nw

from pres_plugin.frames.columns import Inputs
from pres_plugin.frames.engines import Engine, Frame, engine_of
from pres_plugin.frames.names import DOC, QUERY, RANK, RELEVANCE, SCORE, SIZE
from pres_plugin.frames.repeated import Duplicates, retrieved_once

__all__ = ["ranked", "with_ranks"]

_COUNT = "_count"


def with_ranks(run: Frame, partition: Sequence[str], engine: Engine | None = None) -> Frame:
    """Add the rank of each document of a run.

    Parameters
    ----------
    run : narwhals DataFrame or LazyFrame
        A run with SCORE (32-bit floats, neither NaN nor null), DOC and `partition`.
    partition : sequence of str
        The columns that distinguish rankings.
    engine : Engine, optional
        The engine of the run's library; determined from `run` by default.

    Returns
    -------
    narwhals DataFrame or LazyFrame
        The run with a column RANK, which starts at 1. The order of the rows may change.
    """
    # Count in ascending order and subtract, so that no library has to sort strings descending.
    engine = engine or engine_of(run)
    counted = engine.with_count(run, _COUNT, partition, [SCORE, DOC])
    counted = engine.with_size(counted, SIZE, partition)
    return counted.with_columns((nw.col(SIZE) - nw.col(_COUNT) + 1).alias(RANK)).drop(_COUNT, SIZE)


def ranked(inputs: Inputs, judged_only: bool, duplicates: Duplicates) -> Frame:
    """Return the rank of each document, with each document once per ranking.

    Parameters
    ----------
    inputs : Inputs
        The run and qrels. If the run has ranks, it comes from :func:`.repeated.ranked_once`.
    judged_only : bool
        Whether to drop unjudged documents and renumber the rest.
    duplicates : {'error', 'highest'}
        What to do about a document that occurs twice in a ranking.

    Returns
    -------
    narwhals DataFrame or LazyFrame
        The parts, DOC and RANK.
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
        run = with_ranks(_only_judged(run, inputs), parts, engine)
    else:
        run = with_ranks(run, parts, engine)
        if duplicates == "error":
            # Check after ranking: distributed engines have brought the rows of each ranking
            # together by then, and need not do it again.
            run = retrieved_once(run, RANK, parts, engine)
    return run.select(*parts, DOC, RANK)


def _only_judged(run: Frame, inputs: Inputs) -> Frame:
    # As in trec_eval, documents with negative relevance are unjudged.
    judged = inputs.qrels.filter(nw.col(RELEVANCE) >= 0).select(QUERY, DOC)
    return run.join(judged, on=[QUERY, DOC], how="inner")
