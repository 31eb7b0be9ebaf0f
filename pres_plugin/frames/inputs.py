"""Check the run and the qrels that the user passes, and name their columns by their roles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import narwhals.stable.v2 as nw
from narwhals.exceptions import DuplicateError

from pres_plugin.frames.columns import ColumnNames, find_columns, repeated_name, with_types
from pres_plugin.frames.engines import cannot_rank, engine_of
from pres_plugin.frames.engines.base import Engine, Frame
from pres_plugin.frames.names import DOC, QUERY, RANK, RELEVANCE, SCORE
from pres_plugin.measures.parameters import LARGEST, LARGEST_IN_FLOATS
from pres_plugin.ranking.given import RUN_ON, run_on

#: What to do about a document that occurs twice in a ranking.
Duplicates = Literal["error", "highest"]

# How messages name a row; `Engine.guarded` replaces the columns in braces by the row's values.
_ROW = f"topic '{{{QUERY}}}', document '{{{DOC}}}'"
_SEVERAL_RUNS = "if the frame contains several runs, pass the column that distinguishes them as by="

# Messages for nulls; those in other columns are named by the column.
_NULL = {
    DOC: f"topic '{{{QUERY}}}' has a document without an id: null in column '{{column}}'",
    SCORE: f"{_ROW}: the score is null or NaN",
    RANK: f"{_ROW}: the rank is null",
    RELEVANCE: f"{_ROW}: the relevance is null",
}

# Scores from here on become infinite as 32-bit floats: half-way between the largest
# finite 32-bit float and 2¹²⁸.
_OVERFLOW = float(2**128 - 2**103)

# The values of integer types; all others have fewer.
_RANGES = {
    nw.Int64: (-(2**63), 2**63 - 1),
    nw.UInt64: (0, 2**64 - 1),
    nw.Int128: (-(2**127), 2**127 - 1),
    nw.UInt128: (0, 2**128 - 1),
}
_OF_OTHERS = (-(2**31), 2**32 - 1)


@dataclass(frozen=True)
class CheckedFrames:
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


def checked(run: Any, qrels: Any, columns: ColumnNames, duplicates: Duplicates) -> CheckedFrames:
    """Select the columns of a run and qrels, and check their types and values.

    The values in lazy frames are checked only when they are computed. Documents with scores may
    still be repeated, unless `duplicates` is "highest".
    """
    run_frame, qrels_frame = _frame(run, "run"), _frame(qrels, "qrels")
    _check_libraries(run_frame, qrels_frame)
    engine = engine_of(run_frame)
    engine.check(run_frame)
    engine.check(qrels_frame)
    in_run = find_columns(run_frame, "run", columns.in_run, engine)
    in_qrels = find_columns(qrels_frame, "qrels", columns.in_qrels, engine)
    returned: Callable[[Frame], Any] = nw.to_native
    if isinstance(run_frame, nw.DataFrame) and not run_frame.implementation.is_polars():
        # Imported here, because it needs polars.
        from pres_plugin.frames.takeover import given_back, taken

        returned = partial(given_back, run_frame, qrels_frame, columns)
        run_frame = taken(run_frame, "run", in_run)
        qrels_frame = taken(qrels_frame, "qrels", in_qrels)
    else:
        run_frame = engine.select(run_frame, in_run)
        qrels_frame = engine.select(qrels_frame, in_qrels)
    run_frame = with_types(run_frame, "run", columns.in_run, engine)
    qrels_frame = with_types(qrels_frame, "qrels", columns.in_qrels, engine)
    if isinstance(run_frame, nw.LazyFrame) or isinstance(qrels_frame, nw.LazyFrame):
        run_frame, qrels_frame = run_frame.lazy(), qrels_frame.lazy()
    return CheckedFrames(
        _checked_run(run_frame, columns, duplicates, engine),
        _checked_qrels(qrels_frame, columns, engine),
        engine,
        list(columns.parts),
        returned,
    )


def _frame(native: Any, what: str) -> Frame:
    if type(native).__module__.startswith("dask"):
        # Without this check, narwhals would ask for a newer Dask, which is not supported either.
        raise cannot_rank("dask")
    try:
        return nw.from_native(native)
    except DuplicateError:
        names = native.column_names if hasattr(native, "column_names") else native.columns
        raise repeated_name(what, list(names)) from None
    except TypeError:
        raise TypeError(
            f"{what}: {type(native).__name__} is not a dataframe of pandas, polars, PyArrow, "
            "DuckDB, Spark or Ibis"
        ) from None


def _check_libraries(run: Frame, qrels: Frame) -> None:
    kinds = [frame.implementation.value for frame in (run, qrels)]
    if kinds[0] != kinds[1]:
        both_spark = all(kind.startswith("pyspark") for kind in kinds)
        remedy = (
            "read both with the same session"
            if both_spark
            else "convert one to the other's library"
        )
        raise TypeError(f"run is a {kinds[0]} frame and qrels is a {kinds[1]} frame; {remedy}")


def _checked_run(run: Frame, columns: ColumnNames, duplicates: Duplicates, engine: Engine) -> Frame:
    schema = run.collect_schema()
    run = engine.exact_ids(run, [name for name in columns.in_run if schema[name] == nw.String])
    if columns.ranked:
        run = _without_nulls(run, "run", columns.in_run, engine)
        run = _whole_numbers(
            run, RANK, f"run: {_ROW}: the rank", "ranks are whole numbers", 0, LARGEST, engine
        )
        run = _from_one(run, columns, engine)
    else:
        score = nw.col(SCORE)
        run = run.with_columns(score.cast(nw.Float64))
        run = _without_nulls(run, "run", columns.in_run, engine)
        problem = f"run: {_ROW}: the score is NaN, which has no order"
        run = engine.guarded(run, SCORE, score.is_nan(), problem)
        run = run.with_columns(_in_32_bits(score).alias(SCORE))
    return _without_repetitions(run, list(columns.parts), columns.ranked, duplicates, engine)


def _checked_qrels(qrels: Frame, columns: ColumnNames, engine: Engine) -> Frame:
    qrels = _without_nulls(engine.exact_ids(qrels, [QUERY, DOC]), "qrels", columns.in_qrels, engine)
    where = f"qrels: {_ROW}: the relevance"
    qrels = _whole_numbers(
        qrels, RELEVANCE, where, "relevance is a whole number", *_RANGES[nw.Int64], engine
    )
    return engine.once(qrels, RELEVANCE, [QUERY, DOC], f"qrels: {_ROW}: judged twice")


def _without_nulls(frame: Frame, what: str, columns: dict[str, str], engine: Engine) -> Frame:
    """Raise if a column contains null; for lazy frames, when the last of them is computed."""
    *_, last = columns
    for name, column in columns.items():
        # Braces in a column's name are escaped, since messages use braces for values.
        literal = column.replace("{", "{{").replace("}", "}}")
        problem = _NULL.get(name, "null in column '{column}'").replace("{column}", literal)
        frame = engine.guarded(frame, last, nw.col(name).is_null(), f"{what}: {problem}")
    return frame


def _whole_numbers(
    frame: Frame, name: str, where: str, they: str, least: int, most: int, engine: Engine
) -> Frame:
    """Raise if a number is not between these bounds, and convert all to 64-bit integers."""
    number, dtype = nw.col(name), frame.collect_schema()[name]
    lowest, highest = _RANGES.get(dtype, _OF_OTHERS)
    # Use bounds of the column's own type: only equal types are sure to be compared exactly.
    wrong = []
    if not dtype.is_integer():
        # pandas turns whole numbers into floats if one is missing.
        least, most = max(least, -LARGEST_IN_FLOATS), min(most, LARGEST_IN_FLOATS)
        lowest, highest = least - 1, most + 1
        wrong.append((number % 1 != 0).fill_null(False))
    if lowest < least:
        wrong.append(number < nw.lit(least, dtype))
    if highest > most:
        wrong.append(number > nw.lit(most, dtype))
    if wrong:
        problem = f"{where} is {{{name}}}; {they} from {least} to {most}"
        frame = engine.guarded(frame, name, nw.any_horizontal(*wrong, ignore_nulls=True), problem)
    return frame.with_columns(number.cast(nw.Int64))


def _from_one(run: Frame, columns: ColumnNames, engine: Engine) -> Frame:
    """Count all ranks from 1, also those of a run whose lowest rank is 0.

    Raise if the ranks run on from topic to topic; for lazy frames, when ranks are computed.
    """
    # A run without `by` needs a column to group by.
    by = [name for name in columns.parts if name != QUERY] or ["_run"]
    if not columns.by:
        run = run.with_columns(nw.lit(0).alias("_run"))
    rank = nw.col(RANK)
    topics = run.group_by(*by, QUERY).agg(
        rank.min().alias("_first"), rank.max().alias("_last"), nw.len().alias("_n"),
        rank.sum().alias("_sum"),
    )  # fmt: skip
    runs = topics.with_columns(_span=nw.col("_last") - nw.col("_first") + 1).group_by(*by).agg(
        nw.col("_first").min(), nw.col("_last").max(), nw.col("_n", "_span", "_sum").sum(),
        nw.len().alias("_topics"),
    )  # fmt: skip
    about = map(nw.col, ("_topics", "_n", "_span", "_first", "_last", "_sum"))
    runs = engine.guarded(runs, "_first", run_on(*about), f"run: {RUN_ON}")
    run = run.join(runs.select(*by, "_first"), on=by, how="inner")
    shift = nw.when(nw.col("_first") == 0).then(1).otherwise(0)
    return run.select(*columns.parts, DOC, **{RANK: rank + shift})


def _in_32_bits(score: nw.Expr) -> nw.Expr:
    """Round to 32-bit floats like trec_eval; scores too large become infinite, and -0 becomes 0."""
    high = nw.when(score >= _OVERFLOW).then(nw.lit(float("inf"))).otherwise(score)
    score = nw.when(score <= -_OVERFLOW).then(nw.lit(float("-inf"))).otherwise(high)
    score = score.cast(nw.Float32)
    return nw.when(score == 0).then(nw.lit(0.0, nw.Float32)).otherwise(score)


def _without_repetitions(
    run: Frame, parts: list[str], ranked: bool, duplicates: Duplicates, engine: Engine
) -> Frame:
    """Keep the highest-ranked row of each document, if asked for, and check given ranks.

    Unjudged documents are checked too, because a repeated rank makes the other ranks
    doubtful.
    """
    same_rank = (
        f"run: {_ROW}: another document also has rank {{{RANK}}}; {_SEVERAL_RUNS}; otherwise give "
        "each document of a topic its own rank"
    )
    if ranked:
        if duplicates == "error":
            run = retrieved_once(run, parts, engine)
        else:
            # Drop repeated rows first: the same document may be repeated with the same rank.
            run = run.group_by(*parts, DOC, RANK).agg(nw.len().alias("_times")).drop("_times")
            run = engine.with_count(run, "_position", parts, RANK)
        run = engine.once(run, RANK, [*parts, RANK], same_rank)
    if duplicates == "error":
        return run
    if not ranked:
        return run.group_by(*parts, DOC).agg(nw.col(SCORE).max())
    run = run.group_by(*parts, DOC).agg(nw.col(RANK, "_position").min())
    run = engine.with_count(run, "_now", parts, RANK)
    # Ranks close up where rows are dropped, but not where documents were left out.
    return run.select(*parts, DOC, **{RANK: nw.col(RANK) + nw.col("_now") - nw.col("_position")})


def retrieved_once(run: Frame, parts: Sequence[str], engine: Engine) -> Frame:
    """Raise if a ranking repeats a document; for lazy frames, when the order is computed."""
    problem = (
        f"run: {_ROW}: retrieved twice; {_SEVERAL_RUNS}; otherwise keep the best rank of each "
        "document with duplicates='highest'"
    )
    order = RANK if RANK in run.collect_schema() else SCORE
    return engine.once(run, order, [*parts, DOC], problem)
