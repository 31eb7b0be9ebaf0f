"""``pres-eval score`` against trec_eval, ir-measures' command and numpy, as whole processes.

Run it as ``python integration_tests/benchmarks/files_speed.py``. It writes runs
into a temporary folder (0.5 GB), takes five minutes, and prints tables of
ratios: of elapsed time, of CPU time and of peak memory. Small files are
compared with ``python -c "import numpy"``, which is what starting the command costs at least.

trec_eval is taken from the path that TREC_EVAL has, or found on PATH. To build
it: ``git clone https://github.com/usnistgov/trec_eval && make -C trec_eval CFLAGS="-O3 -g -I."``.
Its Makefile does not optimise; say which of the two you compare with.

``--huge`` scores a run of 70 million lines (3 GB of disk) and nothing else.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from sidebyside import Comparison, Processes, compare_processes, print_table, used

SCRIPTS = Path(sysconfig.get_path("scripts"))
N_RELEVANT, N_JUDGED = 50, 200
N_RUNS = 200

# Written by a process of its own, because this one must stay small: see sidebyside.used.
TO_PARQUET = """
import polars as pl, sys
names = ["query_id", "Q0", "doc_id", "rank", "score", "tag"]
run = pl.read_csv(sys.argv[1], separator=" ", has_header=False, new_columns=names)
run.select("query_id", "doc_id", "score").write_parquet(sys.argv[2])
"""

#: The highest ratios of elapsed time aimed at.
AIMS = {
    "PRES@1000 / trec_eval -m map, 1,000 topics × 1,000 lines": 0.75,
    "PRES@1000 / trec_eval -m map, 1,000 topics × 7,000 lines": 0.3,
    "200 runs / 200 calls of trec_eval, 5,000 lines each": 1.2,
    'pres-eval score, 100 lines / python -c "import numpy"': 3,
    'pres-eval --help / python -c "import numpy"': 1.2,
}

Words = list[str]


def write(folder: str, n_topics: int, n_docs: int, n_runs: int = 1) -> None:
    """Write judgements and runs in TREC's format, the first one also as JSON and JSON lines."""
    rng = random.Random(7)
    at = Path(folder)
    (at / "runs").mkdir()
    runs = [(at / "runs" / f"{r:03}").open("w") for r in range(n_runs)]
    lines, whole = (at / "run.jsonl").open("w"), (at / "run.json").open("w")
    with (at / "qrels").open("w") as qrels:
        for topic in range(n_topics):
            docs = [f"EP{n:09}" for n in rng.sample(range(10**7), n_docs + N_RELEVANT)]
            relevant = set(rng.sample(docs, N_RELEVANT))
            judged = relevant | set(docs[:N_JUDGED])
            qrels.writelines(
                f"q{topic:05} 0 {d} {int(d in relevant)}\n" for d in docs if d in judged
            )
            for run in runs:
                rng.shuffle(docs)
                scores = sorted((rng.gauss(20, 5) for _ in range(n_docs)), reverse=True)
                run.writelines(
                    f"q{topic:05} Q0 {doc} {rank} {score:.6f} tag\n"
                    for rank, (doc, score) in enumerate(zip(docs, scores, strict=False), start=1)
                )
            found = dict(zip(docs, scores, strict=False))
            whole.write(f'{", " if topic else "{"}"q{topic:05}": {json.dumps(found)}')
            results = [{"corpus_id": doc, "score": score} for doc, score in found.items()]
            lines.write(json.dumps({"query_id": f"q{topic:05}", "results": results}) + "\n")
    whole.write("}")
    for file in (lines, whole, *runs):
        file.close()
    (at / "run").symlink_to("runs/000")


def pres_eval(folder: str, run: str = "run") -> Words:
    files = [f"{folder}/qrels", f"{folder}/{run}"]
    return [str(SCRIPTS / "pres-eval"), "score", *files, "-m", "PRES@1000"]


