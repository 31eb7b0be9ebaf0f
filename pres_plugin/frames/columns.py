"""Check the rows of a run and qrels, and name their columns by their roles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw

from pres_plugin.frames.engines import engine_of
from pres_plugin.frames.engines.base import Engine, Frame
from pres_plugin.frames.names import DOC, QUERY, RANK, RELEVANCE, SCORE, TOPIC_AND_DOCUMENT
from pres_plugin.frames.recognise import check_names, is_foreign, recognised
from pres_plugin.frames.repeated import judged_once
from pres_plugin.frames.roles import with_types
from pres_plugin.measures.parameters import LARGEST

# Scores from here on become infinite as 32-bit floats: half-way between the largest
# finite 32-bit float and 2¹²⁸.
_OVERFLOW = float(2**128 - 2**103)

# The range of 64-bit integers, to which relevance is converted.
_LEAST, _MOST = -(2**63), 2**63 - 1
_IN_64_BITS_OR_MORE = {nw.Int64, nw.UInt64, nw.Int128, nw.UInt128}


@dataclass(frozen=True)
class Columns:
    """The user's names for the columns."""

    query_id: str
    doc_id: str
    relevance: str
    #: The column of scores, or of ranks if `ranked` is true.
    order: str
    ranked: bool
    #: The columns that distinguish runs.
    by: tuple[str, ...]

    @property
    def parts(self) -> dict[str, str]:
        """Map our names to the user's, for the columns that distinguish rankings."""
        return {f"_by{i}": column for i, column in enumerate(self.by)} | {QUERY: self.query_id}

    @property
    def in_run(self) -> dict[str, str]:
        """Map our names to the user's, for the columns of a run."""
        return self.parts | {DOC: self.doc_id, (RANK if self.ranked else SCORE): self.order}

    @property
    def in_qrels(self) -> dict[str, str]:
        """Map our names to the user's, for the columns of qrels."""
        return {QUERY: self.query_id, DOC: self.doc_id, RELEVANCE: self.relevance}


@dataclass(frozen=True)
class Inputs:
    """A run and qrels whose columns are named by their roles."""

    #: The `parts`, DOC, and SCORE (32-bit float) or RANK (64-bit integer).
    run: Frame
    #: QUERY, DOC and RELEVANCE (64-bit integer).
    qrels: Frame
    #: The operations of the library that both frames belong to.
    engine: Engine
    #: The columns that distinguish rankings.
    parts: list[str]
    #: Turns the result into the kind of frame that the user passed.
    returned: Callable[[Frame], Any]


def checked(run: Any, qrels: Any, columns: Columns) -> Inputs:
    """Select the columns of a run and qrels, and check their types and values.

    The values in lazy frames are checked only when they are computed.
    """
    run_frame, qrels_frame = recognised(run, qrels)
    check_names(run_frame, "run", columns.in_run)
    check_names(qrels_frame, "qrels", columns.in_qrels)
    returned: Callable[[Frame], Any] = nw.to_native
    if is_foreign(run_frame):
        # Imported here, because it needs polars.
        from pres_plugin.frames.takeover import Takeover

        takeover = Takeover(run_frame.implementation)
        run_frame = takeover.taken(run_frame, "run", columns.in_run)
        qrels_frame = takeover.taken(qrels_frame, "qrels", columns.in_qrels)
        engine, returned = engine_of(run_frame), takeover.returned
    else:
        engine = engine_of(run_frame)
        run_frame = with_types(run_frame, "run", columns.in_run, engine)
        qrels_frame = with_types(qrels_frame, "qrels", columns.in_qrels, engine)
    if isinstance(run_frame, nw.LazyFrame) or isinstance(qrels_frame, nw.LazyFrame):
        run_frame, qrels_frame = run_frame.lazy(), qrels_frame.lazy()
    return Inputs(
        _run(run_frame, columns, engine),
        _qrels(qrels_frame, columns, engine),
        engine,
        list(columns.parts),
        returned,
    )


