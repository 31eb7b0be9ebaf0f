"""``pres-eval score`` against trec_eval, ir-measures' command and numpy, as whole processes.

Run it as ``python integration_tests/benchmarks/files_speed.py``. It writes runs
into a temporary folder (0.35 GB), takes three minutes, and prints tables of
ratios: of elapsed time, of CPU time and of peak memory. Small files are
compared with ``python -c "import numpy"``, which is what starting the command costs at least.

trec_eval is taken from the path that TREC_EVAL has, or found on PATH. To build
it: ``git clone https://github.com/usnistgov/trec_eval && make -C trec_eval``.

``--huge`` adds a run of 70 million lines (3 GB of disk), ``--parquet 100`` a
folder of 100 runs in Parquet (3 GB), both by themselves.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import NamedTuple

from sidebyside import Processes, Row, compare_processes, print_table, used

SCRIPTS = Path(sysconfig.get_path("scripts"))
N_RELEVANT, N_JUDGED = 50, 200

Words = list[str]


def write_text(folder: Path, n_topics: int, n_docs: int) -> None:
    """A run and its judgements in TREC's format."""
    import numpy as np

    rng = np.random.default_rng(7)
    with (folder / "run").open("w") as run, (folder / "qrels").open("w") as qrels:
        for topic in range(n_topics):
            docs = rng.choice(10**7, n_docs + N_RELEVANT, replace=False).tolist()
            scores = np.sort(rng.normal(20, 5, n_docs))[::-1].round(6).tolist()
            run.writelines(
                f"q{topic:05} Q0 EP{doc:09} {rank} {score} tag\n"
                for rank, (doc, score) in enumerate(zip(docs, scores, strict=False), start=1)
            )
            relevant = set(rng.choice(len(docs), N_RELEVANT, replace=False).tolist())
            judged = sorted(relevant | set(range(min(N_JUDGED, len(docs)))))
            qrels.writelines(f"q{topic:05} 0 EP{docs[i]:09} {int(i in relevant)}\n" for i in judged)


def write_json(folder: Path, n_topics: int, n_docs: int) -> None:
    """The same run in TREC's format, in JSON and in JSON lines, and its judgements."""
    import json

    write_text(folder, n_topics, n_docs)
    run: dict[str, dict[str, float]] = {}
    with (folder / "run").open() as lines:
        for topic, _, doc, _, score, _ in map(str.split, lines):
            run.setdefault(topic, {})[doc] = float(score)
    (folder / "run.json").write_text(json.dumps(run))
    with (folder / "run.jsonl").open("w") as file:
        for topic, docs in run.items():
            results = [{"corpus_id": doc, "score": score} for doc, score in docs.items()]
            file.write(json.dumps({"query_id": topic, "results": results}) + "\n")


def write_parquet(folder: Path, n_runs: int) -> None:
    """A folder of runs of 1,000 topics with 1,000 documents each, and judgements."""
    import numpy as np
    import polars as pl

    rng = np.random.default_rng(7)
    topics = pl.Series("query_id", [f"q{topic:05}" for topic in range(1000)])
    (folder / "runs").mkdir()
    for r in range(n_runs):
        docs = np.concatenate([rng.choice(10**5, 1000, replace=False) for _ in topics])
        run = pl.DataFrame({"doc": docs, "score": rng.normal(20, 5, len(docs))})
        run.select(
            query_id=topics.gather(np.repeat(np.arange(1000), 1000)),
            doc_id=pl.format("EP{}", pl.col("doc")),
            score="score",
        ).write_parquet(folder / "runs" / f"run-{r:03}.parquet")
    with (folder / "qrels").open("w") as qrels:
        for topic in topics:
            docs = rng.choice(10**5, N_RELEVANT, replace=False)
            qrels.writelines(f"{topic} 0 EP{doc} 1\n" for doc in docs.tolist())


def written(what: str, *sizes: int) -> tempfile.TemporaryDirectory[str]:
    """A temporary folder with files, written by a process of its own."""
    folder = tempfile.TemporaryDirectory()
    words = [sys.executable, __file__, "--write", what, folder.name, *map(str, sizes)]
    subprocess.run(words, check=True)
    return folder


def pres_eval(folder: str, run: str = "run") -> Words:
    return [
        str(SCRIPTS / "pres-eval"),
        "score",
        f"{folder}/qrels",
        f"{folder}/{run}",
        "-m",
        "PRES@1000",
    ]


def trec_eval() -> str | None:
    return os.environ.get("TREC_EVAL") or shutil.which("trec_eval")


class Other(NamedTuple):
    """A command to compare with, and the aims for elapsed time, CPU time and memory."""

    words: Words
    elapsed_aim: float
    processor_aim: float
    memory_aim: float | None


