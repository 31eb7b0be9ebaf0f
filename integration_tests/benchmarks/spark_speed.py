"""Spark: what scoring costs by rows and skew, compared with ``applyInPandas``.

Run it as ``python integration_tests/benchmarks/spark_speed.py`` on Linux, with Java. It writes
runs as Parquet into a temporary folder, and measures each case in a process of its own.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from frames_speed import collection
from sidebyside import Comparison, in_a_process, print_table, table

from pres_plugin import pres
from pres_plugin.frames import score

MILLION = 1_000_000
MEASURES = ["PRES@100", "AP", "R@100"]
ROUNDS = 3


# The data.


def write(folder: Path, name: str, *frames: pl.DataFrame) -> None:
    """Write a run and its judgements as parts of those in the folder."""
    for kind, frame in zip(("run", "qrels"), frames, strict=True):
        frame.write_parquet(folder / kind / f"{name}.parquet")


def by_topic(folder: Path, millions: int) -> None:
    """Write a run sorted by topic, one file per million rows."""
    for i in range(millions):
        write(folder, f"{i:03}", *collection(first=1000 * i))


def by_score(folder: Path, millions: int) -> None:
    """Write the same run sorted by score, so that each file has rows of all topics."""
    by_topic(folder, millions)
    paths = sorted((folder / "run").iterdir())
    run = pl.read_parquet(paths).sort("score", descending=True)
    for i, path in enumerate(paths):
        run.slice(i * MILLION, MILLION).write_parquet(path)


def one_large(folder: Path, millions: int) -> None:
    """Write many topics of ten documents, and a topic with most of the documents."""
    write(folder, "small", *collection(MILLION // 10, 10, n_judged=2))
    write(folder, "large", *collection(1, (millions - 1) * MILLION, first=MILLION))


DATA = {"topic": by_topic, "score": by_score, "large": one_large}


def written(folder: str, order: str, millions: int) -> Path:
    """Return a folder with run and qrels, and write them if they are not there."""
    path = Path(folder, f"{order}-{millions}")
    if not path.exists():
        for kind in ("run", "qrels"):
            (path / kind).mkdir(parents=True)
        DATA[order](path, millions)
    return path


# What is measured. Each takes both frames, and returns the mean of PRES.


def ours(run: Any, qrels: Any) -> float:
    means = score(run, qrels, MEASURES).groupBy("measure").avg("value").collect()
    return float(dict(map(tuple, means))["PRES@100"])


def in_pandas(run: Any, qrels: Any) -> float:
    """Score each topic by PRES alone in a Python worker, which gets the qrels once."""
    import pandas as pd

    rows = qrels.toPandas()
    known = rows[rows["relevance"] > 0].groupby("query_id")["doc_id"].agg(set).to_dict()

    def scored(rows: pd.DataFrame) -> pd.DataFrame:
        relevant = known[rows["query_id"].iat[0]]
        ordered = rows.sort_values(["score", "doc_id"], ascending=False)["doc_id"]
        ranks = np.flatnonzero(ordered.isin(relevant)) + 1
        return pd.DataFrame({"value": [pres(ranks.tolist(), len(relevant), 100)]})

    result = run.groupBy("query_id").applyInPandas(scored, "value double")
    return float(result.groupBy().avg("value").collect()[0][0])


WAYS: dict[str, Callable[[Any, Any], float]] = {"ours": ours, "applyInPandas": in_pandas}


def run_case(way: str, data: str, warm: str) -> tuple[float, float]:
    """Return the mean and the seconds of a call, after one on less data that compiles the code."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {"spark.driver.memory": "2g", "spark.ui.enabled": False, "spark.log.level": "ERROR"}
    spark = SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()
    for folder in (warm, data):
        frames = (spark.read.parquet(f"{folder}/{name}") for name in ("run", "qrels"))
        start = time.perf_counter()
        mean = WAYS[way](*frames)
        elapsed = time.perf_counter() - start
    spark.stop()
    return mean, elapsed


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:

        def case(way: str, order: str, millions: int) -> tuple[float, float]:
            data = written(folder, order, millions), written(folder, "topic", 1)
            mean, elapsed = in_a_process(__file__, way, *data)
            return mean, elapsed

        pairs = []
        for _ in range(ROUNDS):
            means, elapsed = zip(*(case(way, "topic", 4) for way in WAYS), strict=True)
            if abs(means[0] - means[1]) > 1e-9:
                raise RuntimeError(f"the means differ: {means}")
            pairs.append(elapsed)
        what = "4·10⁶ rows, 3 measures / applyInPandas, PRES alone"
        print_table([(what, Comparison.of(pairs), 0.5)])
        rows = []
        for name, order, millions in (
            ("sorted by topic", "topic", 4),
            ("sorted by score", "score", 4),
            ("sorted by score", "score", 16),
            ("a topic with 5 million documents, and 100,000 topics with 10", "large", 6),
        ):
            _, seconds = case("ours", order, millions)
            rows.append([name, f"{millions}", f"{seconds:.1f}", f"{seconds / millions:.2f}"])
        heads = ["run", "million rows", "elapsed, s", "µs per row"]
        print("\n" + table(heads, rows, text=["run"]))


if __name__ == "__main__":
    if sys.argv[1:]:
        print(json.dumps(run_case(*sys.argv[1:])))
    else:
        main()
