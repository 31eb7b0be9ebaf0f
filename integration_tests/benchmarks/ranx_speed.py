"""PRES against ranx's own MAP, on the same input.

Run it as ``python integration_tests/benchmarks/ranx_speed.py``; it prints a
table of ratios. Only the first calls of a process include compiling. It takes
some minutes and a few GB of memory, most of both for the 7,000 topics.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import partial
from importlib.metadata import version

import made
from sidebyside import Comparison, Row, compare, in_a_process, print_table

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


def first_call(metric: str, cache: str) -> float:
    """Return the seconds, in a process of its own, with compiled code in the folder `cache`."""
    return float(in_a_process("-c", FIRST_CALL, metric, NUMBA_CACHE_DIR=cache))


def first_calls(pairs: int) -> Iterator[Row]:
    """Compare first calls where nothing is compiled yet, and where all of it is on disk."""
    rounds = []
    for _ in range(pairs):
        with tempfile.TemporaryDirectory() as ours, tempfile.TemporaryDirectory() as theirs:
            for _ in ("compiling", "cached"):
                rounds.append((first_call("pres@1000", ours), first_call("map@1000", theirs)))
    what = "first evaluate() of a process, "
    yield f"{what}compiling", Comparison.of(rounds[::2]), 1.2
    yield f"{what}compiled code on disk", Comparison.of(rounds[1::2]), 1.2


def calls(n_topics: int, pairs: int) -> Iterator[Row]:
    """Compare the metrics alone, for several numbers of relevant documents, and evaluate()."""
    judged, found = made.dicts(n_topics, N_DOCS)
    run = ranx.Run(found)
    for n_relevant, aim in ((1, 0.8), (25, 0.8), (1000, 0.2)):
        relevant = {q: dict.fromkeys([*docs][-n_relevant:], 1) for q, docs in found.items()}
        given = ranx.Qrels(relevant).to_typed_list(), run.to_typed_list(), N_DOCS, 1
        ours, theirs = (partial(m, *given) for m in (metric_switch("pres"), average_precision))
        what = f"metric alone, {n_topics} topics, {n_relevant} relevant"
        yield what, compare(ours, theirs, pairs), aim
    evaluate = partial(ranx.evaluate, ranx.Qrels(judged), run)
    compared = compare(partial(evaluate, "pres@1000"), partial(evaluate, "map@1000"), pairs)
    yield f"evaluate(), {n_topics} topics", compared, 1.02


if __name__ == "__main__":
    print(f"ranx {version('ranx')}, numba {version('numba')}, {N_DOCS} documents per topic\n")
    print_table([*calls(1000, pairs=15), *calls(7000, pairs=9), *first_calls(pairs=5)])
