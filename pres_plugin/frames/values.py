"""The scores of a topic, as expressions: the kernel's formulas on a topic's sums."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import narwhals.stable.v2 as nw

from pres_plugin.frames.measures import Measure
from pres_plugin.frames.names import JUDGED, SIZE
from pres_plugin.frames.sums import View
from pres_plugin.kernel import formulas

__all__ = ["value", "view_of"]


def view_of(measure: Measure) -> View:
    """The view of the judgements that a measure takes."""
    return View(measure.rel, measure.judged_only)


@dataclass(frozen=True)
class _Topic:
    """The sums of a topic as expressions, fit to be divided by."""

    measure: Measure

    @property
    def n(self) -> nw.Expr:
        # Topics without relevant documents get their score afterwards.
        n = nw.col(view_of(self.measure).n)
        return nw.when(n == 0).then(nw.lit(1)).otherwise(n)

    @property
    def found(self) -> nw.Expr:
        return nw.col(view_of(self.measure).found(self.measure.cutoff))

    @property
    def rank_sum(self) -> nw.Expr:
        return nw.col(view_of(self.measure).rank_sum(self.measure.cutoff))

    @property
    def precision_sum(self) -> nw.Expr:
        return nw.col(view_of(self.measure).precision_sum(self.measure.cutoff))

    @property
    def n_docs(self) -> nw.Expr:
        given = self.measure.N
        return nw.col(JUDGED) if given is None else nw.lit(given)


def value(measure: Measure) -> nw.Expr:
    """The score by a measure, from the columns of its view; 0 where n is 0."""
    n = nw.col(view_of(measure).n)
    return nw.when(n == 0).then(nw.lit(0.0)).otherwise(_FORMULAS[measure.name](_Topic(measure)))


def _pres(topic: _Topic) -> nw.Expr:
    expr: nw.Expr = formulas.pres(topic.n, topic.found, topic.rank_sum, topic.measure.cutoff)
    return expr


def _pres_est(topic: _Topic) -> nw.Expr:
    n_max = topic.measure.cutoff
    fit = nw.min_horizontal(topic.n, nw.lit(n_max))
    expr: nw.Expr = formulas.pres_est(topic.n, topic.found, topic.rank_sum, n_max, fit)
    return expr


def _rnorm(topic: _Topic) -> nw.Expr:
    # Of a run that lacks the topic, not even this can be said.
    all_relevant = (topic.n == topic.n_docs) & (nw.col(SIZE) > 0)
    n_docs = nw.when(topic.n == topic.n_docs).then(topic.n_docs + 1).otherwise(topic.n_docs)
    score = formulas.rnorm(topic.n, topic.found, topic.rank_sum, n_docs)
    return nw.when(all_relevant).then(nw.lit(1.0)).otherwise(score)


def _average_precision(topic: _Topic) -> nw.Expr:
    expr: nw.Expr = formulas.average_precision(topic.n, topic.precision_sum)
    return expr


def _recall(topic: _Topic) -> nw.Expr:
    expr: nw.Expr = formulas.recall(topic.n, topic.found)
    return expr


_FORMULAS: dict[str, Callable[[_Topic], nw.Expr]] = {
    "PRES": _pres,
    "PRES_est": _pres_est,
    "Rnorm": _rnorm,
    "AP": _average_precision,
    "R": _recall,
}
