"""Score Spark's frames in its workers, which need this package, polars and PyArrow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import polars as pl
import pyarrow as pa
from pyspark.sql.types import NullType, StringType

from pres_plugin.frames.columns import Asked, Frame, Names, find
from pres_plugin.frames.tables import checked, score_tables
from pres_plugin.messages import InputError
from pres_plugin.ranking.given import RUN_ON, run_on
from pres_plugin.ranking.tables import cut_into_topics
from pres_plugin.tables.values import wrong_type

# How many rows a worker scores at once, at least.
_ROWS_AT_ONCE = 100_000


def scored(run: Frame, qrels: Frame, asked: Asked) -> Any:
    """Return a lazy frame of Spark with one row per run, topic and measure."""
    rows, judged = _selected(run, "run", asked.run), _selected(qrels, "qrels", asked.qrels)
    if runs := _about_runs(rows, asked):
        # Each run needs a row for each judged topic, also for those that it lacks.
        judged = judged.crossJoin(runs.hint("broadcast"))
    marked = rows.selectExpr("*", "true AS is_run").unionByName(
        judged.selectExpr("*", "false AS is_run"), allowMissingColumns=True
    )
    # One shuffle brings the rows of each topic together.
    topics = marked.repartition(*asked.parts).sortWithinPartitions(*asked.parts)
    types = dict(rows.dtypes)
    fields = [*(f"{name} {types[name]}" for name in asked.parts), "measure string", "value double"]
    result = topics.mapInArrow(partial(_score, asked=asked), ", ".join(fields))
    return result.toDF(*asked.parts.values(), "measure", "value")


def _selected(frame: Frame, what: str, names: Names) -> Any:
    """Return columns of a frame by our names, with ids that are compared as they are written."""
    native = frame.to_native()
    # By position, since Spark parses dots and backticks in names and ignores case.
    numbered = native.toDF(*(f"_{i}" for i in range(len(native.columns))))
    chosen = []
    for name, column in find(frame, what, names).items():
        i = native.columns.index(column)
        dtype = native.schema[i].dataType
        is_text = isinstance(dtype, StringType | NullType)
        if name in ("query_id", "doc_id") and not is_text:
            raise InputError(f"{what}: {wrong_type(name, column, dtype.simpleString())}")
        plain = f"collate(CAST(_{i} AS STRING), 'UTF8_BINARY')" if is_text else f"_{i}"
        chosen.append(f"{plain} AS {name}")
    return numbered.selectExpr(*chosen)


def _about_runs(run: Any, asked: Asked) -> Any:
    """Return what is known only from all rows of a run, or None if nothing is needed.

    These are the columns that distinguish runs and, if ranks are given, the lowest rank as `start`,
    and whether the ranks run on from topic to topic.
    """
    if "rank" not in asked.run:
        return run.select(*asked.by).distinct() if asked.by else None
    by = "".join(f"{name}, " for name in asked.by)
    runs = run.sparkSession.sql(
        f"""
        SELECT {by} count(*) AS topics, sum(n) AS n, sum(last - first + 1) AS span,
            min(first) AS start, max(last) AS last, sum((first + last) * n / 2) AS total
        FROM (
            SELECT {by} query_id, count(*) AS n, min(rank) AS first, max(rank) AS last
            FROM (SELECT {by} query_id, CAST(rank AS DOUBLE) AS rank FROM {{run}})
            GROUP BY ALL
        )
        GROUP BY ALL
        """,
        run=run,
    )
    about = (runs[name] for name in ("topics", "n", "span", "start", "last", "total"))
    return runs.select(*asked.by, "start", run_on(*about).alias("run_on"))


def _score(batches: Iterable[pa.RecordBatch], asked: Asked) -> Iterator[pa.RecordBatch]:
    """Score the sorted rows of some topics, which arrive in batches."""
    fields: dict[str, pa.DataType] = {}

    def in_polars() -> Iterator[pl.DataFrame]:
        for batch in batches:
            fields.update((name, batch.schema.field(name).type) for name in asked.parts)
            yield pl.DataFrame(batch)

    for rows in cut_into_topics(in_polars(), list(asked.parts), _ROWS_AT_ONCE):
        for of_run in rows.partition_by(asked.by, maintain_order=True) if asked.by else [rows]:
            schema = pa.schema({**fields, "measure": pa.string(), "value": pa.float64()})
            yield from _scored(of_run, asked).to_arrow().cast(schema).to_batches()


def _scored(rows: pl.DataFrame, asked: Asked) -> pl.DataFrame:
    """Score whole topics of one run."""
    run = checked(rows.filter(rows["is_run"]), "run", asked.run)
    of_qrels = rows.filter(~rows["is_run"])
    if "rank" in asked.run and of_qrels.height:
        if of_qrels["run_on"][0]:
            raise InputError(f"run: {RUN_ON}")
        # If the lowest rank of a run is 0, its ranks count from 0.
        run = run.with_columns(pl.col("rank") + (of_qrels["start"][0] == 0))
    return score_tables(run, checked(of_qrels, "qrels", asked.qrels), asked, rows.head(1))
