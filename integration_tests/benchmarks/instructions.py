"""Count instructions, which hardly depend on the load of the machine.

Run it as ``python integration_tests/benchmarks/instructions.py``; it takes three
minutes on two cores and prints a table of ratios. It needs valgrind. Only
single-threaded Python is counted. The instructions of a call are those of a
process that makes the call, minus those of a process that does everything else.
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

# Calls within a process: a kind of input, and the measures to score it by.

INPUTS = ("dict of dicts, scores in random order", "dict of dicts, scores falling", "generators")
MEASURES = ("PRES@1000", "AP", "20 PRES", "20 AP")


def call(kind: str, name: str) -> None:
    """Score a collection by some measures; do all but that if none has the name."""
    import ir_measures_speed as speed
    from ir_measures_speed import AP, PRES

    calc_aggregate, twenty = speed.ir_measures.calc_aggregate, speed.at_levels_and_cutoffs

    def calls(n_topics: int) -> dict[str, Callable[[], object]]:
        run = speed.make_run(n_topics, N_DOCS, in_order="falling" in kind)
        qrels, graded = speed.make_qrels(run), speed.make_graded_qrels(run)

        def scoring(measures: list[Any], judged: Any) -> Callable[[], object]:
            if kind != "generators":
                return lambda: calc_aggregate(measures, judged, run)
            return lambda: calc_aggregate(
                measures, speed.tuples(judged, speed.Qrel), speed.tuples(run, speed.ScoredDoc)
            )

        wanted = ([PRES @ 1000], qrels), ([AP], qrels), (twenty(PRES), graded), (twenty(AP), graded)
        return {name: scoring(*each) for name, each in zip(MEASURES, wanted, strict=True)}

    on_a_topic, on_all = calls(1), calls(N_TOPICS)
    for prepare in on_a_topic.values():
        prepare()
    if name in on_all:
        on_all[name]()


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
            f"20 PRES / 20 AP, 4 levels × 5 cutoffs, {random_order}",
            called(random_order, "20 PRES"),
            called(random_order, "20 AP"),
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
