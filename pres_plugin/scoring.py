"""Score ranked runs by any measures: this package's, and those of other packages.

Other packages score through ir-measures, which is imported only if it is needed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pres_plugin.kernel.topics import Floats, Ints
from pres_plugin.measures.declared import BY_NAME
from pres_plugin.measures.parsing import ours_and_others
from pres_plugin.messages import InputError, listed, problems_of
from pres_plugin.ranking.judgements import Judgements, Qrels
from pres_plugin.ranking.scores import RunRanks, mean

if TYPE_CHECKING:
    from pres_plugin.adapters.ir_measures.native.evaluator import Evaluator

# Counts of topics and documents.
_COUNTS = frozenset({"NumQ", "NumRel", "NumRet"})

# If all evaluators together contain more judged documents, they are made again for each run.
_KEPT_JUDGEMENTS = 1_000_000


def score_runs(
    judgements: Judgements, runs: Iterable[RunRanks], measures: Sequence[Any]
) -> tuple[list[str], Floats, Floats]:
    """Score R ranked runs on T topics by M measures of this package and of ir-measures.

    Return the names of the runs, their scores (R, T, M) and their means (R, M). Raise an InputError
    if a measure cannot be computed.
    """
    ours, others = ours_and_others(measures)
    evaluator = evaluators(judgements)
    names, values, means = [], [], []
    for run in runs:
        with problems_of(run.where):
            of_ours = judgements.scores(run, ours)
            scores: dict[Any, Any] = dict(zip(ours, of_ours, strict=True))
            averages: dict[Any, Any] = dict(zip(ours, mean(of_ours, run.order), strict=True))
            if others:
                results = evaluator(tuple(others)).calc(run.docs)
                averages |= results.aggregated
                of_pairs = {(each.measure, each.query_id): each.value for each in results.per_query}
                for measure in others:
                    scores[measure] = [
                        of_pairs.get((measure, topic), 0.0) for topic in judgements.topics
                    ]
        names.append(run.name)
        values.append(np.transpose([scores[measure] for measure in measures]))
        means.append([averages[measure] for measure in measures])
    return names, np.array(values), np.array(means)


def evaluators(
    judgements: Judgements, part: Callable[..., Qrels] | None = None
) -> Callable[..., Evaluator]:
    """Return a function that makes evaluators of ir-measures, and keeps them for the next run.

    Its arguments are a tuple of measures and those of `part`, which returns the judgements to
    evaluate with. Without `part`, these are all judgements.
    """

    def make(measures: tuple[Any, ...], *of_part: Any) -> Evaluator:
        from pres_plugin.adapters.ir_measures.native.evaluator import Evaluator

        with problems_of():
            return Evaluator(measures, part(*of_part) if part else judgements.qrels)

    # Each evaluator has its own copy of the judgements, about 200 bytes per document.
    size = 1 + sum(map(len, judgements.qrels.values()))
    return lru_cache(max(1, _KEPT_JUDGEMENTS // size))(make)


def best_first(scores: Floats, measure: str) -> NDArray[np.intp]:
    """Return the indices of the runs, best score first; ties keep their order.

    If no value of the measure is better than another, the lowest comes first.
    """
    # Round, because the last digits of a mean depend on the order of the topics.
    rounded = np.round(scores, 12)
    return np.argsort(-rounded if direction(measure) > 0 else rounded, kind="stable")


def direction(measure: str) -> int:
    """Return 1 if higher values of a measure are better, -1 if lower ones are, 0 if neither are.

    `measure` is a string in ir-measures' syntax.

    >>> from pres_plugin.scoring import direction
    >>> direction("PRES@100"), direction("Effort@0.95"), direction("LastRel"), direction("NumRet")
    (1, -1, 0, 0)
    """
    if ours := BY_NAME.get(_name_of(measure)):
        return ours.declaration.direction
    return int(not is_count(measure))


def directions(measures: Iterable[str]) -> Ints:
    """Return the direction of each measure. Shape (M,)."""
    return np.array(list(map(direction, measures)))


def is_count(measure: str) -> bool:
    """Return whether a measure counts topics or documents, so that ir-measures adds it up."""
    return _name_of(measure) in _COUNTS


def _name_of(measure: str) -> str:
    return re.split(r"\W", measure, maxsplit=1)[0]


def check_directed(measures: Iterable[object]) -> None:
    """Raise an InputError if neither higher nor lower values of a measure are better.

    Studies that ask which run is better call this function.
    """
    if others := [each for each in map(str, measures) if not direction(each)]:
        raise InputError(
            f"{listed(others)}: neither high nor low values are better, so no run can be better; "
            "use other measures"
        )


def computed_by(measures: Iterable[Any]) -> tuple[str, ...]:
    """Return the packages that compute these measures."""
    _, others = ours_and_others(measures)
    return ("pres-plugin", *(["ir-measures"] if others else []), "numpy")
