"""How much scoring by PRES costs in PyTerrier: ratios of times taken side by side.

    python integration_tests/benchmarks/pyterrier_speed.py

Each pair of calls alternates in one process (imports: in processes of their
own); the ratio is the median of the pairs'. Results are one DataFrame of 1,000 topics
with 1,000 documents each, a tenth of the 100 judged ones of a topic relevant.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import pandas as pd
import pyterrier as pt
from pyterrier.measures import AP, PRES, PRES_est, R, nDCG

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


def side_by_side(
    first: Callable[[], object], second: Callable[[], object], rounds: int
) -> tuple[float, float, float]:
    """The median times of two calls that alternate, and the median of their ratio."""
    times: list[tuple[float, float]] = []
    first(), second()
    for _ in range(rounds):
        started = time.perf_counter()
        first()
        between = time.perf_counter()
        second()
        times.append((between - started, time.perf_counter() - between))
    base, ours = (statistics.median(taken) for taken in zip(*times, strict=True))
    return base, ours, statistics.median(with_us / without for without, with_us in times)


def importing(without_us: bool) -> Callable[[], object]:
    """A call that imports PyTerrier in a Python of its own."""
    hide = (
        "from importlib import metadata\n"
        "found = metadata.entry_points\n"
        "metadata.entry_points = lambda **k: "
        "[e for e in found(**k) if not e.value.startswith('pres_plugin')]\n"
    )
    same = (
        "from importlib import metadata\n"
        "found = metadata.entry_points\n"
        "metadata.entry_points = lambda **k: [e for e in found(**k) if e.value]\n"
    )
    code = (hide if without_us else same) + (
        f"import sys, pyterrier\nassert ('pres_plugin' in sys.modules) is {not without_us}\n"
    )
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
    rows = [
        ("PRES@1000 / AP", 0.35, side_by_side(experiment(AP), experiment(PRES @ 1000), 7)),
        (
            "AP R@100 nDCG@10 with three of ours / without",
            1.15,
            side_by_side(experiment(*others), experiment(*others, *ours), 7),
        ),
        (
            "import pyterrier with us / without",
            1.05,
            side_by_side(importing(True), importing(False), 41),
        ),
    ]
    print(f"{'':46} {'base':>8} {'ours':>8} {'ratio':>6} {'limit':>6}")
    for name, limit, (base, with_us, ratio) in rows:
        print(f"{name:46} {base:7.3f}s {with_us:7.3f}s {ratio:6.3f} {limit:6.2f}")


if __name__ == "__main__":
    main()
