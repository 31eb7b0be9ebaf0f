"""Documents, or ranks, that a ranking holds twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import narwhals.stable.v2 as nw

from pres_plugin.frames.engines import Engine, Frame
from pres_plugin.frames.names import DOC, QUERY, RANK, RELEVANCE, SCORE

__all__ = ["Duplicates", "highest", "judged_once", "ranked_once", "retrieved_once"]

#: What to do about a document that a ranking holds twice.
Duplicates = Literal["error", "highest"]

_TOPIC_AND_DOCUMENT = f"topic '{{{QUERY}}}', document '{{{DOC}}}'"


def retrieved_once(run: Frame, column: str, parts: Sequence[str], engine: Engine) -> Frame:
    """Fail where a ranking holds a document twice, in `column` if it is lazy."""
    problem = (
        f"run: {_TOPIC_AND_DOCUMENT}: retrieved twice; if the frame holds several runs, name the "
        "column that tells them apart with by=, else keep the best of each document with "
        "duplicates='highest'"
    )
    return _once(run, column, parts, DOC, problem, engine)


def ranked_once(run: Frame, parts: Sequence[str], engine: Engine) -> Frame:
    """Fail where two documents of a ranking have the same rank."""
    problem = f"run: {_TOPIC_AND_DOCUMENT}: another document has rank {{{RANK}}} too"
    return _once(run, RANK, parts, RANK, problem, engine)


def judged_once(qrels: Frame, engine: Engine) -> Frame:
    """Fail where a topic has two judgements of a document."""
    problem = f"qrels: {_TOPIC_AND_DOCUMENT}: judged twice"
    return _once(qrels, RELEVANCE, [QUERY], DOC, problem, engine)


def highest(run: Frame, parts: Sequence[str]) -> Frame:
    """Of a document that a ranking holds twice, the one ranked higher."""
    order = nw.col(RANK).min() if RANK in run.collect_schema() else nw.col(SCORE).max()
    return run.group_by(*parts, DOC).agg(order)


def _once(
    frame: Frame, column: str, parts: Sequence[str], what: str, problem: str, engine: Engine
) -> Frame:
    if isinstance(frame, nw.DataFrame) and not _any_twice(frame, parts, what):
        return frame
    frame = engine.with_size(frame, "_times", [*parts, what])
    return engine.guarded(frame, column, nw.col("_times") > 1, problem).drop("_times")


def _any_twice(frame: nw.DataFrame[Frame], parts: Sequence[str], what: str) -> bool:
    # Counting is several times as fast as finding them, and mostly all there is to do.
    counts = frame.group_by(*parts).agg(nw.len().alias("_rows"), nw.col(what).n_unique())
    return bool((counts["_rows"] > counts[what]).any())
