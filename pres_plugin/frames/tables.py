"""Score tables of polars with the functions that score files.

The columns of runs and qrels are called as in :data:`.columns.Names`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import polars as pl

from pres_plugin.files.scoring import one_row_each
from pres_plugin.frames.columns import Asked, Frame, Names, find, hint
from pres_plugin.measures import MeasureError
from pres_plugin.messages import InputError
from pres_plugin.ranking.dicts import rank_run
from pres_plugin.ranking.judgements import least_relevance
from pres_plugin.ranking.rows import numbered
from pres_plugin.ranking.tables import Duplicates, Topics, judgements_of, rank_runs, whole_topics
from pres_plugin.tables.base import Reading, located
from pres_plugin.tables.columns import chosen
from pres_plugin.tables.values import of_type, typed
from pres_plugin.unmatched import warn


def named(frame: Frame, reading: Reading, given: Mapping[str, str | None]) -> dict[str, str]:
    """Return the names of the columns of a run or of qrels: those that are given, or known ones."""
    what = "qrels" if reading.value == "relevance" else "run"
    of_user = {kind: name for kind, name in given.items() if name is not None}
    columns = {kind: [name] for kind, name in find(frame, what, of_user).items()}
    there = [name for name in frame.columns if isinstance(name, str)]
    try:
        return chosen(there, replace(reading, columns=columns), in_frame=True)
    except InputError as error:
        raise InputError(f"{what}: {error}{hint(frame)}") from None


def checked(rows: pl.DataFrame, what: str, names: Names) -> pl.DataFrame:
    """Return the columns of a run or of qrels with ids as strings, and other values as numbers.

    `names` maps the names of the columns to the user's. Raise an InputError for a wrong type or
    value.
    """
    with located(f"{what}: "):
        return typed(rows.select(of_type(rows[name], names[name]) for name in names), names)


def score_tables(
    run: pl.DataFrame, qrels: pl.DataFrame, asked: Asked, of_run: pl.DataFrame | None = None
) -> pl.DataFrame:
    """Return one row per run, topic and measure, sorted by run and topic.

    If `run` contains only some topics of a single run, `of_run` is a row that begins with the
    values of `by`. Ranks then have to count from 1, and it is no error if no topic is judged.
    """
    runs, number = pl.DataFrame({"run": [0]}), np.zeros(run.height, dtype=np.int64)
    if of_run is not None:
        runs = of_run
    elif asked.by:
        number, runs = numbered(run.select(asked.by))

    def called(number: str) -> str:
        return " ".join(["run", *map(str, runs.row(int(number))[: len(asked.by)])])

    topics = topics_of(run.with_columns(run=number), "run", ["run", "query_id"], asked.duplicates)
    of_qrels = topics_of(qrels, "qrels", ["query_id"], asked.duplicates)
    least = least_relevance(measure.document_choice for measure in asked.measures)
    judged = judgements_of([of_qrels], least, with_dicts=False)
    values = np.zeros((runs.height, len(asked.measures), len(judged.topics)))
    try:
        for measure in asked.measures:
            judged.check_collection(measure)
        if judged.topics:
            ranked = rank_runs([topics], judged, called, complete=of_run is None)
            ranked = ranked or [rank_run(judged, {}, "0")] * runs.height
            for each in ranked if of_run is not None else judged.with_common_topics(ranked):
                values[int(each.name)] = judged.scores(each, asked.measures)
                if of_run is None:
                    warn(each.unmatched)
    except (MeasureError, InputError) as error:
        raise InputError(str(error)) from None
    of_runs = runs.select(*asked.by, run=pl.lit(0))
    rows = one_row_each(of_runs, judged.topics, asked.measures, values).drop("run")
    return rows.sort(*asked.by, "query_id", maintain_order=True)


def topics_of(rows: pl.DataFrame, what: str, keys: list[str], duplicates: Duplicates) -> Topics:
    """Return whole topics, or raise an InputError if a document or a rank occurs twice."""

    def fail(problem: str, _: object) -> InputError:
        runs = "; pass the column that distinguishes several runs as by=" * ("run" in keys)
        # Unlike 'first' and 'last', 'highest' works in every library.
        best = "; duplicates='highest' keeps the best row of each document"
        return InputError(f"{what}: {problem}{runs}{best * problem.endswith('twice')}")

    return whole_topics(rows, keys, duplicates, fail)