def _run(frame: Frame, columns: Columns, engine: Engine) -> Frame:
    order = RANK if columns.ranked else SCORE
    for name, column in columns.parts.items():
        frame = engine.guarded(
            frame, order, nw.col(name).is_null(), f"run: null in column '{_literal(column)}'"
        )
    frame = _with_documents(frame, order, columns.doc_id, "run", engine)
    frame = _with_ranks(frame, engine) if columns.ranked else _with_scores(frame, engine)
    schema = frame.collect_schema()
    texts = [name for name in (*columns.parts, DOC) if schema[name] == nw.String]
    return engine.exact_ids(frame, texts)


def _with_ranks(frame: Frame, engine: Engine) -> Frame:
    where = f"run: {TOPIC_AND_DOCUMENT}"
    rank = nw.col(RANK)
    frame = engine.guarded(frame, RANK, rank.is_null(), f"{where}: the rank is null")
    dtype = frame.collect_schema()[RANK]
    # Use bounds of the column's own type: only equal types are sure to be compared exactly.
    wrong = rank < nw.lit(1, dtype)
    if dtype in _IN_64_BITS_OR_MORE:
        wrong = wrong | (rank > nw.lit(LARGEST, dtype))
    problem = f"{where}: the rank is {{{RANK}}}; ranks are whole numbers from 1 to {LARGEST}"
    frame = engine.guarded(frame, RANK, wrong, problem)
    return frame.with_columns(rank.cast(nw.Int64))


def _with_scores(frame: Frame, engine: Engine) -> Frame:
    where = f"run: {TOPIC_AND_DOCUMENT}"
    score = nw.col(SCORE)
    if frame.collect_schema()[SCORE] != nw.Float32:
        frame = frame.with_columns(score.cast(nw.Float64))
    frame = engine.guarded(frame, SCORE, score.is_null(), f"{where}: the score is null or NaN")
    problem = f"{where}: the score is NaN, which has no order"
    frame = engine.guarded(frame, SCORE, score.is_nan(), problem)
    return frame.with_columns(_in_32_bits(score).alias(SCORE))


def _qrels(frame: Frame, columns: Columns, engine: Engine) -> Frame:
    problem = f"qrels: null in column '{_literal(columns.query_id)}'"
    frame = engine.guarded(frame, RELEVANCE, nw.col(QUERY).is_null(), problem)
    frame = _with_documents(frame, RELEVANCE, columns.doc_id, "qrels", engine)
    frame = _with_relevance(frame, engine)
    return judged_once(engine.exact_ids(frame, [QUERY, DOC]), engine)


def _with_relevance(frame: Frame, engine: Engine) -> Frame:
    where = f"qrels: {TOPIC_AND_DOCUMENT}"
    relevance = nw.col(RELEVANCE)
    frame = engine.guarded(frame, RELEVANCE, relevance.is_null(), f"{where}: the relevance is null")
    dtype = frame.collect_schema()[RELEVANCE]
    if dtype in _IN_64_BITS_OR_MORE and dtype != nw.Int64:
        wrong = relevance > nw.lit(_MOST, dtype)
        if dtype == nw.Int128:
            wrong = wrong | (relevance < nw.lit(_LEAST, dtype))
        problem = (
            f"{where}: the relevance is {{{RELEVANCE}}}; relevance is a whole number from "
            f"{_LEAST} to {_MOST}"
        )
        frame = engine.guarded(frame, RELEVANCE, wrong, problem)
    return frame.with_columns(relevance.cast(nw.Int64))


def _with_documents(frame: Frame, column: str, doc_id: str, what: str, engine: Engine) -> Frame:
    problem = (
        f"{what}: topic '{{{QUERY}}}' has a document without an id: "
        f"null in column '{_literal(doc_id)}'"
    )
    return engine.guarded(frame, column, nw.col(DOC).is_null(), problem)


def _literal(column: str) -> str:
    """Escape the braces in a column's name, since messages use braces for values."""
    return column.replace("{", "{{").replace("}", "}}")


def _in_32_bits(score: nw.Expr) -> nw.Expr:
    """Round to 32-bit floats like trec_eval; scores too large become infinite, and -0 becomes 0."""
    high = nw.when(score >= _OVERFLOW).then(nw.lit(float("inf"))).otherwise(score)
    score = nw.when(score <= -_OVERFLOW).then(nw.lit(float("-inf"))).otherwise(high)
    score = score.cast(nw.Float32)
    return nw.when(score == 0).then(nw.lit(0.0, nw.Float32)).otherwise(score)
