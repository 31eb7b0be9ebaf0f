"""Find documents that occur twice in a ranking, and ranks that two documents share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import narwhals.stable.v2 as nw

from pres_plugin.frames.engines.base import Engine, Frame
from pres_plugin.frames.names import DOC, QUERY, RANK, RELEVANCE, SCORE, TOPIC_AND_DOCUMENT

#: What to do about a document that occurs twice in a ranking.
Duplicates = Literal["error", "highest"]

_RETRIEVED_TWICE = (
    f"run: {TOPIC_AND_DOCUMENT}: retrieved twice; if the frame contains several runs, pass the "
    "column that distinguishes them as by=; otherwise keep the best rank of each document with "
    "duplicates='highest'"
)
_SAME_RANK = (
    f"run: {TOPIC_AND_DOCUMENT}: another document also has rank {{{RANK}}}; if the frame contains "
    "several runs, pass the column that distinguishes them as by=; otherwise give each document "
    "of a topic its own rank"
)


def retrieved_once(run: Frame, column: str, parts: Sequence[str], engine: Engine) -> Frame:
    """Raise if a ranking repeats a document; for lazy frames, when `column` is computed."""
    return engine.once(run, column, [*parts, DOC], _RETRIEVED_TWICE)


def ranked_once(run: Frame, parts: Sequence[str], duplicates: Duplicates, engine: Engine) -> Frame:
    """Return a run with ranks in which no ranking repeats a document or a rank.

    Unjudged documents are checked too, because a repeated rank makes the other ranks
    doubtful. Lazy frames raise when RANK is computed.
    """
    if duplicates == "highest":
        # Drop repeated rows first: the same document may be repeated with the same rank.
        run = run.group_by(*parts, DOC, RANK).agg(nw.len().alias("_times")).drop("_times")
        return highest(engine.once(run, RANK, [*parts, RANK], _SAME_RANK), parts)
    run = retrieved_once(run, RANK, parts, engine)
    return engine.once(run, RANK, [*parts, RANK], _SAME_RANK)


def judged_once(qrels: Frame, engine: Engine) -> Frame:
    """Raise if a topic has two judgements for the same document."""
    problem = f"qrels: {TOPIC_AND_DOCUMENT}: judged twice"
    return engine.once(qrels, RELEVANCE, [QUERY, DOC], problem)


def highest(run: Frame, parts: Sequence[str]) -> Frame:
    """Keep only the highest-ranked row of each document in a ranking."""
    order = nw.col(RANK).min() if RANK in run.collect_schema() else nw.col(SCORE).max()
    return run.group_by(*parts, DOC).agg(order)
