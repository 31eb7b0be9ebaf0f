"""Score a run with qrels: one row per topic and measure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

import narwhals.stable.v2 as nw

from pres_plugin.frames.columns import Columns, Inputs, checked
from pres_plugin.frames.engines.base import Frame
from pres_plugin.frames.errors import FrameError
from pres_plugin.frames.names import QUERY, SIZE, n_column
from pres_plugin.frames.ranking import ranked
from pres_plugin.frames.repeated import Duplicates, highest, ranked_once
from pres_plugin.frames.sums import Wanted, found_in, sizes, topics_of
from pres_plugin.frames.values import depends_on_size, value
from pres_plugin.kernel.goal import USUAL_GOAL
from pres_plugin.measures import Measure
from pres_plugin.measures.measure import View
from pres_plugin.measures.parsing import parse_all, several
from pres_plugin.ranking.scores import collection_problem, most_relevant, too_many_relevant


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
    """Score one or several runs.

    The dataframes' own library computes the scores, except for pandas and PyArrow. Their
    frames are scored by polars, which is faster.

    Parameters
    ----------
    run : dataframe
        One row per retrieved document of each topic, in any order. An eager or lazy
        frame of pandas, polars, PyArrow, DuckDB, Spark, or Ibis on DuckDB.
    qrels : dataframe
        One row per judgement, in a frame of the same library.
    measures : str, Measure, or iterable of them
        PRES@k, PRES_est@k, Rnorm(N=...), WSS(N=...)@R, TNR(N=...)@R, LastRel, AP, AP@k
        and R@k, optionally with ``rel`` and ``judged_only``: strings, or objects of this
        module or of ir-measures.
    query_id, doc_id : str
        The columns of topic and document ids in both frames. They contain strings.
    score : str
        The column of scores in `run`. It contains numbers, which are compared as
        32-bit floats; documents with equal scores are ordered by id, descending.
    relevance : str
        The column of relevance in `qrels`. It contains 64-bit whole numbers.
    by : str or sequence of str, optional
        The columns of `run` that distinguish runs.
    rank : str, optional
        The column of ranks in `run`, to use instead of scores. It contains whole
        numbers from 1 to 10¹², each at most once per ranking.
    duplicates : {'error', 'highest'}, default 'error'
        What to do if a document occurs twice in a ranking: raise an error, or keep
        only its best (smallest) rank.

    Returns
    -------
    dataframe
        A frame of the same library. Its columns are `by`, `query_id`, ``measure`` (text)
        and ``value`` (64-bit float).
        For each run, there is one row per measure and topic of the qrels. Topics
        that a run lacks, and topics without relevant documents, score 0. Topics
        that are not in the qrels are left out. The result of eager frames is sorted;
        the result of lazy frames is lazy and not sorted.

    Raises
    ------
    MeasureError
        If a measure is unknown or lacks a parameter.
    TypeError
        If `run` or `qrels` is not a dataframe, if they belong to different libraries,
        or if the name of a column is not a string.
    ValueError
        If `duplicates` is neither 'error' nor 'highest'.
    RuntimeError
        If polars has to score in a process that was forked from one that had used polars.
    FrameError
        If a column is missing or has the wrong type; if two columns of the result
        would have the same name; if an id, score, rank or relevance is null or out of range; if a
        document is retrieved or judged twice; if two documents of a ranking have
        the same rank; or if more documents of a topic were retrieved or are relevant
        than a measure's N.
        For lazy frames, only the columns are checked now. The rows are checked when the
        result is executed. The library may then raise an error of its own that contains
        the message.

    See Also
    --------
    pres_plugin.files.score : Score runs in files.

    Notes
    -----
    Documents are ranked as in trec_eval: by their scores as 32-bit floats, and by id,
    descending, if scores are equal.

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
    by = () if by is None else tuple(several(by))
    order = score if rank is None else rank
    names = {"query_id": query_id, "doc_id": doc_id, "relevance": relevance}
    _check_names({**names, "score" if rank is None else "rank": order}, by)
    columns = Columns(query_id, doc_id, relevance, order, rank is not None, by)
    inputs = checked(run, qrels, columns)
    if columns.ranked:
        inputs = replace(
            inputs, run=ranked_once(inputs.run, inputs.parts, duplicates, inputs.engine)
        )
    elif duplicates == "highest":
        inputs = replace(inputs, run=highest(inputs.run, inputs.parts))
    topics = _sizes_checked(_with_sums(inputs, asked, duplicates), asked, inputs)
    scored = topics.select(*inputs.parts, **{str(m): value(m) for m in asked})
    return inputs.returned(_result(scored, inputs, columns, asked))


