"""Dataframes from Parquet files: what scoring costs by library and rows.

Run it as ``python integration_tests/benchmarks/frames_growth.py``. It scores the first 1, 4 and 16
of 16 runs of a million rows each in one call, each time in a process of its own.
"""

from __future__ import annotations

import sys
import tempfile

import polars as pl
from frames_speed import collection
from sidebyside import table, used

from pres_plugin.frames import score

MEASURES = ["PRES@1000", "AP", "R@1000"]
MILLIONS = (1, 4, 16)


def main() -> None:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for r in range(max(MILLIONS)):
            run, qrels = collection(seed=r)
            qrels.write_parquet(f"{folder}/qrels.parquet")
            run.with_columns(run=pl.lit(f"run-{r:03}")).write_parquet(f"{folder}/{r:03}.parquet")
        for n in MILLIONS:
            for library in ("polars", "duckdb"):
                found = used((sys.executable, __file__, library, str(n), folder))
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


if __name__ == "__main__":
    if sys.argv[1:]:
        run_case(*sys.argv[1:])
    else:
        main()
