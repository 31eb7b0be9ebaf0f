"""Dataframes in one process: what scoring costs by rows, library and memory.

Run it as ``python integration_tests/benchmarks/frames_speed.py``: it writes a
folder of 100 runs × 1,000 topics × 1,000 documents as Parquet (1 GB), scores
the first 1, 4, 16, 64 and 100 of them in one call, each time in a process of its
own, and prints tables. Smaller: ``--runs 1,4``; only some: ``--only ap``. It needs
Linux, because it reads memory from /proc. Spark is measured by spark_speed.py.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from peak_memory import peak_bytes
from sidebyside import Comparison, compare, print_table, table

from pres_plugin.frames import score

N_TOPICS = N_DOCS = 1000
ROWS = N_TOPICS * N_DOCS
MEASURES = ["PRES@1000", "AP", "R@1000"]
# Million rows that fit in the memory of a small machine (10 GB), where it grows with them.
MOST = {"polars": 16, "polars, streaming": 16}


# The data: each run has the documents that the one before it has, but for ten.


def write_collection(folder: Path, n_runs: int) -> None:
    """qrels.parquet and a folder of runs; what is there already is kept."""
    (folder / "runs").mkdir(parents=True, exist_ok=True)
    topic, place = np.divmod(np.arange(N_TOPICS * 100), 100)
    judged = _ids(topic, 20 * place).with_columns(relevance=pl.Series(place % 2))
    judged.write_parquet(folder / "qrels.parquet")
    topic, place = np.divmod(np.arange(ROWS), N_DOCS)
    for r in range(n_runs):
        path = _run_path(folder, r)
        if path.exists():
            continue
        scores = 20 * np.random.default_rng(r).random(ROWS, dtype=np.float32)
        run = _ids(topic, place + 10 * r).select(
            pl.lit(f"run-{r:03}").alias("run"), "query_id", "doc_id", pl.Series("score", scores)
        )
        run.write_parquet(path.with_suffix(".part"))
        path.with_suffix(".part").rename(path)


def _run_path(folder: Path, r: int) -> Path:
    return folder / "runs" / f"run-{r:03}.parquet"


def _ids(topic: Any, index: Any) -> pl.DataFrame:
    numbers = pl.DataFrame({"topic": topic, "doc": (1009 * topic + 7919 * index) % 10_000_000})
    return numbers.select(
        query_id=pl.format("PAC-{}", pl.col("topic").cast(pl.String).str.zfill(4)),
        doc_id=pl.format("EP{}", pl.col("doc").cast(pl.String).str.zfill(7)),
    )


# The cases, each in a process of its own.


def polars_case(folder: Path, paths: list[str], streaming: bool = False) -> Callable[[], float]:
    qrels = pl.scan_parquet(folder / "qrels.parquet")
    result = score(pl.scan_parquet(paths), qrels, MEASURES, by="run")
    mean = result.group_by("run", "measure").agg(pl.col("value").mean()).select("value").mean()
    engine = "streaming" if streaming else "in-memory"
    return lambda: mean.collect(engine=engine).item()


def polars_apart_case(folder: Path, paths: list[str]) -> Callable[[], float]:
    """A run at a time, so that no more than one is in memory."""
    qrels = pl.read_parquet(folder / "qrels.parquet").lazy()

    def means(path: str) -> pl.DataFrame:
        result = score(pl.scan_parquet(path), qrels, MEASURES, by="run")
        return result.group_by("run", "measure").agg(pl.col("value").mean()).collect()

    def call() -> float:
        mean: float = pl.concat(map(means, paths)).select("value").mean().item()
        return mean

    return call


def duckdb_case(folder: Path, paths: list[str], memory: str = "") -> Callable[[], float]:
    import duckdb

    # Results are grouped, so that the order of the rows that are read says nothing.
    config: dict[str, Any] = {"temp_directory": str(folder), "preserve_insertion_order": False}
    connection = duckdb.connect(config=config | ({"memory_limit": memory} if memory else {}))
    qrels = connection.read_parquet(str(folder / "qrels.parquet"))
    result = score(connection.read_parquet(paths), qrels, MEASURES, by="run")
    mean = result.aggregate("run, measure, avg(value) AS value").aggregate("avg(value)")

    def call() -> float:
        value: float = mean.fetchall()[0][0]
        return value

    call.connection = connection  # type: ignore[attr-defined] (which closes with its last reference)
    return call


def run_case(case: dict[str, Any]) -> dict[str, float]:
    """Time one call in this process, which does nothing else."""
    folder = Path(case["folder"])
    paths = [str(_run_path(folder, r)) for r in range(case["runs"])]
    options = case["options"]
    if case["library"] == "polars":
        call = polars_case(folder, paths, **options)
    elif case["library"] == "polars apart":
        call = polars_apart_case(folder, paths)
    else:
        call = duckdb_case(folder, paths, **options)
    cpu, start = time.process_time(), time.perf_counter()
    mean = call()
    wall = time.perf_counter() - start
    cpu = time.process_time() - cpu
    return {"mean": mean, "wall": wall, "cpu": cpu, "peak": peak_bytes()}


# The tables.


class Bench:
    """Cases on one folder, as tables."""

    def __init__(self, folder: Path, runs: list[int]) -> None:
        self.folder = folder
        self.runs = runs
        self.means: dict[int, float] = {}

    def case(self, library: str, runs: int, **options: Any) -> dict[str, float]:
        """What a case in a process of its own says; all libraries have to agree."""
        case = {"library": library, "runs": runs, "folder": str(self.folder), "options": options}
        command = [sys.executable, __file__, "--case", json.dumps(case)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
        known = self.means.setdefault(runs, found["mean"])
        if abs(found["mean"] - known) > 1e-9:
            raise RuntimeError(f"{case}: mean {found['mean']}, elsewhere {known}")
        print(f"{library} {options}, {runs} runs: {found}", file=sys.stderr)
        return found

    def growth(self) -> str:
        libraries: dict[str, tuple[str, dict[str, Any]]] = {
            "polars": ("polars", {}),
            "polars, streaming": ("polars", {"streaming": True}),
            "polars, run by run": ("polars apart", {}),
            "DuckDB": ("duckdb", {}),
            "DuckDB, 2 GB": ("duckdb", {"memory": "2GB"}),
        }
        rows = []
        for runs in self.runs:
            for name, (library, options) in libraries.items():
                if runs > MOST.get(name, runs):
                    continue
                found = self.case(library, runs, **options)
                rows.append([f"{runs:,}", name, *_measured(found, runs * ROWS)])
        heads = ["million rows", "library", *_MEASURED]
        return table(heads, rows, text=["library"])

    def duckdb(self) -> str:
        """DuckDB and polars on the same Parquet files; both read them in each call."""
        rows: list[tuple[str, Comparison, float]] = []
        for runs in sorted({1, min(max(self.runs), 4)}):
            paths = [str(_run_path(self.folder, r)) for r in range(runs)]
            of_duckdb = lambda paths=paths: duckdb_case(self.folder, paths)()  # noqa: E731
            of_polars = lambda paths=paths: polars_case(self.folder, paths)()  # noqa: E731
            what = f"score {runs}·10⁶ rows of Parquet by 3 measures, DuckDB / polars"
            rows.append((what, compare(of_duckdb, of_polars, 5), 1.5))
        return _compared(rows)

    def ap(self) -> str:
        import ir_measures

        run, qrels = pl.read_parquet(_run_path(self.folder, 0)), self.folder / "qrels.parquet"
        frames = run.drop("run"), pl.read_parquet(qrels)
        pandas = [frame.to_pandas() for frame in frames]
        # pandas 2 stores strings as Python objects; pandas 3 does, too, if told so.
        objects = [frame.astype({"query_id": object, "doc_id": object}) for frame in pandas]
        tables = [frame.to_arrow() for frame in frames]

        def pres(frames: Any) -> Callable[[], object]:
            return lambda: score(*frames, "PRES@1000")

        def ap(run: Any, qrels: Any) -> Callable[[], object]:
            return lambda: ir_measures.AP.calc_aggregate(qrels, run)

        rows = [
            ("score by PRES@1000, polars / AP by ir-measures, pandas",
             compare(pres(frames), ap(*pandas), 5), 0.12),
            ("score by PRES@1000, pandas / AP by ir-measures, pandas",
             compare(pres(pandas), ap(*pandas), 5), 0.12),
            ("pandas, ids as Python objects / AP by ir-measures, pandas",
             compare(pres(objects), ap(*objects), 5), 0.25),
            ("score by PRES@1000, PyArrow / polars",
             compare(pres(tables), pres(frames), 15), 1.5),
            ("score by PRES@1000, pandas / polars",
             compare(pres(pandas), pres(frames), 15), 1.5),
        ]  # fmt: skip
        return _compared(rows)


_MEASURED = ["elapsed, s", "CPU, s", "CPU µs per row", "peak memory, GB"]


def _measured(found: dict[str, float], rows: int) -> list[str]:
    wall, cpu, peak = found["wall"], found["cpu"], found["peak"]
    return [f"{wall:.1f}", f"{cpu:.1f}", f"{1e6 * cpu / rows:.2f}", f"{peak / 1e9:.1f}"]


def _compared(rows: list[tuple[str, Comparison, float]]) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        print_table(rows)
    return printed.getvalue().strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", default="1,4,16,64,100", help="sizes, in million rows")
    parser.add_argument("--only", default="ap,duckdb,growth", help="tables to make")
    parser.add_argument("--folder", type=Path, help="keep the data here; else a temporary folder")
    parser.add_argument("--case", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.case:
        print(json.dumps(run_case(json.loads(options.case))))
        return
    runs = [int(n) for n in options.runs.split(",")]
    with contextlib.ExitStack() as stack:
        folder = options.folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        write_collection(folder, max(runs))
        bench = Bench(folder, runs)
        for name in options.only.split(","):
            print(getattr(bench, name)(), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
