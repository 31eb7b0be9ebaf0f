"""Studies against scoring the same files, as commands, from reading to printing.

Run it as ``python integration_tests/benchmarks/study_speed.py``; it writes runs
of the size of CLEF-IP 2009 (48 runs, 400 topics, 1,000 documents each: 0.8 GB)
into a temporary folder, takes some minutes, and prints a table of ratios. With
``--runs 12`` it takes a quarter of the time.
"""

from __future__ import annotations

import argparse
import sysconfig
import tempfile
from pathlib import Path

import numpy as np
from sidebyside import compare_processes, print_table

COMMAND = str(Path(sysconfig.get_path("scripts")) / "pres-eval")
N_TOPICS, N_DOCS, N_RELEVANT = 400, 1000, 20
MEASURES = ("-m", "PRES@1000 AP@1000 R@1000")


def write_collection(folder: Path, n_runs: int) -> None:
    """Judgements, and runs that retrieve the more relevant documents, the better they are."""
    rng = np.random.default_rng(0)
    topics = [f"PAC-{t}" for t in range(N_TOPICS)]
    with (folder / "qrels").open("w") as file:
        for topic in topics:
            file.writelines(f"{topic} 0 EP{i:07} 1\n" for i in range(N_RELEVANT))
    for r in range(n_runs):
        with (folder / f"run-{r:02}").open("w") as file:
            for topic in topics:
                docs = rng.choice(100_000, N_DOCS, replace=False)
                found = rng.random(N_RELEVANT) < 0.2 + 0.6 * r / n_runs
                docs[rng.choice(N_DOCS, found.sum(), replace=False)] = np.flatnonzero(found)
                file.writelines(
                    f"{topic} Q0 EP{doc:07} {rank} {N_DOCS - rank} run\n"
                    for rank, doc in enumerate(dict.fromkeys(docs.tolist()), start=1)
                )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=48)
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--study", default="", help="only comparisons that begin with this")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_collection(folder, options.runs)
        runs = sorted(path.name for path in folder.glob("run-*"))

        def command(study: str, *arguments: str) -> list[str]:
            return [COMMAND, study, "qrels", *runs, *arguments]

        score = command("score", *MEASURES)
        cutoffs = ("-m", "PRES AP R", "--n-max")
        rows = [
            ("compare / score", command("compare", *MEASURES), score, 1.15),
            (
                "compare with intervals / without",
                command("compare", *MEASURES, "--ci", "0.95"),
                command("compare", *MEASURES),
                1.5,
            ),
            (
                "compare with the randomization test / Wilcoxon's test",
                command("compare", *MEASURES, "--test", "randomization"),
                command("compare", *MEASURES, "--test", "wilcoxon"),
                1.5,
            ),
            (
                "sweep, 100 cutoffs / one",
                command("sweep", *cutoffs, "10:1000:10"),
                command("sweep", *cutoffs, "1000"),
                1.05,
            ),
            ("robustness, 400 samples / score", command("robustness", *MEASURES), score, 1.9),
        ]
        print(f"{len(runs)} runs × {N_TOPICS} topics × {N_DOCS} documents, three measures\n")
        asked = [row for row in rows if row[0].startswith(options.study)]
        print_table(
            [
                (what, compare_processes(a, b, options.pairs, name).elapsed, aim)
                for what, a, b, aim in asked
            ]
        )


if __name__ == "__main__":
    main()
