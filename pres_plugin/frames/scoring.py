"""Score a run with qrels: one row per topic and measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw
from narwhals.exceptions import DuplicateError

from pres_plugin.frames.columns import Asked, Frame
from pres_plugin.measures.parsing import parse_all, several
from pres_plugin.messages import InputError, imported

if TYPE_CHECKING:
    from pres_plugin.ranking.tables import Dicts, Duplicates
    from pres_plugin.tables.base import Value


def score(
    run: Any,
    qrels: Any,
    measures: Any,
    *,
    query_id: str | None = None,
    doc_id: str | None = None,
    score: str | None = None,
    relevance: str | None = None,
    by: str | Sequence[str] | None = None,
    rank: str | None = None,
    duplicates: Duplicates = "error",
) -> Any:
    """Score one or several runs.

    Frames are read into memory, where polars scores them. Spark's frames are scored by its workers,
    which need this package, polars and PyArrow.

    Parameters
    ----------
    run : dataframe
        One row per retrieved document of each topic, in any order. An eager or lazy
        frame of pandas, polars, PyArrow, DuckDB, Ibis, Dask or Spark.
    qrels : dataframe
        One row per judgement, in a frame of the same library.
    measures : str, Measure, or iterable of them
        Any measures of ``pres_plugin.measures``, such as ``"PRES@100"`` and ``"AP(rel=2)"``:
        strings, or objects of this module or of ir-measures.
    query_id, doc_id : str, optional
        The columns of topic and document ids in both frames. They contain strings. By default, each
        column is found by its name, as in files: ``query_id`` or ``qid``, ``doc_id`` or ``docno``,
        ``relevance`` or ``label``, ``score``, ``rank``, and others.
    score : str, optional
        The column of scores in `run`. It contains numbers, which are compared as
        32-bit floats; documents with equal scores are ordered by id, descending.
    relevance : str, optional
        The column of relevance in `qrels`. It contains 64-bit whole numbers, or floats whose values
        are whole.
    by : str or sequence of str, optional
        The columns of `run` that distinguish runs.
    rank : str, optional
        The column of ranks in `run`, to use instead of scores. By default, ranks are used if there
        are no scores. It contains whole
        numbers up to 10¹⁰, each at most once per ranking. Ranks count as given, so a gap is a
        document that was left out. If the lowest rank of a run is 0, its ranks count from 0.
    duplicates : {'error', 'first', 'last', 'highest'}, default 'error'
        Which row to keep when a document occurs twice in a topic of `run` or `qrels`, or whether to
        raise. The highest one has the best score, rank or relevance. The rows of DuckDB, Ibis and
        Spark have no order, so there is no first or last one.

    Returns
    -------
    dataframe
        A frame of the same library. Its columns are `by`, `query_id`, ``measure`` (text)
        and ``value`` (64-bit float).
        For each run, there is one row per measure and topic of the qrels. Topics
        that a run lacks score 0 or, by Effort, N. Topics without relevant documents score 0.
        Topics that are not in the qrels are left out. Rows are sorted by run and topic. For Spark,
        the result is lazy and not sorted.

    Raises
    ------
    MeasureError
        If a measure is unknown or lacks a parameter.
    TypeError
        If `run` or `qrels` is not a dataframe, if they belong to different libraries,
        or if the name of a column is not a string.
    ValueError
        If `duplicates` is not one of the values above.
    RuntimeError
        If polars has to score in a process that was forked from one that had scored with polars.
    InputError
        If a column is missing or has the wrong type; if two columns of the result
        would have the same name; if an id, score, rank or relevance is null or out of range; if a
        document is retrieved or judged twice; if two documents of a ranking have
        the same rank; if ranks run on from one topic to the next; if more documents of a
        topic were retrieved or are relevant than a measure's N; or if no topic of any run is
        judged.
        For Spark, only the names of columns are checked now. Rows are checked when the result is
        executed. Spark then raises an error of its own that contains the message.

    Warns
    -----
    UnmatchedIdsWarning
        If a run contains ids of judged documents in another form, such as with
        blanks, if no judged document was retrieved in five topics or more, or if no topic of one of
        several runs is judged. For Spark, no warning is issued.

    See Also
    --------
    pres_plugin.files.score : Score runs in files.

    Notes
    -----
    Documents are ranked as in trec_eval: by their scores as 32-bit floats, and by id,
    descending, if scores are equal.

    Several threads may call this function at once, unless they share a DuckDB connection.

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
    imported("polars", "pres_plugin.frames scores frames with polars", "frames")
    from pres_plugin.frames.in_memory import scored
    from pres_plugin.frames.tables import named
    from pres_plugin.tables.base import Reading

    reading = Reading("score", duplicates=duplicates)
    frames = _frame(run, "run"), _frame(qrels, "qrels")
    ids = {"query_id": query_id, "doc_id": doc_id}
    order = {"score": score} if rank is None else {"rank": rank}
    runs = {f"by{i}": column for i, column in enumerate(() if by is None else several(by))}
    of_run = named(frames[0], reading, ids | order)
    asked = Asked(
        parse_all(measures),
        duplicates,
        runs | {"query_id": of_run["query_id"]},
        runs | of_run,
        named(frames[1], replace(reading, value="relevance"), ids | {"relevance": relevance}),
    )
    _check_names(asked)
    library, other = (frame.implementation for frame in frames)
    if library != other:
        raise TypeError(
            f"run is a {library.value} frame and qrels is a {other.value} frame; use frames of "
            "the same library, and for Spark of the same session"
        )
    is_spark = library.is_spark_like()
    if duplicates in ("first", "last") and (is_spark or library.is_duckdb() or library.is_ibis()):
        raise InputError(
            f"duplicates='{duplicates}' needs rows in an order, which frames of {library.value} "
            "do not have; use duplicates='highest'"
        )
    if is_spark:
        from pres_plugin.frames.spark import scored as scored_by_spark

        return scored_by_spark(*frames, asked)
    result = scored(*frames, asked)
    if not _is_dask(run):
        return result
    import dask.dataframe

    return dask.dataframe.from_pandas(result)


