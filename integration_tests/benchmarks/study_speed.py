"""Studies against scoring the same files, as commands, from reading to printing.

Run it as ``python integration_tests/benchmarks/study_speed.py``; it writes runs
of the size of CLEF-IP 2009 (48 runs, 400 topics, 1,000 documents each: 0.8 GB)
into a temporary folder, takes some minutes, and prints a table of ratios. With
``--runs 12`` it takes a quarter of the time.
"""

from __future__ import annotations

import argparse
import shlex
import sysconfig
import tempfile
from pathlib import Path

import made
from sidebyside import compare_processes, print_table

COMMAND = str(Path(sysconfig.get_path("scripts")) / "pres-eval")
MEASURES = "-m 'PRES@1000 AP@1000 R@1000'"
#: Two subcommands with options, and the highest ratio aimed at.
COMPARED = {
    "compare / score": (f"compare {MEASURES}", f"score {MEASURES}", 1.15),
    "compare with intervals / without": (
        f"compare {MEASURES} --ci 0.95", f"compare {MEASURES}", 1.5
    ),
    "compare with the randomization test / Wilcoxon's test": (
        f"compare {MEASURES} --test randomization", f"compare {MEASURES} --test wilcoxon", 1.5
    ),
    "sweep, 100 cutoffs / one": (
        "sweep -m 'PRES AP R' --n-max 10:1000:10", "sweep -m 'PRES AP R' --n-max 1000", 1.05
    ),
    "robustness, 400 samples / score": (f"robustness {MEASURES}", f"score {MEASURES}", 1.9),
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=48)
    n_runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        made.write(folder, 400, 1000, n_runs)
        rows = []
        for what, (*both, aim) in COMPARED.items():
            ours, theirs = ([COMMAND, *shlex.split(words), "qrels", "runs"] for words in both)
            rows.append((what, compare_processes(ours, theirs, 3, folder)[0], aim))
    print(f"{n_runs} runs × 400 topics × 1000 documents, three measures\n")
    print_table(rows)


if __name__ == "__main__":
    main()
