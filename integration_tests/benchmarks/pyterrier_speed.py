"""What scoring by PRES costs in PyTerrier, against its own measures, and at its import.

Run it as ``python integration_tests/benchmarks/pyterrier_speed.py``; it prints
a table of ratios. Results are one DataFrame of 1,000 topics with 1,000 documents each.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import made
import pyterrier as pt
from pyterrier.measures import AP, PRES, PRES_est, R, nDCG
from sidebyside import compare, compare_processes, print_table


def importing(without_us: bool) -> list[str]:
    """Return a command that imports PyTerrier, with our entry point or without."""
    hidden = "pres_plugin" if without_us else "nothing"
    code = f"""
import sys
from importlib import metadata
found = metadata.entry_points
metadata.entry_points = lambda **k: [e for e in found(**k) if not e.value.startswith({hidden!r})]
import pyterrier
if ("pres_plugin" in sys.modules) is {without_us}: sys.exit("not what is to be timed")
"""
    return [sys.executable, "-c", code]


def main() -> None:
    """Print the table."""
    judged, found = made.dicts(1000, 1000)
    qrels = made.frame(judged, "qid", "docno", "label")
    run = pt.model.add_ranks(made.frame(found, "qid", "docno", "score"))
    topics = run[["qid"]].drop_duplicates().assign(query="valve")

    def experiment(*measures: object) -> Callable[[], object]:
        return lambda: pt.Experiment([run], topics, qrels, list(measures))

    others = (AP, R @ 100, nDCG @ 10)
    ours = (PRES @ 100, PRES @ 1000, PRES_est @ 100)
    alone = compare(experiment(PRES @ 1000), experiment(AP))
    added = compare(experiment(*others, *ours), experiment(*others))
    imports, *_ = compare_processes(importing(without_us=False), importing(without_us=True), 41)
    print_table(
        [
            ("pt.Experiment: PRES@1000 / AP", alone, 0.35),
            ("pt.Experiment: AP, R@100, nDCG@10 with three of ours / without", added, 1.15),
            ("import pyterrier: with pres-plugin / without", imports, 1.05),
        ]
    )


if __name__ == "__main__":
    main()
