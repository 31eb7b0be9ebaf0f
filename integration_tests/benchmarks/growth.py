"""Measure how time and memory grow with the number of topics and of documents per topic.

Run it as ``python integration_tests/benchmarks/growth.py``: it scores runs of
1,000 to a million topics with ten documents each, and of ten topics with ten to
a million documents each. It takes four minutes, 2 GB of disk and up to 4 GB of
memory, and prints a table. ``--largest 10000`` leaves out what is larger. Linux
only: it reads memory from /proc.

Each point is a process of its own. The first call is not timed, since it imports
and reads what later calls have at hand. Memory is the peak of the whole process
during that call, with Python, the libraries and the input.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from peak_memory import peak_bytes
from sidebyside import seconds, table

FEW = 10
TOPICS = [(n, FEW) for n in (10**3, 10**4, 10**5, 10**6)]
DOCS = [(FEW, n) for n in (10, 10**2, 10**3, 10**4, 10**5, 10**6)]
N_JUDGED = 10

#: The largest number of timed calls, and the seconds after which no other begins.
MOST_CALLS, ENOUGH = 5, 2.0


def write_collection(folder: Path, n_topics: int, n_docs: int) -> None:
    """Write a run and its judgements, of which half are retrieved and every second is relevant."""
    import numpy as np
    import polars as pl

    def write(name: str, first: int, size: int, columns: str, numbers: Any) -> None:
        topic, doc = np.divmod(np.arange(n_topics * size), size)
        doc = (1009 * topic + 7919 * (doc + first)) % 10**7
        rows = pl.DataFrame({"topic": topic, "doc": doc, "number": numbers})
        lines = pl.format(columns, "topic", "doc", "number")
        style = {"include_header": False, "quote_style": "never"}
        rows.select(lines).write_csv(folder / name, **style)

    scores = np.random.default_rng(0).random(n_topics * n_docs, dtype=np.float32)
    write("run", 0, n_docs, "q{} Q0 EP{} 1 {} tag", scores)
    relevance = np.arange(n_topics * N_JUDGED) % 2
    write("qrels", n_docs - N_JUDGED // 2, N_JUDGED, "q{} 0 EP{} {}", relevance)


# The interfaces: each returns a call that scores the collection in a folder by a measure.


def with_frames(folder: Path, measure: str) -> Callable[[], object]:
    import polars as pl

    from pres_plugin.frames import score

    def table(name: str, fields: list[str]) -> pl.DataFrame:
        style = {"separator": " ", "has_header": False, "new_columns": fields}
        return pl.read_csv(folder / name, **style)

    run = table("run", ["query_id", "Q0", "doc_id", "rank", "score", "tag"]).drop("rank")
    qrels = table("qrels", ["query_id", "iteration", "doc_id", "relevance"])
    return lambda: score(run, qrels, measure)


def with_pres_eval(folder: Path, measure: str) -> Callable[[], object]:
    from pres_plugin.cli import run

    def call() -> None:
        sys.argv = ["pres-eval", "score", str(folder / "qrels"), str(folder / "run"), "-m", measure]
        if run():  # a failed command must not count as a fast one
            raise RuntimeError("the command failed")

    return call


def with_ir_measures(folder: Path, measure: str) -> Callable[[], object]:
    import pres_plugin  # noqa: F401 (adds PRES to ir_measures)

    import ir_measures  # isort: skip
    from pres_plugin.files import read_qrels, read_run

    run, qrels = read_run(folder / "run"), read_qrels(folder / "qrels")
    parsed = ir_measures.parse_measure(measure)
    return lambda: parsed.calc_aggregate(qrels, run)


INTERFACES = {
    "frames.score, polars": with_frames,
    "pres-eval score, TREC's format": with_pres_eval,
    "ir-measures, dict of dicts": with_ir_measures,
}


def measured(interface: str, folder: Path, measure: str) -> tuple[list[float], float]:
    """Return the seconds of each call in this process, and its peak memory in MiB."""
    call = INTERFACES[interface](folder, measure)
    call()
    peak = peak_bytes()
    times: list[float] = []
    while len(times) < MOST_CALLS and sum(times) < ENOUGH:
        times.append(seconds(call))
    return times, peak / 2**20


def in_process_of_its_own(*words: object) -> str:
    """Return the last line that this script prints if called with these words."""
    command = [sys.executable, __file__, *map(str, words)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.rpartition("\n")[2]


def measure_all(largest: int) -> None:
    """Print a row for each size and interface, with the time per document."""
    heads = ["topics", "documents per topic", "interface", "time, s", "lowest–highest, s"]
    rows = []
    for size in [size for size in (*TOPICS, *DOCS) if max(size) <= largest]:
        with tempfile.TemporaryDirectory() as folder:
            in_process_of_its_own("--collection", folder, *size)
            for interface in INTERFACES:
                measure = f"PRES@{min(size[1], 1000)}"
                printed = in_process_of_its_own("--measure", interface, folder, measure)
                times, mebibytes = json.loads(printed)
                median = statistics.median(times)
                rows.append(
                    [
                        *(f"{n:,}" for n in size),
                        interface,
                        f"{median:.4f}",
                        f"{min(times):.4f}–{max(times):.4f}",
                        f"{1e6 * median / math.prod(size):.2f}",
                        f"{mebibytes:,.0f}",
                    ]
                )
    print(table([*heads, "µs per document", "peak memory, MiB"], rows, ["interface"]))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--largest", type=int, default=10**6, help="topics or documents per topic")
    parser.add_argument("--collection", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("--measure", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.collection:
        folder, *size = options.collection
        write_collection(Path(folder), *map(int, size))
    elif options.measure:
        interface, folder, measure = options.measure
        print(json.dumps(measured(interface, Path(folder), measure)), end="")
    else:
        measure_all(options.largest)


if __name__ == "__main__":
    main()