def others(folder: str) -> dict[str, Other]:
    found: dict[str, Other] = {}
    files = [f"{folder}/qrels", f"{folder}/run"]
    if path := trec_eval():
        is_small = os.path.getsize(f"{folder}/run") < 10**8
        words = [path, "-m", "map", *files]
        found["trec_eval -m map"] = Other(words, 0.5 if is_small else 0.2, 1.0, 1.3)
    found["ir_measures AP"] = Other([str(SCRIPTS / "ir_measures"), *files, "AP"], 0.25, 0.5, None)
    return found


def compare_sizes(sizes: list[tuple[int, int]], pairs: int) -> None:
    found: list[tuple[str, Processes, Other]] = []
    for n_topics, n_docs in sizes:
        with written("text", n_topics, n_docs) as folder:
            for name, other in others(folder).items():
                what = f"PRES@1000 / {name}, {n_topics:,} topics × {n_docs:,} lines"
                in_turn = compare_processes(pres_eval(folder), other.words, pairs)
                found.append((what, in_turn, other))
    print(f"\nElapsed time, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    print_table([(what, each.elapsed, other.elapsed_aim) for what, each, other in found])
    print("\nCPU time, user and system\n")
    print_table([(what, each.processor, other.processor_aim) for what, each, other in found])
    print("\nPeak memory\n")
    print_table([(what, each.memory, other.memory_aim) for what, each, other in found])


def compare_starts(pairs: int) -> None:
    """The command on small files, and without files, against importing numpy."""
    numpy = [sys.executable, "-c", "import numpy"]
    elapsed: list[Row] = []
    with written("text", 5, 20) as folder:
        command, *score = pres_eval(folder)
        for what, words, aim in (
            ("pres-eval score, 100 lines", score, 1.8),
            ("pres-eval --help", ["--help"], None),
            ("pres-eval --version", ["--version"], None),
        ):
            in_turn = compare_processes([command, *words], numpy, pairs)
            elapsed.append((f'{what} / python -c "import numpy"', in_turn.elapsed, aim))
    print("\nElapsed time of small tasks\n")
    print_table(elapsed)


def compare_shapes(pairs: int) -> None:
    """The command on few large topics and on many small ones, against usual ones."""
    elapsed: list[Row] = []
    for shape, usual, aim in (
        ((1, 5_000_000), (5_000, 1_000), 1.5),
        ((1_000_000, 10), (10_000, 1_000), None),
    ):
        with written("text", *shape) as ours, written("text", *usual) as theirs:
            in_turn = compare_processes(pres_eval(ours), pres_eval(theirs), pairs)
        what = "{:,} topics × {:,} lines / {:,} topics × {:,} lines".format(*shape, *usual)
        elapsed.append((what, in_turn.elapsed, aim))
    print("\nElapsed time by shape\n")
    print_table(elapsed)


def compare_formats(pairs: int) -> None:
    """The command on JSON against itself on TREC's format."""
    elapsed: list[Row] = []
    with written("json", 1000, 1000) as folder:
        for name, run in {"JSON": "run.json", "JSON lines": "run.jsonl"}.items():
            ours, theirs = (pres_eval(folder, path) for path in (run, "run"))
            in_turn = compare_processes(ours, theirs, pairs)
            what = f"{name} / TREC's format, 1,000 topics × 1,000 documents"
            elapsed.append((what, in_turn.elapsed, 2))
    print("\nElapsed time by format\n")
    print_table(elapsed)


def alone(what: str, words: Words) -> None:
    """One command that nothing is compared with."""
    taken = used(words)
    print(f"{what}: {taken.elapsed:.1f} s elapsed, ", end="")
    print(f"{taken.processor:.1f} s of CPU time, {taken.mebibytes:.0f} MiB at its peak")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--huge", action="store_true", help="70 million lines")
    parser.add_argument("--parquet", type=int, metavar="RUNS", help="a folder of so many runs")
    parser.add_argument("--write", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.write:
        what, folder, *sizes = options.write
        {"text": write_text, "json": write_json, "parquet": write_parquet}[what](
            Path(folder), *map(int, sizes)
        )
    elif options.huge:
        with written("text", 10_000, 7_000) as folder:
            alone("10,000 topics × 7,000 lines", pres_eval(folder))
    elif options.parquet:
        with written("parquet", options.parquet) as folder:
            words = pres_eval(folder, "runs")
            alone(f"{options.parquet} runs × 1,000 topics × 1,000 rows in Parquet", words)
    else:
        if trec_eval() is None:
            print(f"without trec_eval, which is neither in TREC_EVAL nor on PATH\n{__doc__}")
        compare_starts(3 * options.pairs)
        compare_sizes([(1000, 1000), (1000, 7000)], options.pairs)
        compare_formats(options.pairs)
        compare_shapes(options.pairs)


if __name__ == "__main__":
    main()
