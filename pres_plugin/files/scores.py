"""The scores of a run, and what the judgements must provide to compute them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from pres_plugin.formats.base import Duplicates, FileError
from pres_plugin.measures import Measure, MeasureError
from pres_plugin.remedy import quoted

if TYPE_CHECKING:
    from pres_plugin.kernel.topics import Ints


class RunScores(NamedTuple):
    """The scores of one run."""

    name: str
    topics: Collection[str]  # all topics in the run, judged or not
    largest_topic: int  # the number of documents of the largest judged topic
    values: dict[str, dict[str, float]]  # by measure and judged topic
    means: dict[str, float]  # over all judged topics, by measure
    problem: MeasureError | None = None  # the error if a measure's N is too small


def run_scores(
    name: str,
    topics: Collection[str],
    largest_topic: int,
    found: Mapping[str, Mapping[str, float]],
    judged: Iterable[str],
    problem: MeasureError | None,
) -> RunScores:
    """Return the scores of a run on all judged topics; topics that it lacks score 0.

    `found` contains the scores by measure and judged topic, in the run's order.
    """
    values = {m: {q: of_topics.get(q, 0.0) for q in judged} for m, of_topics in found.items()}
    # Added in the run's order, as in trec_eval; sum() rounds differently.
    sums = {m: reduce(add, of_topics.values(), 0.0) for m, of_topics in found.items()}
    means = {m: sums[m] / len(of_topics) for m, of_topics in values.items()}
    return RunScores(name, topics, largest_topic, values, means, problem)


class AnyJudgements(Protocol):
    """Judgements that have been read, for scoring runs."""

    @property
    def measures(self) -> Sequence[Measure]:
        """The measures to compute."""

    @property
    def topics(self) -> Collection[str]:
        """The ids of the judged topics, in the order of the judgements."""

    def at_least(self, relevance: int, query_ids: Iterable[str]) -> Ints:
        """Count the documents of some topics that have at least this relevance."""

    def scores_of(self, files: Sequence[Any], duplicates: Duplicates) -> Iterator[list[RunScores]]:
        """Yield the scores of the runs in each file, in order, or raise a FileError."""


def check_collections(path: str, judged: AnyJudgements) -> None:
    """Raise a FileError if a measure's N is too small for the judgements at a path."""
    # Imported here, so that importing this module does not import numpy.
    from pres_plugin.ranking.scores import collection_problems

    names = list(judged.topics)
    for measure in judged.measures:
        n = judged.at_least(measure.rel, names)
        for _, problem in collection_problems(measure, n, lambda i: f"topic {quoted(names[i])}"):
            raise FileError(f"{path}: {problem}")
