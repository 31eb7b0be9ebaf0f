"""Spark: what scoring costs by rows, steps and skew, compared with calling ir-measures.

Run it as ``python integration_tests/benchmarks/spark_speed.py`` on Linux, with Java. It
writes up to 1 GB of Parquet into a temporary folder, measures each case in a process of
its own, and prints tables. Only some tables: ``--only against,skew``. Smaller:
``--rows 1,4 --large 4``. The comparisons at 40 million rows take longest.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from peak_memory import peak_bytes
from sidebyside import table

from pres_plugin.frames import score

MILLION = 1_000_000
#: The measure that all score. ir-measures computes its own AP in C.
MEASURE = "AP"
#: Documents of one topic.
N_DOCS = 1000
#: Rows of one partition.
PARTITION = 2 * MILLION
#: Random numbers that repeat.
SEED = 17


# The data.


def _ids(topic: Any, doc: Any) -> pl.DataFrame:
    columns = pl.DataFrame({"topic": topic, "doc": doc})
    return columns.select(
        query_id=pl.format("PAC-{}", pl.col("topic").cast(pl.String).str.zfill(7)),
        doc_id=pl.format("EP{}", pl.col("doc").cast(pl.String).str.zfill(7)),
    )


def _topics(first: int, n_topics: int, depth: int) -> pl.DataFrame:
    """Return a run of several topics, sorted by topic, with scores in random order."""
    topic, place = np.divmod(np.arange(n_topics * depth), depth)
    topic = topic + first
    scores = 20 * np.random.default_rng(first + SEED).random(len(topic), dtype=np.float32)
    ids = _ids(topic, (1009 * topic + 7919 * place) % (10 * MILLION))
    return ids.with_columns(score=pl.Series(scores))


def _judged(n_topics: int, depth: int, step: int) -> pl.DataFrame:
    """Return judgements of every `step`-th document; every second one is relevant."""
    topic, place = np.divmod(np.arange(n_topics * (depth // step)), depth // step)
    ids = _ids(topic, (1009 * topic + 7919 * step * place) % (10 * MILLION))
    return ids.with_columns(relevance=pl.Series(place % 2))


def by_topic(folder: Path, millions: int) -> None:
    """Write a run sorted by topic, one file per million rows."""
    for i in range(millions):
        n_topics = MILLION // N_DOCS
        _topics(i * n_topics, n_topics, N_DOCS).write_parquet(folder / "run" / f"{i:03}.parquet")
    _judged(millions * MILLION // N_DOCS, N_DOCS, 20).write_parquet(folder / "qrels.parquet")


def by_score(folder: Path, millions: int) -> None:
    """Write the same run sorted by score, so that each file has rows of all topics."""
    by_topic(folder, millions)
    paths = sorted((folder / "run").iterdir())
    run = pl.read_parquet(paths).sort("score", descending=True)
    for i, path in enumerate(paths):
        run.slice(i * MILLION, MILLION).write_parquet(path)


def one_large(folder: Path, millions: int) -> None:
    """Write a million topics of ten documents, and a topic of `millions` million documents."""
    _topics(0, MILLION, 10).write_parquet(folder / "run" / "small.parquet")
    large = _topics(9_999_999, 1, millions * MILLION)
    large.write_parquet(folder / "run" / "large.parquet")
    judged = large.select("query_id", "doc_id")[::5000].with_columns(relevance=pl.lit(1))
    pl.concat(
        [_judged(MILLION, 10, 5).with_columns(pl.col("relevance").cast(pl.Int32)), judged]
    ).write_parquet(folder / "qrels.parquet")


DATA = {"topic": by_topic, "score": by_score, "large": one_large}


def written(folder: Path, order: str, millions: int) -> Path:
    """Return a folder with run and qrels, and write them if they are not there."""
    path = folder / f"{order}-{millions}"
    if not (path / "qrels.parquet").exists():
        (path / "run").mkdir(parents=True, exist_ok=True)
        DATA[order](path, millions)
    return path


# What is measured. Each takes the session and both frames, and returns the mean.


def ours(run: Any, qrels: Any) -> float:
    from pyspark.sql import functions as F  # noqa: N812 (as Spark's users write it)

    return float(score(run, qrels, MEASURE).agg(F.avg("value")).collect()[0][0])


def in_pandas(run: Any, qrels: Any) -> float:
    """Score each topic by ir-measures in a Python worker, which gets the qrels once."""
    import ir_measures
    import pandas as pd
    from pyspark.sql import functions as F  # noqa: N812 (as Spark's users write it)

    measure = ir_measures.parse_measure(MEASURE)
    known: dict[str, dict[str, int]] = {}
    for row in qrels.toPandas().itertuples(index=False):
        known.setdefault(row.query_id, {})[row.doc_id] = row.relevance

    def scored(rows: pd.DataFrame) -> pd.DataFrame:
        topic = rows["query_id"].iat[0]
        documents = dict(zip(rows["doc_id"].tolist(), rows["score"].tolist(), strict=True))
        values = ir_measures.iter_calc([measure], {topic: known[topic]}, {topic: documents})
        found = [(value.query_id, value.value) for value in values]
        return pd.DataFrame(found, columns=["query_id", "value"])

    result = run.groupBy("query_id").applyInPandas(scored, "query_id string, value double")
    return float(result.agg(F.avg("value")).collect()[0][0])


def on_driver(run: Any, qrels: Any) -> float:
    import ir_measures

    measure = ir_measures.parse_measure(MEASURE)
    return float(measure.calc_aggregate(qrels.toPandas(), run.toPandas()))


WAYS: dict[str, Callable[[Any, Any], float]] = {
    "ours": ours,
    "applyInPandas, dicts": in_pandas,
    "toPandas": on_driver,
}


# One case, in a process of its own.


def session(folder: Path, cores: int, memory: str, settings: dict[str, Any]) -> Any:
    from pyspark.sql import SparkSession

    (folder / "events").mkdir(exist_ok=True)
    settings = {
        "spark.driver.memory": memory,
        "spark.driver.maxResultSize": 0,
        "spark.local.dir": str(folder / "spark"),
        "spark.sql.warehouse.dir": str(folder / "tables"),
        "spark.sql.execution.arrow.pyspark.enabled": True,
        "spark.ui.enabled": False,
        "spark.ui.showConsoleProgress": False,
        "spark.log.level": "ERROR",
        "spark.eventLog.enabled": True,
        "spark.eventLog.dir": f"file://{folder / 'events'}",
        "spark.eventLog.compress": False,
        "spark.eventLog.rolling.enabled": False,
        "spark.executor.metrics.pollingInterval": "100ms",
        **settings,
    }
    return SparkSession.builder.master(f"local[{cores}]").config(map=settings).getOrCreate()


def run_case(case: dict[str, Any]) -> dict[str, float]:
    """Time one call in this process, which does nothing else."""
    folder, data = Path(case["folder"]), Path(case["data"])
    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = session(folder, case["cores"], case["memory"], case["settings"])
    log = folder / "events" / spark.sparkContext.applicationId
    run = spark.read.parquet(str(data / "run"))
    qrels = spark.read.parquet(str(data / "qrels.parquet"))
    if case["bucketed"]:
        run.write.bucketBy(16, "query_id").sortBy("query_id").mode("overwrite").saveAsTable("run")
        run = spark.table("run")
    call = WAYS[case["way"]]
    # Code is loaded and compiled before the clock starts. Ours and theirs have the same rows.
    warm = written(folder, "topic", 1)
    call(spark.read.parquet(str(warm / "run")), spark.read.parquet(str(warm / "qrels.parquet")))
    jvm, begin = spark.sparkContext._gateway.proc.pid, time.time()
    before = _cpu_seconds(os.getpid(), jvm)
    start = time.perf_counter()
    mean = call(run, qrels)
    wall = time.perf_counter() - start
    cpu = _cpu_seconds(os.getpid(), jvm) - before
    resident = sum(map(peak_bytes, _tree(os.getpid())))
    spark.stop()
    return {"mean": mean, "wall": wall, "cpu": cpu, "resident": resident, **logged(log, begin)}


def logged(log: Path, begin: float) -> dict[str, float]:
    """Return what the event log says about the tasks that started after `begin`."""
    ended = (json.loads(line) for line in log.open(encoding="utf-8") if "TaskEnd" in line)
    tasks = [event for event in ended if event["Task Info"]["Launch Time"] >= 1000 * begin]
    metrics = [event["Task Metrics"] for event in tasks]
    return {
        "tasks": len(tasks),
        "shuffled": sum(m["Shuffle Write Metrics"]["Shuffle Bytes Written"] for m in metrics),
        "spilled": sum(m["Disk Bytes Spilled"] for m in metrics),
        "execution": max(m["Peak Execution Memory"] for m in metrics),
        "heap": max(event["Task Executor Metrics"]["JVMHeapMemory"] for event in tasks),
    }


def _stat(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()


def _tree(pid: int) -> list[int]:
    """Return a process and those that it started, directly or not."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parents[int(path.name)] = int(_stat(int(path.name))[1])
    found = [pid]
    for parent in found:
        found += [child for child, its in parents.items() if its == parent]
    return found


