"""Spark: what scoring costs by rows and skew, compared with ``applyInPandas``.

Run it as ``python integration_tests/benchmarks/spark_speed.py`` on Linux, with Java. It writes
runs as Parquet into a temporary folder, and measures each case in a process of its own. Only some
tables: ``--only against,skew``. Smaller: ``--rows 1,4``.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from frames_speed import ids
from sidebyside import Comparison, print_table, table

from pres_plugin import pres
from pres_plugin.frames import score

MILLION, N_DOCS = 1_000_000, 1000
MEASURES = ["PRES@100", "AP", "R@100"]


# The data.


def topics(first: int, n_topics: int, depth: int) -> pl.DataFrame:
    """Return a run of several topics, sorted by topic, with scores in random order."""
    topic, place = np.divmod(np.arange(n_topics * depth), depth)
    scores = 20 * np.random.default_rng(first).random(len(topic), dtype=np.float32)
    return ids(topic + first, place).with_columns(score=pl.Series(scores))


def judged(n_topics: int, depth: int, step: int) -> pl.DataFrame:
    """Return judgements of every `step`-th document; every second one is relevant."""
    topic, place = np.divmod(np.arange(n_topics * (depth // step)), depth // step)
    return ids(topic, step * place).with_columns(relevance=pl.Series(place % 2))


def by_topic(folder: Path, millions: int) -> None:
    """Write a run sorted by topic, one file per million rows."""
    n_topics = MILLION // N_DOCS
    for i in range(millions):
        topics(i * n_topics, n_topics, N_DOCS).write_parquet(folder / "run" / f"{i:03}.parquet")
    judged(millions * n_topics, N_DOCS, 20).write_parquet(folder / "qrels.parquet")


def by_score(folder: Path, millions: int) -> None:
    """Write the same run sorted by score, so that each file has rows of all topics."""
    by_topic(folder, millions)
    paths = sorted((folder / "run").iterdir())
    run = pl.read_parquet(paths).sort("score", descending=True)
    for i, path in enumerate(paths):
        run.slice(i * MILLION, MILLION).write_parquet(path)


def one_large(folder: Path, millions: int) -> None:
    """Write many topics of ten documents, and a topic of `millions` million documents."""
    topics(0, MILLION // 10, 10).write_parquet(folder / "run" / "small.parquet")
    topics(999_999, 1, millions * MILLION).write_parquet(folder / "run" / "large.parquet")
    judged(MILLION // 10, 10, 5).write_parquet(folder / "qrels.parquet")


DATA = {"topic": by_topic, "score": by_score, "large": one_large}


def written(folder: Path, order: str, millions: int) -> Path:
    """Return a folder with run and qrels, and write them if they are not there."""
    path = folder / f"{order}-{millions}"
    if not (path / "qrels.parquet").exists():
        (path / "run").mkdir(parents=True, exist_ok=True)
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


# One case, in a process of its own.


def run_case(way: str, data: str, warm: str) -> dict[str, float]:
    """Time one call in this process, after a call on less data that compiles the code."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {"spark.driver.memory": "2g", "spark.ui.enabled": False, "spark.log.level": "ERROR"}
    spark = SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()
    for folder in (warm, data):
        frames = (spark.read.parquet(f"{folder}/{name}") for name in ("run", "qrels.parquet"))
        start = time.perf_counter()
        mean = WAYS[way](*frames)
        elapsed = time.perf_counter() - start
    spark.stop()
    return {"mean": mean, "elapsed": elapsed}


class Bench:
    """The tables, from cases on data in one folder."""

    def __init__(self, folder: Path, millions: list[int], rounds: int) -> None:
        self.folder, self.millions, self.rounds = folder, millions, rounds

    def case(self, way: str, order: str, millions: int) -> dict[str, float]:
        data = [written(self.folder, order, millions), written(self.folder, "topic", 1)]
        command = [sys.executable, "-W", "ignore", __file__, "--case", way, *map(str, data)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
        return found

    def against(self) -> None:
        """Compare three measures of ours with PRES alone in pandas."""
        millions, pairs = self.millions[0], []
        for _ in range(self.rounds):
            found = [self.case(way, "topic", millions) for way in WAYS]
            if abs(found[0]["mean"] - found[1]["mean"]) > 1e-9:
                raise RuntimeError(f"the means differ: {found}")
            pairs.append((found[0]["elapsed"], found[1]["elapsed"]))
        what = f"{millions}·10⁶ rows, 3 measures / applyInPandas, PRES alone"
        print_table([(what, Comparison.of(pairs), 0.5)])

    def skew(self) -> None:
        """Score runs that are unevenly distributed, or skewed."""
        cases: Iterable[tuple[str, str, int]] = [
            ("sorted by topic", "topic", self.millions[0]),
            ("sorted by score", "score", self.millions[0]),
            ("a topic with 5 million documents, and 100,000 topics with 10", "large", 5),
        ]
        rows = [
            [name, f"{millions}", f"{self.case('ours', order, millions)['elapsed']:.1f}"]
            for name, order, millions in cases
        ]
        print(table(["run", "million rows", "elapsed, s"], rows, text=["run"]))

    def growth(self) -> None:
        """Score growing runs."""
        rows = []
        for millions in self.millions:
            elapsed = self.case("ours", "score", millions)["elapsed"]
            rows.append([f"{millions}", f"{elapsed:.1f}", f"{elapsed / millions:.2f}"])
        print(table(["million rows", "elapsed, s", "µs per row"], rows, text=[]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", default="4,16", help="sizes, in million rows")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of `against`")
    parser.add_argument("--only", default="against,skew,growth", help="tables to make")
    parser.add_argument("--case", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.case:
        print(json.dumps(run_case(*options.case)))
        return
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), [int(n) for n in options.rows.split(",")], options.rounds)
        for name in options.only.split(","):
            getattr(bench, name)()


if __name__ == "__main__":
    main()
