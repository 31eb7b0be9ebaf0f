"""PRES against the built-in AP in ir-measures, on the same input and call.

Run it as ``python integration_tests/benchmarks/ir_measures_speed.py``; it
prints a table of ratios; ``growth.py`` measures memory. The built-in AP is
trec_eval's, in C, called through pytrec_eval. It sorts a run faster if its
documents are already in order, so both kinds of run are measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import starmap
from typing import Any

import made
from sidebyside import Row, compare, print_table

import pres_plugin  # noqa: F401 (adds PRES to ir_measures)

import ir_measures  # isort: skip
from ir_measures import AP, PRES, Measure, Qrel, ScoredDoc  # isort: skip

N_TOPICS = N_DOCS = 1000
CUTOFFS = [PRES @ k for k in range(10, 1001, 10)]
LEVELS = (1, 2, 3, 4)


def calc_aggregate(measure: Measure, given: Callable[[], tuple[Any, Any]]) -> None:
    measure.calc_aggregate(*given())


def compare_with_ap(in_order: bool) -> Iterator[Row]:
    """Yield the rows of the table for one kind of run."""
    how = "scores falling" if in_order else "scores in random order"
    qrels, run = made.dicts(N_TOPICS, N_DOCS, in_order)
    frames = [
        made.frame(topics, "query_id", "doc_id", value)
        for topics, value in ((qrels, "relevance"), (run, "score"))
    ]
    ways: dict[str, tuple[float, Callable[[], tuple[Any, Any]]]] = {
        "dict of dicts": (0.15 if in_order else 0.1, lambda: (qrels, run)),
        "DataFrames": (0.2, lambda: tuple(frames)),
        "generators": (
            0.5,
            lambda: (starmap(Qrel, made.rows(qrels)), starmap(ScoredDoc, made.rows(run))),
        ),
    }
    for what, (aim, given) in ways.items():
        calls = [partial(calc_aggregate, measure, given) for measure in (PRES @ 1000, AP)]
        yield f"PRES@1000 / AP, {what}, {how}", compare(*calls), aim
    graded = {q: {d: i % 5 for i, d in enumerate(docs)} for q, docs in qrels.items()}

    def at_levels_and_cutoffs(measure: Measure) -> Callable[[], object]:
        twenty = [measure(rel=rel) @ k for rel in LEVELS for k in (10, 50, 100, 500, 1000)]
        return lambda: ir_measures.calc_aggregate(twenty, graded, run)

    found = compare(
        lambda: ir_measures.calc_aggregate(CUTOFFS, qrels, run),
        lambda: (PRES @ 1000).calc_aggregate(qrels, run),
    )
    yield f"100 cutoffs / one, dict of dicts, {how}", found, 2.0
    found = compare(at_levels_and_cutoffs(PRES), at_levels_and_cutoffs(AP))
    yield f"20 PRES / 20 AP, 4 levels × 5 cutoffs, {how}", found, 0.05


if __name__ == "__main__":
    print(f"ir-measures {ir_measures.__version__}, {N_TOPICS} topics × {N_DOCS} documents\n")
    print_table([*compare_with_ap(in_order=False), *compare_with_ap(in_order=True)])
