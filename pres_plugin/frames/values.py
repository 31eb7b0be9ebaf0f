"""Turn a measure's formula into an expression on columns."""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw

from pres_plugin.frames.names import JUDGED, SIZE, n_column
from pres_plugin.frames.sums import Wanted
from pres_plugin.measures import Measure
from pres_plugin.measures.parameters import COLLECTION_SIZE


class _Topic:
    """The values of a topic that formulas use; see :data:`pres_plugin.kernel.topics.Formula`."""

    def __init__(self, measure: Measure) -> None:
        self._measure = measure
        self.n_max = measure.cutoff
        self.goal = measure.goal
        # Avoid dividing by 0: `value` replaces the scores of topics without relevant documents.
        self.n = _at_least_one(nw.col(n_column(measure.view)))
        self.n_docs = (
            _at_least_one(nw.col(JUDGED)) if measure.N is None else nw.lit(measure.N).cast(nw.Int64)
        )

    def __getattr__(self, statistic: str) -> nw.Expr:
        return nw.col(Wanted(statistic, self.n_max, self.goal).column(self._measure.view))

    def minimum(self, first: nw.Expr, second: Any) -> nw.Expr:
        return nw.min_horizontal(first, nw.lit(second))

    def where(self, condition: nw.Expr, then: Any, otherwise: Any) -> nw.Expr:
        return nw.when(condition).then(then).otherwise(otherwise)


def _at_least_one(number: nw.Expr) -> nw.Expr:
    return nw.when(number == 0).then(1).otherwise(number)


def value(measure: Measure) -> nw.Expr:
    """Return the score, which is 0 if nothing is relevant or nothing was retrieved."""
    without = nw.col(n_column(measure.view)) == 0
    if depends_on_size(measure):
        without = without | (nw.col(SIZE) == 0)
    score: nw.Expr = measure.declaration.formula(_Topic(measure))
    return nw.when(without).then(0.0).otherwise(score)


def depends_on_size(measure: Measure) -> bool:
    """Return whether the measure depends on the size of the collection.

    If it does, its formula may give more than 0 although nothing was retrieved.
    """
    return measure.declaration.takes(COLLECTION_SIZE)
