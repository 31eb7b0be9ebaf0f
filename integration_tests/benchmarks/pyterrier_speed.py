"""What scoring by PRES costs in PyTerrier, against its own measures, and at its import.

Run it as ``python integration_tests/benchmarks/pyterrier_speed.py``; it prints
a table of ratios. Results are one DataFrame of 1,000 topics with 1,000
documents each; of a topic's 100 judged documents ten are relevant.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable

import pandas as pd
import pyterrier as pt
from pyterrier.measures import AP, PRES, PRES_est, R, nDCG
from sidebyside import compare, print_table

N_TOPICS = 1000
DEPTH = 1000


def frames() -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Topics, qrels and results."""
    rng = random.Random(0)
    qids = [f"q{t}" for t in range(N_TOPICS)]
    judged, retrieved = [], []
    for qid in qids:
        docs = rng.sample(range(1_000_000), DEPTH + 50)
        judged += [(qid, f"d{d}", int(i % 10 == 0)) for i, d in enumerate(docs[-100:])]
        rng.shuffle(docs)
        scores = sorted((rng.random() for _ in range(DEPTH)), reverse=True)
        retrieved += [
            (qid, f"d{d}", score, rank)
            for rank, (d, score) in enumerate(zip(docs[:DEPTH], scores, strict=True))
        ]
    return (
        pd.DataFrame({"qid": qids, "query": qids}),
        pd.DataFrame(judged, columns=["qid", "docno", "label"]),
        pd.DataFrame(retrieved, columns=["qid", "docno", "score", "rank"]),
    )


def importing(without_us: bool) -> Callable[[], object]:
    """A call that imports PyTerrier in a Python of its own, with our entry point or without."""
    hidden = "pres_plugin" if without_us else "nothing"
    code = f"""
import sys
from importlib import metadata
found = metadata.entry_points
metadata.entry_points = lambda **k: [e for e in found(**k) if not e.value.startswith({hidden!r})]
import pyterrier
if ("pres_plugin" in sys.modules) is {without_us}: sys.exit("not what is to be timed")
"""
    # Compiled once, as installed packages are, and not for each import again.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return lambda: subprocess.run([sys.executable, "-c", code], check=True, env=environment)


def main() -> None:
    """Print the table."""
    topics, qrels, run = frames()

    def experiment(*measures: object) -> Callable[[], object]:
        return lambda: pt.Experiment([run], topics, qrels, list(measures))

    others = (AP, R @ 100, nDCG @ 10)
    ours = (PRES @ 100, PRES @ 1000, PRES_est @ 100)
    print_table(
        [
            (
                "pt.Experiment: PRES@1000 / AP",
                compare(experiment(PRES @ 1000), experiment(AP)),
                0.35,
            ),
            (
                "pt.Experiment: AP, R@100, nDCG@10 with three of ours / without",
                compare(experiment(*others, *ours), experiment(*others)),
                1.15,
            ),
            (
                "import pyterrier: with pres-plugin / without",
                compare(importing(without_us=False), importing(without_us=True), pairs=41),
                1.05,
            ),
        ]
    )


if __name__ == "__main__":
    main()
