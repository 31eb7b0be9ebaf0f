"""``pres-eval score`` against trec_eval and ir-measures' command, as whole processes.

Run it as ``python integration_tests/benchmarks/files_speed.py``; it writes runs
into a temporary folder (0.35 GB), takes some minutes, and prints tables of
ratios: of elapsed time, of processor time and of peak memory.

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
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import NamedTuple

from sidebyside import Comparison, compare, print_table, seconds

SCRIPTS = Path(sysconfig.get_path("scripts"))
N_RELEVANT, N_JUDGED = 50, 200

Words = list[str]


class Used(NamedTuple):
    """What a process took."""

    processor: float
    mebibytes: float


def used(words: Words) -> Used:
    """Run a command to its end.

    Peak memory includes that of the process which starts it, so this one does not
    import numpy: files are written by another.
    """
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said = process.stderr.read() if process.stderr else b""
    if process.returncode:
        raise RuntimeError(f"{words} ended with {process.returncode}: {said.decode()}")
    return Used(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


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
            qrels.writelines(
                f"q{topic:05} 0 EP{docs[i]:09} {int(i in relevant)}\n"
                for i in sorted(relevant | set(range(N_JUDGED)))
            )


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


def others(folder: str) -> dict[str, tuple[Words, float, float | None]]:
    """Commands to compare with; aims for time and memory."""
    found: dict[str, tuple[Words, float, float | None]] = {}
    files = [f"{folder}/qrels", f"{folder}/run"]
    if path := trec_eval():
        is_small = os.path.getsize(f"{folder}/run") < 10**8
        found["trec_eval -m map"] = ([path, "-m", "map", *files], 0.7 if is_small else 0.3, 1.3)
    found["ir_measures AP"] = ([str(SCRIPTS / "ir_measures"), *files, "AP"], 0.25, None)
    return found


def compare_sizes(sizes: list[tuple[int, int]], pairs: int) -> None:
    elapsed: list[tuple[str, Comparison, float]] = []
    processor: list[tuple[str, Comparison, float]] = []
    memory: list[tuple[str, Comparison, float | None]] = []
    for n_topics, n_docs in sizes:
        with written("text", n_topics, n_docs) as folder:
            for name, (words, time_aim, memory_aim) in others(folder).items():
                ours: list[Used] = []
                theirs: list[Used] = []
                what = f"PRES@1000 / {name}, {n_topics:,} topics × {n_docs:,} lines"
                in_turn = compare(noting(ours, pres_eval(folder)), noting(theirs, words), pairs)
                elapsed.append((what, in_turn, time_aim))
                processor.append((what, ratio(ours, theirs, 0), time_aim))
                memory.append((what, ratio(ours, theirs, 1), memory_aim))
    print(f"\nElapsed time, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    print_table(elapsed)
    print("\nProcessor time, user and system\n")
    print_table(processor)
    print("\nPeak memory\n")
    print(f"| {'what':<62} | {'ours, MiB':>9} | {'other, MiB':>10} | {'ratio':>6} | {'aim':>6} |")
    print(f"|{'-' * 64}|{'-' * 10}:|{'-' * 11}:|{'-' * 7}:|{'-' * 7}:|")
    for what, c, aim in memory:
        shown = f"≤ {aim:4.2f}" if aim else "–"
        print(f"| {what:<62} | {c.ours:9.0f} | {c.theirs:10.0f} | {c.ratio:6.3f} | {shown:>6} |")


def compare_formats(pairs: int) -> None:
    """The command on JSON against itself on TREC's format."""
    elapsed = []
    with written("json", 1000, 1000) as folder:
        for name, run in {"JSON": "run.json", "JSON lines": "run.jsonl"}.items():
            ours, theirs = (pres_eval(folder, path) for path in (run, "run"))
            in_turn = compare(noting([], ours), noting([], theirs), pairs)
            elapsed.append((f"{name} / TREC's format, 1,000 topics × 1,000 documents", in_turn, 2))
    print("\nElapsed time by format\n")
    print_table(elapsed)


def noting(taken: list[Used], words: Words) -> Callable[[], object]:
    return lambda: taken.append(used(words))


def ratio(ours: list[Used], theirs: list[Used], which: int) -> Comparison:
    pairs = [(a[which], b[which]) for a, b in zip(ours[1:], theirs[1:], strict=True)]
    return Comparison(
        median(a for a, _ in pairs), median(b for _, b in pairs), median(a / b for a, b in pairs)
    )


def alone(what: str, words: Words) -> None:
    """One command that nothing is compared with."""
    taken: list[Used] = []
    elapsed = seconds(noting(taken, words))
    print(f"{what}: {elapsed:.1f} s elapsed, ", end="")
    print(f"{taken[0].processor:.1f} s of processor, {taken[0].mebibytes:.0f} MiB at most")


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
        compare_sizes([(1000, 1000), (1000, 7000)], options.pairs)
        compare_formats(options.pairs)


if __name__ == "__main__":
    main()
