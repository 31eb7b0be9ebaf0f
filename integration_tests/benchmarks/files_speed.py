"""``pres-eval score`` against trec_eval, ir-measures' command and numpy, as whole processes.

Run it as ``python integration_tests/benchmarks/files_speed.py``. It writes runs
into a temporary folder (up to 3 GB), takes some minutes, and prints tables of
ratios: of elapsed time, of CPU time and of peak memory. Small files are
compared with ``python -c "import numpy"``, which is what starting the command costs at least.
At the end, it scores a run of 70 million lines.

trec_eval is taken from the path that TREC_EVAL has, or found on PATH. To build
it: ``git clone https://github.com/usnistgov/trec_eval && make -C trec_eval CFLAGS="-O3 -g -I."``.
Its Makefile does not optimise; say which of the two you compare with.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import tempfile

import made
from sidebyside import PRES_EVAL, SCRIPTS, Comparison, compare_processes, print_table, used

SCORE = [PRES_EVAL, "score", "-m", "PRES@1000", "qrels"]
#: Without trec_eval, its comparisons are left out.
TREC_EVAL = os.environ.get("TREC_EVAL") or shutil.which("trec_eval")
PAIRS = 5

#: The highest ratios of elapsed time aimed at.
AIMS = {
    "PRES@1000 / trec_eval -m map, 1,000 topics × 1,000 lines": 0.75,
    "PRES@1000 / trec_eval -m map, 1,000 topics × 7,000 lines": 0.3,
    "200 runs / 200 calls of trec_eval, 5,000 lines each": 1.2,
    'pres-eval score, 100 lines / python -c "import numpy"': 3,
    'pres-eval --help / python -c "import numpy"': 1.2,
}


def print_elapsed(title: str, found: dict[str, list[Comparison]]) -> None:
    print(f"\n{title}\n")
    print_table([(what, each[0], AIMS.get(what)) for what, each in found.items()])


def compare_sizes() -> None:
    """The command against others on runs of 1,000 topics, and on many runs."""
    others = {"ir_measures AP": [str(SCRIPTS / "ir_measures"), "qrels", "runs/000", "AP"]}
    if TREC_EVAL:
        others["trec_eval -m map"] = [TREC_EVAL, "-m", "map", "qrels", "runs/000"]
    found = {}
    for n_docs in (1000, 7000):
        with tempfile.TemporaryDirectory() as folder:
            made.write(folder, 1000, n_docs)
            for name, words in others.items():
                what = f"PRES@1000 / {name}, 1,000 topics × {n_docs:,} lines"
                found[what] = compare_processes([*SCORE, "runs/000"], words, PAIRS, folder)
    if TREC_EVAL:
        with tempfile.TemporaryDirectory() as folder:
            made.write(folder, 50, 100, 200)
            loop = f"for run in runs/*; do {shlex.quote(TREC_EVAL)} -m map qrels $run; done"
            compared = compare_processes([*SCORE, "runs"], ["sh", "-c", loop], PAIRS, folder)
            found["200 runs / 200 calls of trec_eval, 5,000 lines each"] = compared
    cores, (load, *_) = os.cpu_count(), os.getloadavg()
    print_elapsed(f"Elapsed time, {cores} cores, load {load:.1f}", found)
    for place, title, unit in (
        (1, "CPU time, user and system", "CPU s"),
        (2, "Peak memory", "MiB"),
    ):
        print(f"\n{title}\n")
        print_table([(what, each[place], None) for what, each in found.items()], unit)


def compare_starts() -> None:
    """The command on small files, and without files, against importing numpy."""
    numpy = [sys.executable, "-c", "import numpy"]
    tasks = {"score, 100 lines": [*SCORE, "runs/000"]}
    tasks |= {option: [PRES_EVAL, option] for option in ("--help", "--version")}
    with tempfile.TemporaryDirectory() as folder:
        made.write(folder, 5, 20)
        found = {
            f'pres-eval {what} / python -c "import numpy"': compare_processes(
                words, numpy, 3 * PAIRS, folder
            )
            for what, words in tasks.items()
        }
    print_elapsed("Elapsed time of small tasks", found)


def compare_formats() -> None:
    """The command on other formats against itself on TREC's format."""
    names = {"JSON": "run.json", "JSON lines": "run.jsonl", "Parquet": "run.parquet"}
    with tempfile.TemporaryDirectory() as folder:
        made.write(folder, 1000, 1000)
        made.write_other_formats(folder, 1000, 1000)
        found = {
            f"{name} / TREC's format, 1,000 topics × 1,000 documents": compare_processes(
                [*SCORE, run], [*SCORE, "runs/000"], PAIRS, folder
            )
            for name, run in names.items()
        }
    print_elapsed("Elapsed time by format", found)


def score_huge() -> None:
    """Score 70 million lines once."""
    with tempfile.TemporaryDirectory() as folder:
        made.write(folder, 10_000, 7_000)
        elapsed, processor, memory = used([*SCORE, "runs/000"], folder)
    print(f"\n10,000 topics × 7,000 lines: {elapsed:.1f} s elapsed, ", end="")
    print(f"{processor:.1f} s of CPU time, {memory:.0f} MiB at its peak")


if __name__ == "__main__":
    compare_starts()
    compare_sizes()
    compare_formats()
    score_huge()
