"""Score runs with ir-measures, with errors that name the measures."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import ir_measures

from pres_plugin.remedy import some
from pres_plugin.study.any_measure.reading import provider_of

_OURS = "pres_plugin"

_Topics = Mapping[str, Mapping[str, Any]]


class Evaluator:
    """Scores runs by any measures, with the same judgements for all.

    Raise a ValueError if a provider of ir-measures cannot handle a measure, the judgements or a
    run.
    """

    def __init__(self, measures: Iterable[Any], qrels: _Topics) -> None:
        plain = _plain(qrels, int)
        self._topics = qrels
        self._evaluators = []
        for provider, group in _by_provider(measures):
            with _naming(provider, group):
                evaluator = provider.evaluator(group, plain)
            if provider.NAME == _OURS:
                evaluator.warns = False
            self._evaluators.append((provider, group, evaluator))

    def calc(self, run: _Topics) -> Any:
        """Return the means of a run, and its score on each topic, as ir-measures' CalcResults."""
        means: dict[Any, Any] = {}
        scores: list[Any] = []
        # Some providers fail for topics that are not judged or contain no documents. Such
        # topics do not change any score.
        taken: _Topics = {t: docs for t, docs in run.items() if docs and t in self._topics}
        for provider, group, evaluator in self._evaluators:
            if provider.NAME != _OURS:
                taken = _plain(taken, float)
            with _naming(provider, group):
                found = evaluator.calc(taken)
            means |= found.aggregated
            scores += found.per_query
        return ir_measures.CalcResults(means, scores)


def _by_provider(measures: Iterable[Any]) -> list[tuple[Any, list[Any]]]:
    """Return each provider that is needed, with the measures to compute in one call of it."""
    groups: dict[Any, list[Any]] = {}
    for measure in dict.fromkeys(measures):
        groups.setdefault(provider_of(measure, str(measure)), []).append(measure)
    # Ours is first among the providers, so that it checks a run before others score it.
    order = ir_measures.DefaultPipeline.providers
    return sorted(groups.items(), key=lambda item: order.index(item[0]))


def _plain(topics: _Topics, kind: type) -> _Topics:
    """Return dicts with Python's own numbers; some providers misread or reject others."""
    return {
        topic: docs
        if isinstance(docs, dict) and set(map(type, docs.values())) <= {kind}
        else {doc_id: kind(value) for doc_id, value in docs.items()}
        for topic, docs in topics.items()
    }


@contextmanager
def _naming(provider: Any, measures: list[Any]) -> Iterator[None]:
    """Re-raise an error as a ValueError that names the provider and its measures.

    Errors of our own provider are raised unchanged.
    """
    try:
        yield
    except Exception as error:  # providers raise errors of any class
        if provider.NAME == _OURS:
            raise
        problem = f"{type(error).__name__}: {error}"
        if isinstance(error, subprocess.CalledProcessError):  # it wrote why to standard error
            problem = f"its process failed with exit code {error.returncode}; see its message above"
        names = some(list(map(str, measures)))
        raise ValueError(f"{provider.NAME} cannot compute {names} ({problem:.300})") from error
