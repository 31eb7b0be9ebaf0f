"""``score``: a run and qrels in, a row for each topic and measure out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, get_args

import narwhals.stable.v2 as nw

from pres_plugin.frames.columns import Columns, Inputs, taken_in
from pres_plugin.frames.engines import Frame
from pres_plugin.frames.errors import FrameError
from pres_plugin.frames.measures import Measure, Rnorm, parse_all
from pres_plugin.frames.names import QUERY, SIZE
from pres_plugin.frames.ranking import ranked
from pres_plugin.frames.repeated import Duplicates, highest, ranked_once
from pres_plugin.frames.sums import PRECISIONS, View, found_in, sizes, topics_of
from pres_plugin.frames.values import value, view_of
from pres_plugin.measures import collection_too_small

__all__ = ["score"]


def score(
    run: Any,
    qrels: Any,
    measures: Any,
    *,
    query_id: str = "query_id",
    doc_id: str = "doc_id",
    score: str = "score",
    relevance: str = "relevance",
    by: str | Sequence[str] | None = None,
    rank: str | None = None,
    duplicates: Duplicates = "error",
) -> Any:
    """Score a run, or several, where the data are.

    Parameters
    ----------
    run : dataframe
        A row for each document retrieved for a topic, in any order. Of any
        of these libraries, eager or lazy: pandas, polars, PyArrow, DuckDB, Spark,
        and Ibis on DuckDB.
    qrels : dataframe of the same library
        A row for each judgement.
    measures : str, Measure, or iterable of them
        PRES@k, PRES_est@k, Rnorm(N=...), AP, AP@k and R@k, with ``rel`` and
        ``judged_only``; as strings, as objects of this module or of ir-measures.
    query_id, doc_id : str
        The columns of topics and documents in both frames: strings.
    score : str
        The column of scores in `run`: numbers, compared as 32-bit floats;
        documents of the same score are ordered by id, descending.
    relevance : str
        The column of relevance in `qrels`: whole numbers.
    by : str or sequence of str, optional
        The columns of `run` that tell apart one run from another.
    rank : str, optional
        The column of ranks in `run`, from 1, to be used in place of scores.
    duplicates : {'error', 'highest'}, default 'error'
        What to do about a document that a run holds twice for a topic: fail, or
        count the one ranked higher.

    Returns
    -------
    dataframe of the same library
        Columns `by`, `query_id`, ``measure`` (as text) and ``value`` (64-bit
        float): a row for each run, topic in the qrels and measure. Topics that a
        run lacks, and topics without relevant documents, score 0; topics of the
        run that are not in the qrels are left out. Lazy frames come back
        unexecuted and in no order, others sorted.

    Raises
    ------
    MeasureError
        If a measure is unknown or lacks a parameter.
    TypeError
        If a frame is none, or the two are of different libraries.
    FrameError
        If a column is missing, of the wrong type or of a name that the result
        needs, or an id, score, rank or
        relevance is missing, repeated or cannot be; or if Rnorm's N is smaller
        than a topic's collection must be. Of a lazy frame, columns are looked at
        now and rows when the result is executed.

    Notes
    -----
    The formulas are those of :mod:`pres_plugin.kernel`; the order is trec_eval's.

    Examples
    --------
    >>> import pandas as pd
    >>> from pres_plugin.frames import score
    >>> run = pd.DataFrame(
    ...     {"query_id": "q1", "doc_id": ["EP3", "EP1", "EP7"], "score": [3.2, 2.9, 1.4]}
    ... )
    >>> qrels = pd.DataFrame({"query_id": "q1", "doc_id": ["EP1", "EP2"], "relevance": 1})
    >>> score(run, qrels, ["PRES@10", "AP"])
      query_id  measure  value
    0       q1  PRES@10   0.45
    1       q1       AP   0.25
    """
    asked = parse_all(measures)
    if duplicates not in get_args(Duplicates):
        raise ValueError(f"duplicates must be 'error' or 'highest', got {duplicates!r}")
    by = (by,) if isinstance(by, str) else tuple(by or ())
    _check_names([*by, query_id])
    order = score if rank is None else rank
    columns = Columns(query_id, doc_id, relevance, order, rank is not None, by)
    inputs = taken_in(run, qrels, columns)
    if columns.ranked:
        inputs = replace(
            inputs, run=ranked_once(inputs.run, inputs.parts, duplicates, inputs.engine)
        )
    elif duplicates == "highest":
        inputs = replace(inputs, run=highest(inputs.run, inputs.parts))
    topics = _with_sums(inputs, asked, duplicates)
    for measure in asked:
        topics = _collection_checked(topics, measure, inputs)
    scored = topics.select(*inputs.parts, **{str(m): value(m) for m in asked})
    return _result(scored, inputs, columns, asked).to_native()


def _check_names(columns: Sequence[str]) -> None:
    """No two columns of the result have names that SQL takes for the same."""
    taken = {"measure", "value"}
    for column in columns:
        if column.lower() in taken:
            raise FrameError(
                f"run: column '{column}' would be twice in the result, which has a column of each "
                "of by and query_id, measure and value; rename it, or name it once"
            )
        taken.add(column.lower())


def _with_sums(inputs: Inputs, measures: Iterable[Measure], duplicates: Duplicates) -> Frame:
    """Each topic to score, with the sums that any of the measures needs."""
    cutoffs: dict[View, set[int | None]] = {}
    for measure in measures:
        cutoffs.setdefault(view_of(measure), set()).add(measure.cutoff)
        if measure.N is not None:
            cutoffs[view_of(measure)].add(None)
    rankings = {
        judged_only: ranked(inputs, judged_only, duplicates)
        for judged_only in {view.judged_only for view in cutoffs}
    }
    topics = topics_of(inputs, cutoffs)
    known = set(topics.collect_schema())
    for view, depths in cutoffs.items():
        found = found_in(rankings[view.judged_only], inputs, view, sorted(depths, key=str))
        topics = topics.join(found, on=inputs.parts, how="left")
    if any(measure.name == Rnorm.name for measure in measures):
        topics = topics.join(sizes(inputs), on=inputs.parts, how="left")
    # Rankings without a relevant document have none of these.
    added = {name: t for name, t in topics.collect_schema().items() if name not in known}
    whole = [name for name in added if not name.startswith(PRECISIONS)]
    return topics.with_columns(nw.col(*added).fill_null(0)).with_columns(
        nw.col(*whole).cast(nw.Int64)
    )


def _collection_checked(topics: Frame, measure: Measure, inputs: Inputs) -> Frame:
    if measure.N is None:
        return topics
    view = view_of(measure)
    missed = nw.col(view.n) - nw.col(view.found(None))
    topics = topics.with_columns((nw.col(SIZE) + missed).alias("_known"))
    problem = collection_too_small(measure, "{" + QUERY + "}", "{_known}")
    return inputs.engine.guarded(topics, view.n, nw.col("_known") > measure.N, problem)


def _result(scored: Frame, inputs: Inputs, columns: Columns, measures: Sequence[Measure]) -> Frame:
    names = [str(measure) for measure in measures]
    rows = inputs.engine.long(scored, inputs.parts, names, "measure", "value")
    if isinstance(rows, nw.DataFrame):
        place = nw.col("measure").replace_strict(names, range(len(names)), return_dtype=nw.Int64)
        rows = rows.with_columns(_place=place).sort(*inputs.parts, "_place").drop("_place")
    rows = inputs.engine.readable_ids(rows, inputs.parts)
    renamed = zip(inputs.parts, [*columns.by, columns.query_id], strict=True)
    return rows.select(*(nw.col(part).alias(name) for part, name in renamed), "measure", "value")