def trec_eval(folder: str, run: str = "run") -> Words:
    path = os.environ.get("TREC_EVAL") or shutil.which("trec_eval") or ""
    return [path, "-m", "map", f"{folder}/qrels", f"{folder}/{run}"] if path else []


def print_elapsed(found: dict[str, Comparison]) -> None:
    print_table([(what, each, AIMS.get(what)) for what, each in found.items()])


def compare_sizes(pairs: int) -> None:
    """The command against others on runs of 1,000 topics, and on many runs."""
    found: list[tuple[str, Processes]] = []
    for n_docs in (1000, 7000):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, 1000, n_docs)
            ir_measures = [str(SCRIPTS / "ir_measures"), f"{folder}/qrels", f"{folder}/run", "AP"]
            for name, words in (
                ("trec_eval -m map", trec_eval(folder)),
                ("ir_measures AP", ir_measures),
            ):
                what = f"PRES@1000 / {name}, 1,000 topics × {n_docs:,} lines"
                if words:
                    found.append((what, compare_processes(pres_eval(folder), words, pairs)))
    with tempfile.TemporaryDirectory() as folder:
        write(folder, 50, 100, N_RUNS)
        if words := trec_eval(folder, "runs/"):
            loop = f"for run in {words[-1]}*; do {shlex.join(words[:-1])} $run; done"
            in_turn = compare_processes(pres_eval(folder, "runs"), ["sh", "-c", loop], pairs)
            found.append(
                (f"{N_RUNS} runs / {N_RUNS} calls of trec_eval, 5,000 lines each", in_turn)
            )
    print(f"\nElapsed time, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    print_elapsed({what: each.elapsed for what, each in found})
    print("\nCPU time, user and system\n")
    print_table([(what, each.processor, None) for what, each in found])
    print("\nPeak memory\n")
    print_table([(what, each.memory, None) for what, each in found])


def compare_starts(pairs: int) -> None:
    """The command on small files, and without files, against importing numpy."""
    numpy = [sys.executable, "-c", "import numpy"]
    with tempfile.TemporaryDirectory() as folder:
        write(folder, 5, 20)
        command, *score = pres_eval(folder)
        tasks = {"score, 100 lines": score, "--help": ["--help"], "--version": ["--version"]}
        found = {
            f'pres-eval {what} / python -c "import numpy"': compare_processes(
                [command, *words], numpy, pairs
            ).elapsed
            for what, words in tasks.items()
        }
    print("\nElapsed time of small tasks\n")
    print_elapsed(found)


def compare_formats(pairs: int) -> None:
    """The command on other formats against itself on TREC's format."""
    with tempfile.TemporaryDirectory() as folder:
        write(folder, 1000, 1000)
        parquet = f"{folder}/run.parquet"
        subprocess.run([sys.executable, "-c", TO_PARQUET, f"{folder}/run", parquet], check=True)
        names = {"JSON": "run.json", "JSON lines": "run.jsonl", "Parquet": "run.parquet"}
        found = {
            f"{name} / TREC's format, 1,000 topics × 1,000 documents": compare_processes(
                pres_eval(folder, run), pres_eval(folder), pairs
            ).elapsed
            for name, run in names.items()
        }
    print("\nElapsed time by format\n")
    print_elapsed(found)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--huge", action="store_true", help="70 million lines")
    options = parser.parse_args()
    if options.huge:
        with tempfile.TemporaryDirectory() as folder:
            write(folder, 10_000, 7_000)
            taken = used(pres_eval(folder))
            print(f"10,000 topics × 7,000 lines: {taken.elapsed:.1f} s elapsed, ", end="")
            print(f"{taken.processor:.1f} s of CPU time, {taken.mebibytes:.0f} MiB at its peak")
        return
    compare_starts(3 * options.pairs)
    compare_sizes(options.pairs)
    compare_formats(options.pairs)


if __name__ == "__main__":
    main()
