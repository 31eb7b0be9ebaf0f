"""PRES against ranx's own MAP, on the same input.

Run it as ``python integration_tests/benchmarks/ranx_speed.py``; it prints a
table of ratios. Only the first calls of a process include compiling. It takes
some minutes and a few GB of memory, most of both for the 7,000 topics.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from functools import partial
from importlib.metadata import version
from typing import Any

import numpy as np
from numba.typed import List as TypedList
from sidebyside import Comparison, compare, print_table

import pres_plugin  # noqa: F401 (adds pres to ranx)

import ranx  # isort: skip
from ranx.metrics import average_precision, metric_switch  # isort: skip

N_DOCS = 1000

FIRST_CALL = """
import sys, time
import pres_plugin, ranx

topics = [f"q{t}" for t in range(20)]
qrels = ranx.Qrels({t: {f"d{i}": 1 for i in range(5)} for t in topics})
run = ranx.Run({t: {f"d{i}": 100.0 - i for i in range(100)} for t in topics})
start = time.perf_counter()
ranx.evaluate(qrels, run, sys.argv[1])
print(time.perf_counter() - start)
"""


def typed_lists(n_topics: int, n_relevant: int) -> tuple[Any, Any]:
    """What ranx hands to a metric; seven of ten relevant documents are retrieved."""
    rng = np.random.default_rng(0)
    n_found = round(0.7 * n_relevant)
    scores = np.arange(N_DOCS, 0, -1.0)
    qrels, run = TypedList(), TypedList()
    for _ in range(n_topics):
        # ranx has the hash of a document's id, as a float, for the document.
        ids = rng.integers(-(2**63), 2**63 - 1, size=N_DOCS + n_relevant).astype(np.float64)
        found = ids[rng.choice(N_DOCS, n_found, replace=False)]
        relevant = np.concatenate([found, ids[N_DOCS : N_DOCS + n_relevant - n_found]])
        qrels.append(np.column_stack([relevant, np.ones(n_relevant)]))
        run.append(np.column_stack([ids[:N_DOCS], scores]))
    return qrels, run


def qrels_and_run(n_topics: int, n_relevant: int) -> tuple[ranx.Qrels, ranx.Run]:
    rng = np.random.default_rng(0)
    doc_ids = [f"doc{i}" for i in range(10 * N_DOCS)]
    scores = np.arange(N_DOCS, 0, -1.0).tolist()
    qrels, run = {}, {}
    for topic in range(n_topics):
        chosen = rng.choice(len(doc_ids), N_DOCS, replace=False).tolist()
        qrels[f"q{topic}"] = {doc_ids[i]: 1 for i in rng.choice(len(doc_ids), n_relevant)}
        run[f"q{topic}"] = {doc_ids[i]: s for i, s in zip(chosen, scores, strict=True)}
    return ranx.Qrels(qrels), ranx.Run(run)


def first_call(metric: str, cache: str) -> float:
    """Seconds, in a process of its own, with compiled code kept in the folder `cache`."""
    return float(
        subprocess.check_output(
            [sys.executable, "-W", "ignore", "-c", FIRST_CALL, metric],
            env={**os.environ, "NUMBA_CACHE_DIR": cache},
        )
    )


def first_calls(pairs: int) -> tuple[Comparison, Comparison]:
    """The first call where nothing is compiled yet, and where all of it is on disk."""
    compiling, cached = [], []
    for _ in range(pairs):
        with tempfile.TemporaryDirectory() as ours, tempfile.TemporaryDirectory() as theirs:
            for times in (compiling, cached):
                times.append((first_call("pres@1000", ours), first_call("map@1000", theirs)))
    return Comparison.of(compiling), Comparison.of(cached)


def main() -> None:
    print(f"ranx {version('ranx')}, numba {version('numba')}, {N_DOCS} documents per topic\n")
    rows = []
    for n_topics, n_relevant, aim, pairs in (
        (1000, 1, 0.8, 51),
        (1000, 20, 0.8, 51),
        (1000, 1000, 0.2, 11),
        (7000, 1, 0.8, 21),
        (7000, 20, 0.8, 21),
        (7000, 1000, 0.2, 5),
    ):
        given = (*typed_lists(n_topics, n_relevant), N_DOCS, 1)
        comparison = compare(
            partial(metric_switch("pres"), *given), partial(average_precision, *given), pairs
        )
        rows.append((f"metric alone, {n_topics} topics, {n_relevant} relevant", comparison, aim))
    for n_topics, pairs in ((1000, 15), (7000, 9)):
        evaluate = partial(ranx.evaluate, *qrels_and_run(n_topics, n_relevant=20))
        comparison = compare(partial(evaluate, "pres@1000"), partial(evaluate, "map@1000"), pairs)
        rows.append((f"evaluate(), {n_topics} topics, 20 relevant", comparison, 1.02))
    compiling, cached = first_calls(pairs=5)
    rows.append(("first evaluate() of a process, compiling", compiling, 1.2))
    rows.append(("first evaluate() of a process, compiled code on disk", cached, 1.2))
    print_table(rows)


if __name__ == "__main__":
    main()