def dicts_of(frame: Any, value: Value) -> Dicts:
    """Return the values of the documents of a run or of qrels by topic, from any frame of a study.

    The columns are found by their names, as in :func:`score`. Raise an InputError if one is
    missing, or if a value is wrong.
    """
    from pres_plugin.frames.in_memory import collected
    from pres_plugin.frames.tables import named, topics_of
    from pres_plugin.tables.base import Reading

    what = "qrels" if value == "relevance" else "run"
    native = _frame(frame, what)
    _, rows = collected(native, what, named(native, Reading(value), {}))
    return topics_of(rows, what, ["query_id"], "error").by_topic(what, value)


def _check_names(asked: Asked) -> None:
    # Compare in lower case, since SQL ignores case.
    in_result = [str(column).lower() for column in (*asked.parts.values(), "measure", "value")]
    for column in asked.parts.values():
        if in_result.count(str(column).lower()) > 1:
            raise InputError(
                f"run: column '{column}' would occur twice in the result, which adds columns "
                "'measure' and 'value' (case is ignored); rename it, or name it only once"
            )


def _frame(native: Any, what: str) -> Frame:
    if _is_dask(native):
        native = native.compute()
    try:
        return nw.from_native(native)
    except DuplicateError as error:
        raise InputError(f"{what}: {error}") from None
    except TypeError:
        raise TypeError(
            f"{what}: {type(native).__name__} is not a dataframe of pandas, polars, PyArrow, "
            "DuckDB, Ibis, Dask or Spark"
        ) from None


def _is_dask(native: Any) -> bool:
    """Return whether a frame is Dask's, which narwhals will no longer support by itself."""
    return type(native).__module__.startswith("dask.")
