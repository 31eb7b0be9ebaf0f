"""The provider: scores runs for ir-measures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from ir_measures import Measure, Metric, providers

from pres_plugin.adapters.ir_measures.native.inputs import Dicts, qrels_dicts, run_dicts
from pres_plugin.adapters.ir_measures.native.measures import MEASURES, DeclaredMeasure
from pres_plugin.kernel.topics import TopicRanks
from pres_plugin.measures import collection_too_small
from pres_plugin.ranking import Judgements, check_scores, check_topics, rank

__all__ = ["PresEvaluator", "PresProvider"]


class PresProvider(providers.Provider):
    """PRES and PRES_est, as defined by Magdy and Jones, and normalised recall.

    .. cite.dblp:: conf/sigir/MagdyJ10
    """

    NAME: str = "pres_plugin"
    SUPPORTED_MEASURES: list[Measure] = list(MEASURES)  # noqa: RUF012 (declared so by the base)

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> PresEvaluator:
        in_order = not isinstance(measures, set)
        measures = list(dict.fromkeys(measures))
        for measure in measures:
            # Recognise our measures by this attribute, not by their class. PyTerrier may
            # mix measures of two copies if a notebook has reimported ir-measures.
            if not hasattr(measure, "DECLARATION"):
                raise ValueError(f"unsupported measure {measure}")
            measure.validate_params()
        if not in_order:
            # ir-measures' default pipeline passes a set. Sorting keeps the order of the
            # scores, and of the columns that others make of them, the same every time.
            measures.sort(key=lambda measure: (measure.NAME, sorted(measure.params.items())))
        return PresEvaluator(measures, qrels)


class PresEvaluator(providers.Evaluator):
    """Scores runs with a list of measures, all with the same judgements.

    Parameters
    ----------
    measures : list of DeclaredMeasure
        The measures, without duplicates and with all required parameters.
    qrels : dict of dict, DataFrame or iterable of namedtuples
        The judgements, in any form that ir-measures accepts.

    Raises
    ------
    TypeError
        If an id is not a string or a relevance is not a whole number.
    ValueError
        If Rnorm's N is less than the number of relevant documents of a topic.
    """

    def __init__(self, measures: list[DeclaredMeasure], qrels: Any) -> None:
        dicts = qrels_dicts(qrels)
        super().__init__(measures, set(dicts))
        self._measures = measures
        self._query_ids = set(dicts)
        with self._naming_measures("qrels"):
            judgements = Judgements(dicts)
        self._views = {key: _View(judgements, *key) for key in set(map(_view_key, measures))}
        for measure in measures:
            self._views[_view_key(measure)].check_collection_size(measure)

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        """Yield the scores per topic: topics of the run in its order, then missing topics."""
        query_ids, scores = self._scores(run)
        for i, query_id in enumerate(query_ids):
            for measure, of_topics in scores.items():
                yield Metric(query_id=query_id, measure=measure, value=of_topics[i])
        lacking = sorted(self._query_ids.difference(query_ids))
        for measure in sorted(self._measures, key=str):
            for query_id in lacking:
                yield Metric(query_id=query_id, measure=measure, value=measure.DEFAULT)

    def calc_aggregate(self, run: Any) -> dict[Measure, float | int]:
        """Return the aggregated scores, without creating an object for each score."""
        query_ids, scores = self._scores(run)
        n_lacking = len(self._query_ids) - len(query_ids)
        aggregated: dict[Measure, float | int] = {}
        for measure, of_topics in scores.items():
            aggregator = measure.aggregator()
            for value in of_topics:
                aggregator.add(value)
            for _ in range(n_lacking):
                aggregator.add(measure.DEFAULT)
            aggregated[measure] = aggregator.result()
        return aggregated

    def _scores(self, run: Any) -> tuple[list[str], dict[DeclaredMeasure, list[float]]]:
        """Return the judged topics with retrieved documents, and their scores."""
        dicts = run_dicts(run)
        with self._naming_measures("run"):
            check_topics(dicts, "score")
            # A topic without documents scores like a topic that the run lacks.
            topics = {q: docs for q, docs in dicts.items() if q in self._query_ids and len(docs)}
            ranked = {key: view.rank(topics) for key, view in self._views.items()}
        return list(topics), {m: ranked[_view_key(m)].score(m).tolist() for m in self._measures}

    @contextmanager
    def _naming_measures(self, where: str) -> Iterator[None]:
        """Add the names of the measures to an error in a run or qrels."""
        try:
            yield
        except (TypeError, ValueError) as error:
            names = ", ".join(sorted(map(str, self._measures)))
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(f"{names}: {where}, {error}") from error


def _view_key(measure: DeclaredMeasure) -> tuple[int, bool]:
    return measure["rel"], measure["judged_only"]


class _View:
    """The relevant and judged documents, for measures with the same `rel` and `judged_only`."""

    def __init__(self, judgements: Judgements, rel: int, judged_only: bool) -> None:
        self._relevant = judgements.at_least(rel)
        # As in trec_eval, documents with negative relevance are unjudged.
        self._judged = judgements.at_least(0) if judged_only else None

    def check_collection_size(self, measure: DeclaredMeasure) -> None:
        n_docs = measure.params.get("N")
        if n_docs is None:
            return
        for query_id, doc_ids in self._relevant.items():
            if n_docs < len(doc_ids):
                raise _too_small(measure, query_id, len(doc_ids))

    def rank(self, topics: Dicts) -> _Ranked:
        """Rank the documents of a run for the measures of this view."""
        if self._judged is None:
            return _Ranked(topics, rank(topics, self._relevant), n_judged=None)
        check_scores(topics)
        judged = {query_id: self._judged[query_id] for query_id in topics}
        seen = {
            query_id: {
                doc_id: topics[query_id][doc_id] for doc_id in doc_ids if doc_id in topics[query_id]
            }
            for query_id, doc_ids in judged.items()
        }
        n_judged = np.array([len(doc_ids) for doc_ids in judged.values()], dtype=np.int64)
        return _Ranked(seen, rank(seen, self._relevant), n_judged)


class _Ranked:
    """The ranks of a view's relevant documents in a run, and the size of the collection."""

    def __init__(self, topics: Dicts, ranks: TopicRanks, n_judged: Any) -> None:
        self._topics = topics
        self._ranks = ranks
        self._n_judged = n_judged

    def score(self, measure: DeclaredMeasure) -> Any:
        n_docs = measure.params.get("N")
        if n_docs is not None:
            self._check_collection_size(measure, n_docs)
        return measure.DECLARATION.score(
            self._ranks,
            self._n_judged if n_docs is None else n_docs,
            measure.params.get("cutoff"),
        )

    def _check_collection_size(self, measure: DeclaredMeasure, n_docs: int) -> None:
        n_found = np.diff(self._ranks.starts)
        for docs, n, found, query_id in zip(
            self._topics.values(), self._ranks.n, n_found, self._topics, strict=True
        ):
            if n_docs < (known := len(docs) + n - found):
                raise _too_small(measure, query_id, known)


def _too_small(measure: DeclaredMeasure, query_id: str, known: int) -> ValueError:
    return ValueError(collection_too_small(measure, query_id, known))
