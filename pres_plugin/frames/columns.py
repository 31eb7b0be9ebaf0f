"""The user's frames as scoring takes them: columns found, checked, and named by their roles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw

from pres_plugin.frames.engines import Engine, Frame, cannot_rank, engine_of
from pres_plugin.frames.errors import FrameError
from pres_plugin.frames.names import DOC, QUERY, RANK, RELEVANCE, SCORE
from pres_plugin.frames.repeated import judged_once

__all__ = ["Columns", "Inputs", "taken_in"]

# From here on, 32-bit floats are infinite: half-way between the largest and the next.
_OVERFLOW = float(2**128 - 2**103)


@dataclass(frozen=True)
class Columns:
    """What the user's columns are called.

    Attributes
    ----------
    query_id, doc_id, relevance : str
    order : str
        The column of scores or of ranks.
    ranked : bool
        Whether it is of ranks.
    by : tuple of str
        What tells apart the runs in a frame.
    """

    query_id: str
    doc_id: str
    relevance: str
    order: str
    ranked: bool
    by: tuple[str, ...]

    @property
    def parts(self) -> list[str]:
        """What tells apart one ranking from another, as the columns are called inside."""
        return [*(f"_by{i}" for i in range(len(self.by))), QUERY]


@dataclass(frozen=True)
class Inputs:
    """A run and qrels, with columns named by their roles.

    Attributes
    ----------
    run : narwhals DataFrame or LazyFrame
        The `parts`, DOC, and SCORE (32-bit float) or RANK.
    qrels : narwhals DataFrame or LazyFrame
        QUERY, DOC and RELEVANCE.
    engine : Engine
        What does their work.
    parts : list of str
        The columns that tell apart one ranking from another.
    """

    run: Frame
    qrels: Frame
    engine: Engine
    parts: list[str]


def taken_in(run: Any, qrels: Any, columns: Columns) -> Inputs:
    """Find the columns of a run and qrels, and check what can be checked row by row.

    Raises
    ------
    TypeError
        If one is not a dataframe, they are of two libraries, or of one that cannot be scored.
    FrameError
        If a column is missing or of the wrong type; and, of eager frames, if an
        id, score or relevance is missing or cannot be.
    """
    run_frame, qrels_frame = _same_library(_frame(run, "run"), _frame(qrels, "qrels"))
    engine = engine_of(run_frame)
    engine.check(run_frame)
    return Inputs(
        _run(run_frame, columns, engine),
        _qrels(qrels_frame, columns, engine),
        engine,
        columns.parts,
    )


def _frame(native: Any, what: str) -> Frame:
    if type(native).__module__.startswith("dask"):
        # Before narwhals says how to have it take them.
        raise cannot_rank("dask")
    try:
        return nw.from_native(native)
    except TypeError:
        raise TypeError(
            f"{what}: {type(native).__name__} is no dataframe of pandas, polars, PyArrow, DuckDB, "
            "Spark or Ibis"
        ) from None


def _same_library(run: Frame, qrels: Frame) -> tuple[Frame, Frame]:
    if run.implementation is not qrels.implementation:
        raise TypeError(
            f"run is a frame of {run.implementation.value}, qrels of "
            f"{qrels.implementation.value}; make both frames of the same library"
        )
    if isinstance(run, nw.LazyFrame) or isinstance(qrels, nw.LazyFrame):
        return run.lazy(), qrels.lazy()
    return run, qrels


def _run(frame: Frame, columns: Columns, engine: Engine) -> Frame:
    schema = _checked_schema(
        frame, "run", [*columns.by, columns.query_id, columns.doc_id, columns.order]
    )
    order = RANK if columns.ranked else SCORE
    names = [*columns.parts, DOC]
    frame = frame.select(
        *(
            _readable(schema, column).alias(name)
            for column, name in zip(columns.by, columns.parts[:-1], strict=True)
        ),
        _id(schema, columns.query_id, "run").alias(QUERY),
        _id(schema, columns.doc_id, "run").alias(DOC),
        _order(schema, columns).alias(order),
    )
    for name, column in zip(columns.parts, [*columns.by, columns.query_id], strict=True):
        frame = engine.guarded(
            frame, order, nw.col(name).is_null(), f"run: null in column '{_literal(column)}'"
        )
    frame = _with_documents(frame, order, columns.doc_id, "run", engine)
    where = f"run: topic '{{{QUERY}}}', document '{{{DOC}}}'"
    wrong = nw.col(order).is_null()
    if columns.ranked:
        frame = engine.guarded(frame, order, wrong, f"{where}: the rank is null")
        frame = engine.guarded(
            frame,
            order,
            nw.col(order) < 1,
            f"{where}: the rank is {{{order}}}; ranks are counted from 1",
        )
    else:
        frame = engine.guarded(frame, order, wrong, f"{where}: the score is null or NaN")
        frame = engine.guarded(
            frame, order, nw.col(order).is_nan(), f"{where}: the score is NaN, which has no order"
        )
        frame = frame.with_columns(_in_32_bits(nw.col(order)).alias(order))
    return engine.exact_ids(frame, [name for name in names if _is_text(frame, name)])


def _is_text(frame: Frame, name: str) -> bool:
    return bool(frame.collect_schema()[name] == nw.String)


def _qrels(frame: Frame, columns: Columns, engine: Engine) -> Frame:
    schema = _checked_schema(frame, "qrels", [columns.query_id, columns.doc_id, columns.relevance])
    if not schema[columns.relevance].is_integer():
        raise FrameError(
            f"qrels: column '{columns.relevance}' holds {schema[columns.relevance]}; "
            "relevance is a whole number"
        )
    frame = frame.select(
        _id(schema, columns.query_id, "qrels").alias(QUERY),
        _id(schema, columns.doc_id, "qrels").alias(DOC),
        nw.col(columns.relevance).cast(nw.Int64).alias(RELEVANCE),
    )
    frame = engine.guarded(
        frame,
        RELEVANCE,
        nw.col(QUERY).is_null(),
        f"qrels: null in column '{_literal(columns.query_id)}'",
    )
    frame = _with_documents(frame, RELEVANCE, columns.doc_id, "qrels", engine)
    frame = engine.guarded(
        frame,
        RELEVANCE,
        nw.col(RELEVANCE).is_null(),
        f"qrels: topic '{{{QUERY}}}', document '{{{DOC}}}': the relevance is null",
    )
    return judged_once(engine.exact_ids(frame, [QUERY, DOC]), engine)


def _with_documents(frame: Frame, column: str, doc_id: str, what: str, engine: Engine) -> Frame:
    problem = (
        f"{what}: topic '{{{QUERY}}}' has a document without an id: "
        f"null in column '{_literal(doc_id)}'"
    )
    return engine.guarded(frame, column, nw.col(DOC).is_null(), problem)


def _literal(column: str) -> str:
    """The name of a column for problems, where braces are around what stands in a row."""
    return column.replace("{", "{{").replace("}", "}}")


def _checked_schema(frame: Frame, what: str, wanted: Sequence[str]) -> nw.Schema:
    schema: nw.Schema = frame.collect_schema()
    for column in wanted:
        if column not in schema:
            raise FrameError(
                f"{what}: there is no column '{column}'; it has {', '.join(schema) or 'none'}"
            )
    return schema


def _id(schema: nw.Schema, column: str, what: str) -> nw.Expr:
    dtype = schema[column]
    if not isinstance(dtype, nw.String | nw.Categorical | nw.Enum):
        raise FrameError(
            f"{what}: column '{column}' holds {dtype}; ids are strings, "
            "as trec_eval and ir-measures have them"
        )
    return _readable(schema, column)


def _readable(schema: nw.Schema, column: str) -> nw.Expr:
    """The column, as text where its values are numbered."""
    numbered = isinstance(schema[column], nw.Categorical | nw.Enum)
    return nw.col(column).cast(nw.String) if numbered else nw.col(column)


def _order(schema: nw.Schema, columns: Columns) -> nw.Expr:
    dtype, column = schema[columns.order], nw.col(columns.order)
    if columns.ranked:
        if not dtype.is_integer():
            raise FrameError(
                f"run: column '{columns.order}' holds {dtype}; ranks are whole numbers from 1"
            )
        return column.cast(nw.Int64)
    if not dtype.is_numeric():
        raise FrameError(f"run: column '{columns.order}' holds {dtype}; scores are numbers")
    return column if dtype == nw.Float32 else column.cast(nw.Float64)


def _in_32_bits(score: nw.Expr) -> nw.Expr:
    """As trec_eval compares scores: what is too large is infinite, and -0 is 0."""
    high = nw.when(score >= _OVERFLOW).then(nw.lit(float("inf"))).otherwise(score)
    score = nw.when(score <= -_OVERFLOW).then(nw.lit(float("-inf"))).otherwise(high)
    score = score.cast(nw.Float32)
    return nw.when(score == 0).then(nw.lit(0.0, nw.Float32)).otherwise(score)
