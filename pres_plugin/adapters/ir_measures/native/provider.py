"""The provider, which scores runs for ir-measures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import repeat
from typing import Any

from ir_measures import Measure, Metric, providers

from pres_plugin.adapters.ir_measures.native.dicts import qrels_dicts, run_dicts
from pres_plugin.adapters.ir_measures.native.measures import BY_NAME, DeclaredMeasure
from pres_plugin.kernel.topics import Floats, Ints
from pres_plugin.ranking.checks import check_topics
from pres_plugin.ranking.dicts import rank_run
from pres_plugin.ranking.judgements import Judgements, least_relevance
from pres_plugin.ranking.scores import mean
from pres_plugin.unmatched import warn


class PresProvider(providers.Provider):
    """PRES and PRES_est, as defined by Magdy and Jones, normalised recall and measures of effort.

    .. cite.dblp:: conf/sigir/MagdyJ10
    """

    NAME: str = "pres_plugin"
    SUPPORTED_MEASURES: list[Measure] = list(BY_NAME.values())  # noqa: RUF012 (declared so by the base)

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> PresEvaluator:
        asked = list(dict.fromkeys(measures))
        for measure in asked:
            if not isinstance(measure, DeclaredMeasure):
                raise ValueError(f"unsupported measure {measure}")
            measure.validate_params()
        if isinstance(measures, set):
            # ir-measures' default pipeline passes a set. Sort it, so that the scores are
            # always in the same order.
            asked.sort(key=lambda measure: (measure.NAME, sorted(measure.params.items())))
        return PresEvaluator(asked, qrels)


class PresEvaluator(providers.Evaluator):
    """Scores runs with several complete measures, using the same judgements for all."""

    def __init__(self, measures: list[DeclaredMeasure], qrels: Any) -> None:
        self._qrels = qrels_dicts(qrels)
        super().__init__(measures, set(self._qrels))
        self._measures = measures
        with self._naming_measures("qrels"):
            least = least_relevance(measure.document_choice for measure in measures)
            self._judged = Judgements.from_dicts(self._qrels, least)
        for measure in measures:
            self._judged.check_collection(measure)

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        """Yield the scores of the run's topics, in its order, then those of missing topics."""
        order, scores = self._scores(run)
        topics, by_topic = self._judged.topics, scores.T.tolist()
        missing = set(range(len(topics))).difference(order.tolist())
        for i in [*order.tolist(), *sorted(missing, key=topics.__getitem__)]:
            yield from map(Metric, repeat(topics[i]), self._measures, by_topic[i])

    def calc_aggregate(self, run: Any) -> dict[Measure, float | int]:
        """Return the aggregated scores, without creating an object for each topic's score."""
        order, scores = self._scores(run)
        return dict(zip(self._measures, mean(scores, order).tolist(), strict=True))

    def _scores(self, run: Any) -> tuple[Ints, Floats]:
        """Return the numbers of the topics with retrieved documents, and all scores (M, T)."""
        dicts = run_dicts(run)
        with self._naming_measures("run"):
            check_topics(dicts, "score")
            # A judged topic without documents counts as missing.
            there = {q: docs for q, docs in dicts.items() if len(docs) or q not in self._qrels}
            run = rank_run(self._judged, there)
        scores = self._judged.scores(run, self._measures)
        warn(run.unmatched)
        return run.order, scores

    @contextmanager
    def _naming_measures(self, where: str) -> Iterator[None]:
        """Add the names of the measures to an error about the run or the qrels."""
        try:
            yield
        except (TypeError, ValueError) as error:
            names = ", ".join(sorted(map(str, self._measures)))
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(f"{names}: {where}, {error}") from error
