"""Evaluators of ir-measures for many measures or samples, with bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from pres_plugin.adapters.ir_measures.scoring import Evaluator
from pres_plugin.study.inputs import Qrels

# Each evaluator has its own copy of the judgements, about 200 bytes per document.
_KEPT_JUDGEMENTS = 1_000_000


def for_each_run(
    make: Callable[[], Iterator[Evaluator]], n_evaluators: int, qrels: Qrels
) -> Callable[[], Iterable[Evaluator]]:
    """Return a function that iterates over the evaluators for a run.

    If the evaluators are small together, they are made only once. Otherwise, they are made
    again for each run, one at a time.
    """
    if n_evaluators * sum(map(len, qrels.values())) > _KEPT_JUDGEMENTS:
        return make
    made = list(make())
    return lambda: made
