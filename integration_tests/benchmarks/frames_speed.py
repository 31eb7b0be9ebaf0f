"""Dataframes in one process: what scoring costs by library and rows.

Run it as ``python integration_tests/benchmarks/frames_speed.py``. It compares libraries with each
other, with ir-measures and with its dicts, and scores the first 1, 4 and 16 of 16 runs of a
million rows each in one call. Smaller: ``--runs 1,4``; only some tables: ``--only ap``. Spark is
measured by spark_speed.py.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from sidebyside import compare, print_table, table, used

from pres_plugin.frames import score

N_TOPICS = N_DOCS = 1000
MEASURES = ["PRES@1000", "AP", "R@1000"]


def ids(topic: Any, index: Any) -> pl.DataFrame:
    """Return the ids of topics and of documents, which look like patents."""
    numbers = pl.DataFrame({"topic": topic, "doc": (1009 * topic + 7919 * index) % 10_000_000})
    return numbers.select(
        query_id=pl.format("PAC-{}", pl.col("topic").cast(pl.String).str.zfill(4)),
        doc_id=pl.format("EP{}", pl.col("doc").cast(pl.String).str.zfill(7)),
    )


def collection(
    n_topics: int = N_TOPICS, n_docs: int = N_DOCS, seed: int = 0
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return a run and qrels: 100 judgements per topic, of which every second is relevant."""
    topic, place = np.divmod(np.arange(n_topics * n_docs), n_docs)
    scores = 20 * np.random.default_rng(seed).random(len(topic), dtype=np.float32)
    run = ids(topic, place + 10 * seed).with_columns(score=pl.Series(scores))
    topic, place = np.divmod(np.arange(n_topics * 100), 100)
    return run, ids(topic, 20 * place).with_columns(relevance=pl.Series(place % 2))


def ap() -> None:
    """Compare libraries with each other, and with ir-measures."""
    import duckdb
    import ir_measures

    frames = collection()
    pandas = [frame.to_pandas() for frame in frames]
    # pandas 2 stores strings as Python objects; pandas 3 does, too, if told so.
    objects = [frame.astype({"query_id": object, "doc_id": object}) for frame in pandas]
    tables = [frame.to_arrow() for frame in frames]
    relations = [duckdb.from_arrow(table) for table in tables]
    large = collection(5, 600_000)
    names = ("score", "relevance")
    dicts = [
        {topic: dict(zip(rows["doc_id"], rows[name], strict=True))
         for (topic,), rows in frame.group_by("query_id")}
        for frame, name in zip(large, names, strict=True)
    ]  # fmt: skip

    def pres(frames: Any) -> Callable[[], object]:
        return lambda: score(*frames, "PRES@1000")

    def in_ir_measures(measure: Any, run: Any, qrels: Any) -> Callable[[], object]:
        return lambda: measure.calc_aggregate(qrels, run)

    ir_ap = in_ir_measures(ir_measures.AP, *pandas)
    print_table(
        [
            ("score by PRES@1000, polars / AP by ir-measures, pandas",
             compare(pres(frames), ir_ap, 5), 0.12),
            ("score by PRES@1000, pandas / AP by ir-measures, pandas",
             compare(pres(pandas), ir_ap, 5), 0.12),
            ("pandas, ids as Python objects / AP by ir-measures, pandas",
             compare(pres(objects), in_ir_measures(ir_measures.AP, *objects), 5), 0.25),
            ("score by PRES@1000, PyArrow / polars",
             compare(pres(tables), pres(frames), 15), 1.5),
            ("score by PRES@1000, pandas / polars",
             compare(pres(pandas), pres(frames), 15), 1.5),
            ("score by PRES@1000, DuckDB / polars",
             compare(pres(relations), pres(frames), 15), 1.5),
            ("5 topics × 600,000 documents, polars / PRES on dicts",
             compare(pres(large), in_ir_measures(ir_measures.PRES @ 1000, *dicts), 5), 1.2),
        ]
    )  # fmt: skip


def growth(runs: list[int]) -> None:
    """Score Parquet files of growing size, each time in a process of its own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for r in range(max(runs)):
            run, qrels = collection(seed=r)
            qrels.write_parquet(folder / "qrels.parquet")
            run.with_columns(run=pl.lit(f"run-{r:03}")).write_parquet(folder / f"{r:03}.parquet")
        rows = []
        for n in runs:
            for library in ("polars", "duckdb"):
                case = (sys.executable, __file__, "--case", library, str(n), name)
                found = used(case)
                cells = [f"{found.elapsed:.1f}", f"{found.processor:.1f}"]
                rows.append([f"{n}", library, *cells, f"{found.mebibytes:,.0f}"])
    heads = ["million rows", "library", "elapsed, s", "CPU, s", "peak memory, MiB"]
    print(table(heads, rows, text=["library"]))


def run_case(library: str, n: str, folder: str) -> None:
    """Score the first runs of a folder in this process, and take their means."""
    paths = [f"{folder}/{r:03}.parquet" for r in range(int(n))]
    if library == "polars":
        files = pl.scan_parquet(paths), pl.scan_parquet(f"{folder}/qrels.parquet")
        score(*files, MEASURES, by="run").group_by("run", "measure").agg(pl.mean("value")).collect()
        return
    import duckdb

    relations = duckdb.read_parquet(paths), duckdb.read_parquet(f"{folder}/qrels.parquet")
    score(*relations, MEASURES, by="run").aggregate("run, measure, avg(value)").fetchall()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", default="1,4,16", help="sizes, in million rows")
    parser.add_argument("--only", default="ap,growth", help="tables to make")
    parser.add_argument("--case", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.case:
        run_case(*options.case)
        return
    if "ap" in options.only:
        ap()
    if "growth" in options.only:
        growth([int(n) for n in options.runs.split(",")])


if __name__ == "__main__":
    main()