def _check_names(names: Mapping[str, Any], by: Sequence[Any]) -> None:
    """Check the column names in `names`, which maps options to names, and in `by`."""
    for option, name in [*names.items(), *(("by", name) for name in by)]:
        if not isinstance(name, str):
            raise TypeError(
                f"{option}: the name of a column must be a string, got {name!r}; rename the column"
            )
    # Compare in lower case, since SQL ignores case.
    added = {"measure", "value"}
    taken = set(added)
    for column in (*by, names["query_id"]):
        if column.lower() in taken:
            problem = f"run: column '{column}' would occur twice in the result"
            if column.lower() in added:
                raise FrameError(
                    f"{problem}, which adds columns 'measure' and 'value' (case is ignored); "
                    "rename the run's column"
                )
            raise FrameError(f"{problem} (case is ignored); name it only once, or rename it")
        taken.add(column.lower())


def _with_sums(inputs: Inputs, measures: Iterable[Measure], duplicates: Duplicates) -> Frame:
    """Return one row per run and topic, with all numbers that the measures depend on."""
    wanted: dict[View, dict[str, Wanted]] = {}
    for measure in measures:
        of_measure = [
            Wanted(name, measure.cutoff, measure.goal) for name in measure.declaration.statistics
        ]
        if measure.N is not None:
            of_measure.append(_FOUND)
        wanted.setdefault(measure.view, {}).update(
            (asked.column(measure.view), asked) for asked in of_measure
        )
    rankings = {
        judged_only: ranked(inputs, judged_only, duplicates)
        for judged_only in {view.judged_only for view in wanted}
    }
    topics = topics_of(inputs, wanted)
    is_whole: dict[str, bool] = {}
    for view, of_view in wanted.items():
        found = found_in(rankings[view.judged_only], inputs, view, of_view)
        topics = topics.join(found, on=inputs.parts, how="left")
        is_whole |= {column: asked.statistic.is_whole for column, asked in of_view.items()}
    if any(map(depends_on_size, measures)):
        topics = topics.join(sizes(inputs), on=inputs.parts, how="left")
        is_whole[SIZE] = True
    # Rankings without a relevant document have no row to join, so their statistics are null.
    # DuckDB's sums of 64-bit integers have 128 bits.
    filled = {column: nw.col(column).fill_null(0) for column in is_whole}
    whole = {column: filled[column].cast(nw.Int64) for column in is_whole if is_whole[column]}
    return topics.with_columns(**(filled | whole))


# No topic of a dataframe has more rows.
_MOST_ROWS = 10**9

# The number of relevant documents found at any rank, from which those missed are counted.
_FOUND = Wanted("found", None, USUAL_GOAL)


def _sizes_checked(topics: Frame, measures: Iterable[Measure], inputs: Inputs) -> Frame:
    """Raise if a topic has too many documents for a measure; for lazy frames, when executed.

    Each guard makes a lazy query deeper, so only the strictest measure with each minimum
    relevance is checked.
    """
    topic = f"topic '{{{QUERY}}}'"
    by_rel: dict[int, list[Measure]] = {}
    for measure in measures:
        by_rel.setdefault(measure.rel, []).append(measure)
    for of_rel in by_rel.values():
        n = n_column(of_rel[0].view)
        strictest = min(of_rel, key=most_relevant)
        if (most := most_relevant(strictest)) < _MOST_ROWS:
            problem = too_many_relevant(strictest, topic, f"{{{n}}}", most)
            topics = inputs.engine.guarded(topics, n, nw.col(n) > most, problem)
        if with_size := [measure for measure in of_rel if measure.N is not None]:
            smallest = min(with_size, key=lambda measure: measure.N or 0)
            missed = nw.col(n) - nw.col(_FOUND.column(smallest.view))
            topics = topics.with_columns((nw.col(SIZE) + missed).alias("_known"))
            problem = collection_problem(smallest, topic, "{_known}")
            wrong = nw.col("_known") > smallest.N
            topics = inputs.engine.guarded(topics, n, wrong, problem)
    return topics


def _result(scored: Frame, inputs: Inputs, columns: Columns, measures: Sequence[Measure]) -> Frame:
    names = [str(measure) for measure in measures]
    rows = inputs.engine.long(scored, inputs.parts, names, "measure", "value")
    if isinstance(rows, nw.DataFrame):
        place = nw.col("measure").replace_strict(names, range(len(names)), return_dtype=nw.Int64)
        rows = rows.with_columns(_place=place).sort(*inputs.parts, "_place").drop("_place")
    rows = inputs.engine.readable_ids(rows, inputs.parts)
    return inputs.engine.rename(rows, columns.parts | {"measure": "measure", "value": "value"})
