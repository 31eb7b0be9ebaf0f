"""Measure how time and memory grow with the number of topics and of documents per topic.

Run it as ``python integration_tests/benchmarks/growth.py``: it scores runs of
1,000 to a million topics with ten documents each, and of ten topics with ten to
a million documents each. It takes some minutes, 2 GB of disk and up to 4 GB of
memory, and prints a table.

Each point is a process of its own. The first call is not timed, since it imports
and reads what later calls have at hand. Memory is the peak of the whole process
during that call, with Python, the libraries and the input.
"""

from __future__ import annotations

import json
import resource
import statistics
import sys
import tempfile
from collections.abc import Callable
from typing import Any

import made
from sidebyside import in_a_process, seconds, table

FEW = 10
TOPICS = [(n, FEW) for n in (10**3, 10**4, 10**5, 10**6)]
DOCS = [(FEW, n) for n in (10, 10**2, 10**3, 10**4, 10**5, 10**6)]
#: The largest number of timed calls, and the seconds after which no other begins.
MOST_CALLS, ENOUGH = 5, 2.0


# The interfaces: each returns a call that scores the files of a folder by a measure.


def with_frames(qrels: str, run: str, measure: str) -> Callable[[], object]:
    import polars as pl

    from pres_plugin.frames import score

    def read(path: str, *names: str) -> Any:
        return pl.read_csv(path, separator=" ", has_header=False, new_columns=names)

    frames = (
        read(run, "query_id", "Q0", "doc_id", "line", "score", "tag"),
        read(qrels, "query_id", "iteration", "doc_id", "relevance"),
    )
    return lambda: score(*frames, measure)


def with_pres_eval(qrels: str, run: str, measure: str) -> Callable[[], object]:
    from pres_plugin.cli import run as pres_eval

    def call() -> None:
        sys.argv = ["pres-eval", "score", qrels, run, "-m", measure]
        if pres_eval():  # a failed command must not count as a fast one
            raise RuntimeError("the command failed")

    return call


def with_ir_measures(qrels: str, run: str, measure: str) -> Callable[[], object]:
    import pres_plugin  # noqa: F401 (adds PRES to ir_measures)

    import ir_measures  # isort: skip
    from pres_plugin.files import read_qrels, read_run

    read = read_qrels(qrels), read_run(run)
    return lambda: ir_measures.parse_measure(measure).calc_aggregate(*read)


INTERFACES = {
    "frames.score, polars": with_frames,
    "pres-eval score, TREC's format": with_pres_eval,
    "ir-measures, dict of dicts": with_ir_measures,
}


def measure_here(interface: str, *given: str) -> tuple[list[float], float]:
    """Return the seconds of each call in this process, and its peak memory in MiB."""
    call = INTERFACES[interface](*given)
    call()
    mebibytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    times: list[float] = []
    while len(times) < MOST_CALLS and sum(times) < ENOUGH:
        times.append(seconds(call))
    return times, mebibytes


def measured(n_topics: int, n_docs: int, interface: str, folder: str) -> list[str]:
    """Return the row of one size and interface."""
    given = f"{folder}/qrels", f"{folder}/runs/000", f"PRES@{min(n_docs, 1000)}"
    times, mebibytes = in_a_process(__file__, interface, *given)
    median = statistics.median(times)
    return [
        *(f"{n_topics:,}", f"{n_docs:,}", interface, f"{median:.4f}"),
        *(f"{min(times):.4f}–{max(times):.4f}", f"{1e6 * median / (n_topics * n_docs):.2f}"),
        f"{mebibytes:,.0f}",
    ]


def main() -> None:
    heads = ["topics", "documents per topic", "interface", "time, s", "lowest–highest, s"]
    rows = []
    for size in (*TOPICS, *DOCS):
        with tempfile.TemporaryDirectory() as folder:
            made.write(folder, *size)
            rows += [measured(*size, interface, folder) for interface in INTERFACES]
    print(table([*heads, "µs per document", "peak memory, MiB"], rows, ["interface"]))


if __name__ == "__main__":
    if sys.argv[1:]:
        print("\n" + json.dumps(measure_here(*sys.argv[1:])))
    else:
        main()
