"""Score a run with qrels: one row per topic and measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

import narwhals.stable.v2 as nw

from pres_plugin.frames.columns import ColumnNames
from pres_plugin.frames.engines.base import Frame
from pres_plugin.frames.inputs import CheckedFrames, Duplicates, checked
from pres_plugin.frames.topics import scored
from pres_plugin.measures import Measure
from pres_plugin.measures.parsing import parse_all, several
from pres_plugin.messages import InputError


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
        Any measures of ``pres_plugin.measures``, such as ``"PRES@100"`` and ``"AP(rel=2)"``:
        strings, or objects of this module or of ir-measures.
    query_id, doc_id : str
        The columns of topic and document ids in both frames. They contain strings.
    score : str
        The column of scores in `run`. It contains numbers, which are compared as
        32-bit floats; documents with equal scores are ordered by id, descending.
    relevance : str
        The column of relevance in `qrels`. It contains 64-bit whole numbers, or floats whose values
        are whole.
    by : str or sequence of str, optional
        The columns of `run` that distinguish runs.
    rank : str, optional
        The column of ranks in `run`, to use instead of scores. It contains whole
        numbers up to 10¹⁰, each at most once per ranking. Ranks count as given, so a gap is a
        document that was left out. If the lowest rank of a run is 0, its ranks count from 0.
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
        If polars has to score in a process that was forked from one that had scored with polars.
    InputError
        If a column is missing or has the wrong type; if two columns of the result
        would have the same name; if an id, score, rank or relevance is null or out of range; if a
        document is retrieved or judged twice; if two documents of a ranking have
        the same rank; if ranks run on from one topic to the next; or if more documents of a
        topic were retrieved or are relevant than a measure's N.
        For lazy frames, only the columns are checked now. The rows are checked when the
        result is executed. The library may then raise an error of its own that contains
        the message.

    Warns
    -----
    UnmatchedIdsWarning
        If a run in an eager frame contains ids of judged documents in another form, such as with
        blanks, if no judged document was retrieved in five topics or more, or if no topic of the
        run is judged. Lazy frames are not read before you execute the result, so no
        warning is issued for them.

    See Also
    --------
    pres_plugin.files.score : Score runs in files.

    Notes
    -----
    Documents are ranked as in trec_eval: by their scores as 32-bit floats, and by id,
    descending, if scores are equal.

    Several threads may call this function at once. Lazy frames are then as safe as their library:
    threads must not share a DuckDB connection, for example.

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
    columns = ColumnNames(query_id, doc_id, relevance, order, rank is not None, by)
    frames = checked(run, qrels, columns, duplicates)
    return frames.returned(_result(scored(frames, asked, duplicates), frames, columns, asked))


def _check_names(names: Mapping[str, Any], by: Sequence[Any]) -> None:
    """Check the column names in `names`, which maps options to names, and in `by`."""
    for option, name in [*names.items(), *(("by", name) for name in by)]:
        if not isinstance(name, str):
            raise TypeError(
                f"{option}: the name of a column must be a string, got {name!r}; rename the column"
            )
    # Compare in lower case, since SQL ignores case.
    taken = {"measure", "value"}
    for column in (*by, names["query_id"]):
        if column.lower() in taken:
            raise InputError(
                f"run: column '{column}' would occur twice in the result, which adds columns "
                "'measure' and 'value' (case is ignored); rename it, or name it only once"
            )
        taken.add(column.lower())


def _result(
    scored: Frame, frames: CheckedFrames, columns: ColumnNames, measures: Sequence[Measure]
) -> Frame:
    names = [str(measure) for measure in measures]
    rows = frames.engine.long(scored, frames.parts, names, "measure", "value")
    if isinstance(rows, nw.LazyFrame):
        # Without a filter, a query that only counts rows would skip the checks. This one keeps
        # all rows, since no number is written like this, but no library can know that.
        rows = rows.filter(nw.col("value").cast(nw.String).fill_null("") != "dropped")
    return frames.engine.restored(rows, columns.parts | {"measure": "measure", "value": "value"})
