"""Runs scored once, topic by topic, by any measures of ir-measures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import ir_measures
import numpy as np
import pandas as pd
from numpy.typing import NDArray

import pres_plugin  # noqa: F401 (adds its measures to those that can be parsed)

__all__ = ["Qrels", "Runs", "Scores", "StudyError", "best_first", "named", "parsed", "score"]

Qrels = Mapping[str, Mapping[str, int]]
Runs = (
    Mapping[str, Mapping[str, Mapping[str, float]]]
    | Iterable[tuple[str, Mapping[str, Mapping[str, float]]]]
)
_Run = TypeVar("_Run")


class StudyError(ValueError):
    """What was asked for cannot be studied; the message says why."""


@dataclass(frozen=True, eq=False)
class Scores:
    """The scores of R runs on T topics by M measures.

    Attributes
    ----------
    runs, topics, measures : tuple of str
        Their names.
    values : ndarray of float64, shape (R, T, M)
        The score of each run on each topic.
    means : ndarray of float64, shape (R, M)
        Over all topics, aggregated as ir-measures does it.
    """

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    measures: tuple[str, ...]
    values: NDArray[np.float64]
    means: NDArray[np.float64]

    def table(self) -> pd.DataFrame:
        """The means: a row a run, a column a measure, the best run by the first measure on top."""
        order = best_first(self.means[:, 0])
        return pd.DataFrame(
            self.means[order],
            index=pd.Index([self.runs[i] for i in order], name="run"),
            columns=list(self.measures),
        )

    def by_topic(self) -> pd.DataFrame:
        """All scores: a row a run and topic, a column a measure."""
        return pd.DataFrame(
            self.values.reshape(-1, len(self.measures)),
            index=pd.MultiIndex.from_product([self.runs, self.topics], names=["run", "query_id"]),
            columns=list(self.measures),
        )


def best_first(scores: NDArray[np.float64]) -> NDArray[np.intp]:
    """Where the runs stand in the order of their scores; ties stay as they are."""
    # Means depend, in their last bits, on the order of the topics that they are over.
    return np.argsort(-np.round(scores, 12), kind="stable")


def parsed(measures: Iterable[Any]) -> list[Any]:
    """Measures of ir-measures, from them or their names, each once.

    Raises
    ------
    StudyError
        If there is none, or no measure of that name.
    """
    found: dict[Any, None] = {}
    for measure in measures:
        if isinstance(measure, str):
            try:
                found[ir_measures.parse_measure(measure)] = None
            except NameError:
                raise StudyError(f"measure {measure!r}: unknown") from None
        else:
            found[measure] = None
    if not found:
        raise StudyError("no measure is given; for instance 'PRES@100'")
    return list(found)


def named(
    runs: Mapping[str, _Run] | Iterable[tuple[str, _Run]],
) -> Iterator[tuple[str, _Run]]:
    """Pairs of name and run, or what is known of it, one at a time.

    Raises
    ------
    StudyError
        If two have the same name, or there is none.
    """
    seen = set()
    for name, run in runs.items() if isinstance(runs, Mapping) else runs:
        if name in seen:
            raise StudyError(f"two runs are called {name}; results could not tell them apart")
        seen.add(name)
        yield name, run
    if not seen:
        raise StudyError("no run is given")


def score(qrels: Qrels, runs: Runs, measures: Iterable[Any]) -> Scores:
    """Score runs, each once by all measures.

    Parameters
    ----------
    qrels : dict of str to dict of str to int
        Of each topic, the relevance of each document judged.
    runs : dict of str to run, or iterable of (str, run)
        Runs by name; of each, the score of each document by topic.
    measures : iterable of str or ir_measures.Measure
        Anything ir-measures can parse.

    Returns
    -------
    Scores
        A topic that a run lacks scores 0, as everywhere.

    Examples
    --------
    >>> from pres_plugin.study.scoring import score
    >>> qrels = {"q": {"a": 1, "b": 1}}
    >>> runs = {"one": {"q": {"x": 2.0, "a": 1.0}}, "two": {"q": {"a": 2.0, "b": 1.0}}}
    >>> score(qrels, runs, ["PRES@10", "AP"]).table().to_dict("index")
    {'two': {'PRES@10': 1.0, 'AP': 1.0}, 'one': {'PRES@10': 0.45, 'AP': 0.25}}
    """
    asked = parsed(measures)
    topics = list(qrels)
    row = {topic: i for i, topic in enumerate(topics)}
    column = {measure: j for j, measure in enumerate(asked)}
    evaluator = ir_measures.evaluator(asked, qrels)
    names, values, means = [], [], []
    for name, run in named(runs):
        results = _calc(name, evaluator, run)
        of_run = np.zeros((len(topics), len(asked)))
        for metric in results.per_query:
            of_run[row[metric.query_id], column[metric.measure]] = metric.value
        names.append(name)
        values.append(of_run)
        means.append([results.aggregated[measure] for measure in asked])
    return Scores(
        tuple(names),
        tuple(topics),
        tuple(map(str, asked)),
        np.array(values, dtype=np.float64),
        np.array(means, dtype=np.float64),
    )


def _calc(name: str, evaluator: Any, run: Any) -> Any:
    try:
        return evaluator.calc(run)
    except (TypeError, ValueError, RuntimeError) as error:
        raise StudyError(f"{name}: {error}") from error
