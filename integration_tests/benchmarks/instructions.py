"""Count instructions instead of seconds, which depend less on the machine and not on its load.

Run it as ``python integration_tests/benchmarks/instructions.py``; it takes four
minutes on two cores and prints a table of ratios. It needs valgrind. Only
single-threaded Python is counted. Of a call, the instructions are those of a
process that makes it, without those of a process that does all but the call.
Each process runs with two hash seeds, on which dicts and sets depend.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from sidebyside import Comparison, Row, print_table

COMMAND = Path(sysconfig.get_path("scripts")) / "pres-eval"
N_TOPICS, N_DOCS = 100, 1000
SEEDS = ("0", "1")

OURS = [
    *(f"PRES@{k}" for k in (10, 50, 100, 200, 500, 1000)),
    *(f"PRES(rel={rel})@{k}" for rel in (2, 3) for k in (10, 100, 1000)),
    *(f"PRES_est@{k}" for k in (10, 100, 1000)),
    *("Rnorm(N=1000000)", "WSS(N=1000000)@0.95", "TNR(N=1000000)@0.95", "LastRel"),
    "LastRel(rel=2)",
]
THEIRS = [
    *(f"P@{k}" for k in (10, 50, 100, 200, 500, 1000)),
    *(f"P(rel={rel})@{k}" for rel in (2, 3) for k in (10, 100, 1000)),
    *(f"nDCG@{k}" for k in (10, 100, 1000)),
    *("AP", "Bpref", "Rprec", "RR"),
    "AP(rel=2)",
]


# What is counted within a process: a kind of input, and the measures.

INPUTS = ("dict of dicts, scores in random order", "dict of dicts, scores falling", "generators")
MEASURES = {"nothing": [], "PRES@1000": ["PRES@1000"], "AP": ["AP"], "ours": OURS, "theirs": THEIRS}


def call(kind: str, name: str) -> None:
    """Score a collection by some measures, or do all but that."""
    from ir_measures_speed import Qrel, ScoredDoc, ir_measures, make_qrels, make_run, tuples

    measures = {key: list(map(ir_measures.parse_measure, MEASURES[key])) for key in MEASURES}

    def scoring(n_topics: int) -> Callable[[str], Any]:
        run = make_run(n_topics, N_DOCS, in_order="falling" in kind)
        qrels = graded(make_qrels(run))
        if kind != "generators":
            return lambda key: ir_measures.calc_aggregate(measures[key], qrels, run)
        return lambda key: ir_measures.calc_aggregate(
            measures[key], tuples(qrels, Qrel), tuples(run, ScoredDoc)
        )

    on_a_topic, on_all = scoring(1), scoring(N_TOPICS)
    for key in filter(MEASURES.get, MEASURES):
        on_a_topic(key)
    if MEASURES[name]:
        on_all(name)


def graded(qrels: dict[str, dict[str, int]]) -> dict[str, dict[str, int]]:
    """Return judgements whose relevant documents have the levels 1, 2 and 3."""
    return {
        topic: {doc: level * (1 + i % 3) for i, (doc, level) in enumerate(docs.items())}
        for topic, docs in qrels.items()
    }


# Counting.

Words = tuple[str, ...]


def counted(job: tuple[Words, str]) -> float:
    """Return the million instructions of a command with a hash seed."""
    words, seed = job
    environment = {
        **{k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"},
        "PYTHONHASHSEED": seed,
        **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS"), "1"),
    }
    # Compiled once, as installed packages are.
    subprocess.run(words, env=environment, check=True, stdout=subprocess.DEVNULL)
    counting = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *words]
    done = subprocess.run(counting, env=environment, capture_output=True, text=True)
    total = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or total is None:
        raise RuntimeError(f"{counting} ended with {done.returncode}: {done.stderr}")
    return int(total[1]) / 1e6


def called(kind: str, name: str) -> Words:
    return (sys.executable, __file__, "--call", kind, name)


def compared(
    counts: dict[tuple[Words, str], float], ours: Words, theirs: Words, base: Words | None
) -> Comparison:
    """Compare two commands without what the base takes, by hash seed."""

    def without_base(words: Words, seed: str) -> float:
        return counts[words, seed] - (counts[base, seed] if base else 0)

    pairs = [(without_base(ours, seed), without_base(theirs, seed)) for seed in SEEDS]
    return Comparison.of(pairs, "10⁶")


def comparisons(folder: Path) -> list[tuple[str, Words, Words, Words | None]]:
    """Return what is compared: ours, theirs, and a process with all that is not to be counted."""
    random_order = INPUTS[0]
    scored = (sys.executable, str(COMMAND), "score", *map(str, small_files(folder)))
    numpy = (sys.executable, "-c", "import numpy")
    return [
        *(
            (
                f"PRES@1000 / AP, {kind}",
                called(kind, "PRES@1000"),
                called(kind, "AP"),
                called(kind, "nothing"),
            )
            for kind in INPUTS
        ),
        (
            f"{len(OURS)} of our measures / {len(THEIRS)} of trec_eval's",
            called(random_order, "ours"),
            called(random_order, "theirs"),
            called(random_order, "nothing"),
        ),
        ("pres-eval score, 100 lines / import numpy", (*scored, "-m", "PRES@10"), numpy, None),
        ("import pres_plugin / import numpy", (*numpy[:2], "import pres_plugin"), numpy, None),
    ]


def small_files(folder: Path) -> tuple[Path, Path]:
    """Write judgements and a run of ten topics with ten documents each."""
    qrels, run = folder / "qrels", folder / "run"
    pairs = [(topic, doc) for topic in range(10) for doc in range(10)]
    qrels.write_text("".join(f"q{t} 0 d{d} {int(d % 3 == 0)}\n" for t, d in pairs))
    run.write_text("".join(f"q{t} Q0 d{d} {d + 1} {10 - d} tag\n" for t, d in pairs))
    return qrels, run


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--call", nargs=2, metavar=("INPUT", "MEASURES"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.call:
        call(*options.call)
        return
    if shutil.which("valgrind") is None:
        print("Instructions were not counted, because valgrind is not installed.")
        return
    with tempfile.TemporaryDirectory() as name:
        asked = comparisons(Path(name))
        commands = {words for _, *each in asked for words in each if words}
        jobs = [(words, seed) for words in sorted(commands) for seed in SEEDS]
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            counts = dict(zip(jobs, pool.map(counted, jobs), strict=True))
    rows: list[Row] = [(what, compared(counts, *each), None) for what, *each in asked]
    print(f"Instructions, {N_TOPICS} topics × {N_DOCS:,} documents, valgrind {version()}\n")
    print_table(rows)


def version() -> str:
    shown = subprocess.check_output(["valgrind", "--version"], text=True)
    return shown.strip().removeprefix("valgrind-")


if __name__ == "__main__":
    main()
