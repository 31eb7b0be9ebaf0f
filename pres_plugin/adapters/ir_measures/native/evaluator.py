"""Score runs by measures of ir-measures. Errors of its providers are passed on with the measure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import ir_measures

from pres_plugin.messages import some

Topics = Mapping[str, Mapping[str, Any]]


class Evaluator:
    """Scores runs by any measures of ir-measures, with the same judgements for all.

    Judgements and runs are dicts whose ids and values have been checked. Raise a ValueError that
    names the measures if a provider of ir-measures fails.
    """

    def __init__(self, measures: Iterable[Any], qrels: Topics) -> None:
        # ir-measures' pipeline passes sets of measures. The score of NumRet beside measures with
        # judged_only depends on their order, which differs between processes.
        groups: dict[Any, list[Any]] = {}
        for measure in measures:
            with _naming([measure]):
                groups.setdefault(_provider_of(measure), []).append(measure)
        self._topics = _plain(qrels, int)
        self._evaluators = []
        for provider, group in groups.items():
            with _naming(group):
                self._evaluators.append((group, provider.evaluator(group, self._topics)))

    def calc(self, run: Topics) -> Any:
        """Return the means of a run, and its score on each topic, as ir-measures' CalcResults."""
        means: dict[Any, Any] = {}
        scores: list[Any] = []
        # Some providers fail for topics that are not judged or contain no documents. Such
        # topics do not change any score.
        taken = {t: docs for t, docs in run.items() if docs and t in self._topics}
        plain = _plain(taken, float)
        for group, evaluator in self._evaluators:
            with _naming(group):
                found = evaluator.calc(plain)
            means |= found.aggregated
            scores += found.per_query
        return ir_measures.CalcResults(means, scores)


def _provider_of(measure: Any) -> Any:
    """Return the provider that computes a measure in ir-measures."""
    for provider in ir_measures.DefaultPipeline.providers:
        if provider.supports(measure) and provider.is_available():
            return provider
    return ir_measures.DefaultPipeline  # which says what to install


def _plain(topics: Topics, kind: type) -> Topics:
    """Return dicts with Python's own numbers; pytrec_eval rejects others."""
    return {
        topic: docs
        if isinstance(docs, dict) and set(map(type, docs.values())) <= {kind}
        else {doc_id: kind(value) for doc_id, value in docs.items()}
        for topic, docs in topics.items()
    }


@contextmanager
def _naming(measures: list[Any]) -> Iterator[None]:
    """Re-raise an error of ir-measures as a ValueError that names the measures."""
    try:
        yield
    except Exception as error:  # providers raise errors of any class
        names = some(list(map(str, measures)))
        problem = " ".join(f"{type(error).__name__}: {error}".split())
        raise ValueError(f"ir-measures cannot compute {names} ({problem:.300})") from error
