"""Studies against scoring the same files, as commands, from reading to printing.

Run it as ``python integration_tests/benchmarks/study_speed.py``; it writes runs
of the size of CLEF-IP 2009's (400 topics, 1,000 documents each), but a quarter
of their number, into a temporary folder, and prints a table of ratios.
"""

from __future__ import annotations

import shlex
import tempfile

import made
from sidebyside import PRES_EVAL, compare_processes, print_table

N_RUNS = 12
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
    with tempfile.TemporaryDirectory() as folder:
        made.write(folder, 400, 1000, N_RUNS)
        rows = []
        for what, (*both, aim) in COMPARED.items():
            ours, theirs = ([PRES_EVAL, *shlex.split(words), "qrels", "runs"] for words in both)
            rows.append((what, compare_processes(ours, theirs, 3, folder)[0], aim))
    print(f"{N_RUNS} runs × 400 topics × 1000 documents, three measures\n")
    print_table(rows)


if __name__ == "__main__":
    main()
