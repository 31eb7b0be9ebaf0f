"""PRES against the built-in AP in ir-measures, on the same input and call.

Run it as ``python integration_tests/benchmarks/ir_measures_speed.py``; it
prints a table of ratios; ``growth.py`` measures memory. The built-in AP is
trec_eval's, in C, called through pytrec_eval. It sorts a run faster if its
documents are already in order, so both kinds of run are measured.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pandas as pd
from sidebyside import Comparison, compare, print_table

import pres_plugin  # noqa: F401 (adds PRES to ir_measures)

import ir_measures  # isort: skip
from ir_measures import AP, PRES, Qrel, ScoredDoc  # isort: skip

Topics = dict[str, dict[str, float]]

N_TOPICS, N_DOCS = 1000, 1000
CUTOFFS = [PRES @ k for k in range(10, 1001, 10)]
LEVELS = (1, 2, 3, 4)


def make_run(n_topics: int, n_docs: int, in_order: bool) -> Topics:
    """Random documents with random scores, or with falling ones."""
    rng = random.Random(0)
    run: Topics = {}
    for topic in range(n_topics):
        docs: dict[str, float] = {}
        score = 20.0
        for i in rng.sample(range(1_000_000), n_docs):
            score -= rng.random() / n_docs
            docs[f"doc{i}"] = score if in_order else 20 * rng.random()
        run[f"q{topic}"] = docs
    return run


def make_qrels(run: Topics, n_judged: int = 50) -> dict[str, dict[str, int]]:
    """Judged documents, one in four relevant; half of them retrieved."""
    rng = random.Random(1)
    qrels = {}
    for topic, docs in run.items():
        retrieved = rng.sample(list(docs), n_judged // 2)
        others = [f"other{i}" for i in range(n_judged // 2)]
        qrels[topic] = {doc_id: int(rng.random() < 0.25) for doc_id in retrieved + others}
    return qrels


def make_graded_qrels(run: Topics) -> dict[str, dict[str, int]]:
    """The documents of :func:`make_qrels`, with a random relevance from 0 to 4."""
    rng = random.Random(2)
    return {
        topic: {doc_id: rng.choice((0, *LEVELS)) for doc_id in docs}
        for topic, docs in make_qrels(run).items()
    }


def at_levels_and_cutoffs(measure: ir_measures.Measure) -> list[ir_measures.Measure]:
    """Return twenty measures: each relevance level with each of five cutoffs."""
    return [measure(rel=rel) @ k for rel in LEVELS for k in (10, 50, 100, 500, 1000)]


def frame(topics: Topics, value: str) -> Any:
    rows = [(q, d, v) for q, docs in topics.items() for d, v in docs.items()]
    return pd.DataFrame(rows, columns=["query_id", "doc_id", value])


def tuples(topics: Topics, kind: Callable[..., object]) -> Iterator[object]:
    return (kind(q, d, v) for q, docs in topics.items() for d, v in docs.items())


def compare_with_ap(in_order: bool) -> list[tuple[str, Comparison, float]]:
    """Rows of the table for one kind of run."""
    run = make_run(N_TOPICS, N_DOCS, in_order)
    qrels = make_qrels(run)
    frames = frame(qrels, "relevance"), frame(run, "score")
    calls: dict[str, tuple[float, Callable[[ir_measures.Measure], object]]] = {
        "dict of dicts": (0.15 if in_order else 0.1, lambda m: m.calc_aggregate(qrels, run)),
        "DataFrames": (0.2, lambda m: m.calc_aggregate(*frames)),
        "generators": (
            0.5,
            lambda m: m.calc_aggregate(tuples(qrels, Qrel), tuples(run, ScoredDoc)),
        ),
    }
    how = "scores falling" if in_order else "scores in random order"
    rows = [
        (
            f"PRES@1000 / AP, {what}, {how}",
            compare(partial(call, PRES @ 1000), partial(call, AP)),
            aim,
        )
        for what, (aim, call) in calls.items()
    ]
    cutoffs = compare(
        lambda: ir_measures.calc_aggregate(CUTOFFS, qrels, run),
        lambda: (PRES @ 1000).calc_aggregate(qrels, run),
    )
    graded = make_graded_qrels(run)
    twenty = compare(
        lambda: ir_measures.calc_aggregate(at_levels_and_cutoffs(PRES), graded, run),
        lambda: ir_measures.calc_aggregate(at_levels_and_cutoffs(AP), graded, run),
    )
    return [
        *rows,
        (f"100 cutoffs / one, dict of dicts, {how}", cutoffs, 2.0),
        (f"20 PRES / 20 AP, 4 levels × 5 cutoffs, {how}", twenty, 0.05),
    ]


def main() -> None:
    print(f"ir-measures {ir_measures.__version__}, {N_TOPICS} topics × {N_DOCS} documents\n")
    print_table([row for in_order in (False, True) for row in compare_with_ap(in_order)])


if __name__ == "__main__":
    main()
