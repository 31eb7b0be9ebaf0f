"""Score runs with ir-measures, after checking that its providers can handle the input.

trec_eval ends the process, or allocates gigabytes, for relevances and ids that it does not
expect. gdeval mixes up topics. :mod:`.limits` rejects such input. Studies and commands score
with this module; ir-measures itself stays as it is.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import ir_measures

from pres_plugin.remedy import some
from pres_plugin.study.any_measure.limits import (
    CHECKS_OF_IDS,
    CHECKS_OF_JUDGEMENTS,
    ProviderError,
    Topics,
)
from pres_plugin.study.any_measure.reading import provider_of

_OURS = "pres_plugin"

_LARGEST_C_INT = 2**31 - 1


class Evaluator:
    """Scores runs by any checked measures, with the same judgements for all.

    Judgements and runs are dicts whose ids and values have been checked, except that our own
    measures check runs themselves. Raise a ProviderError if a provider rejects a measure,
    and a ValueError if it cannot handle the judgements or a run.
    """

    def __init__(self, measures: Iterable[Any], qrels: Topics) -> None:
        plain = _plain(qrels, int)
        self._topics = qrels
        self._evaluators = []
        for provider, group in _by_provider(measures):
            if check := CHECKS_OF_JUDGEMENTS.get(provider.NAME):
                check(group, qrels)
            with _naming(provider, group, ProviderError):
                evaluator = provider.evaluator(group, plain)
            if provider.NAME == _OURS:
                evaluator.warns = False
            self._evaluators.append((provider, group, evaluator))

    def calc(self, run: Topics) -> Any:
        """Return the means of a run, and its score on each topic, as ir-measures' CalcResults."""
        means: dict[Any, Any] = {}
        scores: list[Any] = []
        # Some providers fail for topics that are not judged or contain no documents. Such
        # topics do not change any score.
        taken: Topics = {t: docs for t, docs in run.items() if docs and t in self._topics}
        for provider, group, evaluator in self._evaluators:
            if provider.NAME != _OURS:
                taken = _plain(taken, float)
            if check := CHECKS_OF_IDS.get(provider.NAME):
                check(group, taken)
            with _naming(provider, group, ValueError):
                found = evaluator.calc(taken)
            means |= found.aggregated
            scores += found.per_query
        return ir_measures.CalcResults(means, scores)


def _by_provider(measures: Iterable[Any]) -> list[tuple[Any, list[Any]]]:
    """Return each provider that is needed, with the measures to compute in one call of it."""
    groups: dict[tuple[Any, int], list[Any]] = {}
    for measure in dict.fromkeys(measures):
        cutoff = measure.params.get("cutoff") or 0
        # trec_eval sorts the cutoffs of a measure by their difference as a C int, which larger
        # cutoffs overflow; then it assigns scores to wrong cutoffs. Alone, they are right.
        alone = cutoff if cutoff > _LARGEST_C_INT else 0
        groups.setdefault((provider_of(measure, str(measure)), alone), []).append(measure)
    # Ours is first among the providers, so that it checks a run before others score it.
    order = ir_measures.DefaultPipeline.providers
    found = [(provider, group) for (provider, _), group in groups.items()]
    return sorted(found, key=lambda item: order.index(item[0]))


def _plain(topics: Topics, kind: type) -> Topics:
    """Return dicts with Python's own numbers; some providers misread or reject others."""
    return {
        topic: docs
        if isinstance(docs, dict) and set(map(type, docs.values())) <= {kind}
        else {doc_id: kind(value) for doc_id, value in docs.items()}
        for topic, docs in topics.items()
    }


@contextmanager
def _naming(provider: Any, measures: list[Any], kind: type[ValueError]) -> Iterator[None]:
    """Re-raise an error as one of class `kind` that names the provider and its measures.

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
        raise kind(f"{provider.NAME} cannot compute {names} ({problem:.300})") from error