def _cpu_seconds(*roots: int) -> float:
    # Ended workers are counted in the process that waited for them.
    ticks = sum(sum(map(int, _stat(pid)[11:15])) for pid in set().union(*map(_tree, roots)))
    return ticks / os.sysconf("SC_CLK_TCK")


# The tables.


class Bench:
    """The tables, from cases on data in one folder."""

    def __init__(self, folder: Path, millions: list[int], large: int, rounds: int) -> None:
        self.folder = folder
        self.millions = millions
        self.few = millions[0]
        self.large = large
        self.rounds = rounds

    def case(
        self, way: str, data: Path, *, cores: int = 2, memory: str = "2g", bucketed: bool = False,
        **settings: Any,
    ) -> dict[str, float]:  # fmt: skip
        """Run one case in a process of its own."""
        case = {
            "way": way, "folder": str(self.folder), "data": str(data), "cores": cores,
            "memory": memory, "bucketed": bucketed, "settings": settings,
        }  # fmt: skip
        command = [sys.executable, "-W", "ignore", __file__, "--case", json.dumps(case)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
        print(f"{way}, {data.name} {settings}: {found}", file=sys.stderr, flush=True)
        return found

    def against(self) -> str:
        """Compare with calling ir-measures: three times for the smaller run, else once."""
        rows = []
        for millions in (self.few, self.large):
            data = written(self.folder, "topic", millions)
            # The driver alone needs more memory for 40 million rows. All get the same.
            memory = "2g" if millions <= 4 else "8g"
            rounds = [
                {way: self.case(way, data, memory=memory) for way in WAYS}
                for _ in range(self.rounds if millions <= 4 else 1)
            ]
            for found in rounds:
                _agree([case["mean"] for case in found.values()])
            for way in rounds[0]:
                cells = [_median(found[way]["wall"] for found in rounds)]
                cells += [_median(found[way]["cpu"] for found in rounds)]
                ratios = [
                    f"{_median(found['ours'][what] / found[way][what] for found in rounds):.2f}"
                    for what in ("wall", "cpu", "resident")
                ]
                peak = _median(found[way]["resident"] for found in rounds) / 1e9
                moved = _median(found[way]["shuffled"] for found in rounds) / 1e6
                numbers = [*(f"{cell:.1f}" for cell in cells), f"{peak:.1f}", f"{moved:,.0f}"]
                rows.append([f"{millions:,}", way, *numbers, *ratios])
        heads = [
            "million rows", "way", "elapsed, s", "CPU, s", "peak memory, GB", "shuffled, MB",
            "elapsed ratio", "CPU ratio", "memory ratio",
        ]  # fmt: skip
        return _table(heads, rows)

    def skew(self) -> str:
        """Score runs that are skewed or unevenly distributed."""
        topic, by_score = (written(self.folder, order, self.few) for order in ("topic", "score"))
        many = {"spark.sql.shuffle.partitions": 2000}
        fixed = {**many, "spark.sql.adaptive.enabled": False}
        large = written(self.folder, "large", 5)
        n = self.few
        cases: list[tuple[str, int, Path, dict[str, Any]]] = [
            ("sorted by topic", n, topic, {}),
            ("sorted by score", n, by_score, {}),
            ("2,000 partitions", n, topic, many),
            ("2,000 partitions, not adaptive", n, topic, fixed),
            ("table bucketed by topic", n, topic, {"bucketed": True}),
            ("a topic with 5 million documents, and a million topics with 10 each", 15, large, {}),
        ]
        rows = []
        for name, millions, data, options in cases:
            found = self.case("ours", data, **options)
            rows.append([name, f"{millions}", *_numbers(found, millions * MILLION)])
        return _table(["run", "million rows", *_NUMBERS], rows)

    def growth(self) -> str:
        """Score growing runs in partitions of one size."""
        rows = []
        for millions in self.millions:
            data = written(self.folder, "score", millions)
            settings = {
                "spark.sql.shuffle.partitions": max(1, millions * MILLION // PARTITION),
                "spark.sql.adaptive.coalescePartitions.enabled": False,
            }
            found = self.case("ours", data, **settings)
            rows.append([f"{millions}", *_numbers(found, millions * MILLION)])
        return _table(["million rows", *_NUMBERS], rows)


_NUMBERS = [
    "elapsed, s", "CPU µs per row", "shuffled B per row", "spilled B per row",
    "task memory, MB", "JVM heap, GB", "peak memory, GB",
]  # fmt: skip


def _numbers(found: dict[str, float], rows: int) -> list[str]:
    return [
        f"{found['wall']:.1f}", f"{1e6 * found['cpu'] / rows:.2f}",
        f"{found['shuffled'] / rows:.1f}", f"{found['spilled'] / rows:.1f}",
        f"{found['execution'] / 1e6:,.0f}", f"{found['heap'] / 1e9:.1f}",
        f"{found['resident'] / 1e9:.1f}",
    ]  # fmt: skip


def _median(values: Iterable[float]) -> float:
    return statistics.median(values)


def _agree(means: list[float]) -> None:
    if max(means) - min(means) > 1e-9:
        raise RuntimeError(f"the means differ: {means}")


def _table(heads: list[str], rows: Iterable[list[str]]) -> str:
    return table(heads, rows, text=["way", "run"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", default="4,16,40", help="sizes, in million rows")
    parser.add_argument("--large", type=int, default=40, help="the larger size of `against`")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of `against` at 4 million")
    parser.add_argument("--only", default="skew,growth,against", help="tables to make")
    parser.add_argument("--folder", type=Path, help="keep the data here; else a temporary folder")
    parser.add_argument("--case", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.case:
        print(json.dumps(run_case(json.loads(options.case))))
        return
    with contextlib.ExitStack() as stack:
        folder = options.folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        millions = [int(n) for n in options.rows.split(",")]
        bench = Bench(folder, millions, options.large, options.rounds)
        for name in options.only.split(","):
            print(f"{name}\n\n{getattr(bench, name)()}\n", flush=True)


if __name__ == "__main__":
    main()
