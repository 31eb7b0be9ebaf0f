"""Score runs in one of two ways: from dataframes, or with ir-measures, from dicts.

If all measures follow from the ranks of relevant documents, this package computes them.
If there is any other measure, ir-measures computes all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any, NamedTuple, Protocol

from pres_plugin.cli.errors import errors_of
from pres_plugin.cli.in_order import in_order
from pres_plugin.cli.inputs import (
    RunFiles,
    check_for_trec_eval,
    compare_topics,
    with_progress,
)
from pres_plugin.cli.measures import parse_measures, split_measures
from pres_plugin.cli.short_runs import WITH_NMAX, largest_topic, short_run
from pres_plugin.files.qrels import judged_dicts, judged_in
from pres_plugin.files.runs import Runs
from pres_plugin.files.scoring import RunScores
from pres_plugin.measures import Measure, MeasureError
from pres_plugin.measures.parsing import parse
from pres_plugin.trec import Duplicates

__all__ = ["Scored", "Scorer", "all_scored", "scorer"]


class Scored(NamedTuple):
    """The scores of one run.

    Attributes
    ----------
    name : str
        The run's name in results.
    warnings : list of str
        Warnings about the run's topics and length.
    of : callable
        Takes the text of a measure and a judged topic; returns the score, or None.
    mean : callable
        Takes the text of a measure; returns the mean.
    """

    name: str
    warnings: list[str]
    of: Callable[[str, str], float | None]
    mean: Callable[[str], float]


class Scorer(Protocol):
    """Judgements and measures, ready to score runs.

    Attributes
    ----------
    measures : list of str
        The measures, each once.
    judged : mapping of str
        The judged topics.
    """

    measures: list[str]
    judged: Mapping[str, object]

    def scored(self, runs: Sequence[Runs]) -> Iterator[list[Scored]]:
        """Yield the scores of the runs in each of these files, in the order of the files.

        Raises
        ------
        click.ClickException
            If a file cannot be read, or its runs cannot be scored.
        """


def scorer(measures: Sequence[str], qrels: str, duplicates: Duplicates, until: ExitStack) -> Scorer:
    """Return a scorer for some measures and the judgements in a file.

    Parameters
    ----------
    measures : sequence of str
        Each contains one measure, or several separated by blanks.
    qrels : str
        Path of the judgements; ``-`` for standard input.
    duplicates : {'error', 'first', 'last'}
        Which line to keep when a document occurs twice in a topic.
    until : ExitStack
        When it closes, temporary files are removed.

    Raises
    ------
    click.ClickException
        If a measure is unknown, or the judgements cannot be read.
    """
    try:
        ours = [parse(name) for name in split_measures(measures)]
    except MeasureError:
        ours = []
    if ours:
        return _FromFrames(list(dict.fromkeys(ours)), qrels, duplicates, until)
    return _ByIrMeasures(parse_measures(measures), qrels, duplicates, until)


def all_scored(by: Scorer, runs: RunFiles) -> Iterator[Scored]:
    """Score all runs of a command in their order, with a progress bar.

    Raises
    ------
    click.ClickException
        If a file cannot be read, its runs cannot be scored, or two runs have the
        same name.
    """
    results = by.scored(runs.files)
    for file in with_progress(runs.files):
        for run in next(results):
            runs.check_name(file, run.name)
            yield run


class _FromFrames:
    """Scores measures that follow from the ranks of relevant documents."""

    def __init__(
        self, measures: list[Measure], qrels: str, duplicates: Duplicates, until: ExitStack
    ) -> None:
        self._measures = measures
        self._duplicates = duplicates
        self.measures = list(map(str, measures))
        self._nmax = {str(m): m.cutoff for m in measures if m.name in WITH_NMAX and m.cutoff}
        with errors_of(qrels):
            self._judged = judged_in(qrels, measures, duplicates, until)
            self._judged.check_collection_size(measures)
        self.judged: Mapping[str, object] = self._judged.topics

    def scored(self, runs: Sequence[Runs]) -> Iterator[list[Scored]]:
        return in_order(self._scored, runs)

    def _scored(self, runs: Runs) -> list[Scored]:
        with errors_of(runs.path):
            found = runs.scores(self._judged, self._measures, self._duplicates)
            return [self._shown(runs, scores) for scores in found]

    def _shown(self, runs: Runs, scores: RunScores) -> Scored:
        by_text = dict(zip(self.measures, self._measures, strict=True))
        called = runs.called(scores.name)
        warnings = [
            *compare_topics(called, scores.retrieved, self.judged),
            *short_run(called, scores.largest_topic, self._nmax),
        ]
        scores.check_collection_size()
        return Scored(
            str(scores.name),
            warnings,
            lambda measure, query_id: scores.of(by_text[measure], query_id),
            lambda measure: scores.mean(by_text[measure], self._judged),
        )


class _ByIrMeasures:
    """Scores any measures with ir-measures, one run at a time."""

    def __init__(
        self, measures: list[Any], qrels: str, duplicates: Duplicates, until: ExitStack
    ) -> None:
        import ir_measures

        self._duplicates = duplicates
        self.measures = list(map(str, measures))
        self._nmax = {str(m): m.params["cutoff"] for m in measures if m.NAME in WITH_NMAX}
        with errors_of(qrels):
            judged = judged_dicts(qrels, duplicates, until)
            check_for_trec_eval(judged)
            self._evaluator: Any = ir_measures.evaluator(measures, judged)
        self.judged: Mapping[str, object] = judged

    def scored(self, runs: Sequence[Runs]) -> Iterator[list[Scored]]:
        for of_file in runs:
            with errors_of(of_file.path):
                found = list(self._scored(of_file))
            yield found

    def _scored(self, runs: Runs) -> Iterator[Scored]:
        for name, retrieved in runs.dicts(self._duplicates):
            called = runs.called(name)
            warnings = [
                *compare_topics(called, retrieved, self.judged),
                *short_run(called, largest_topic(retrieved, self.judged), self._nmax),
            ]
            results = self._evaluator.calc(retrieved)
            values = {(str(m.measure), m.query_id): m.value for m in results.per_query}
            means = {str(measure): mean for measure, mean in results.aggregated.items()}
            yield Scored(name, warnings, partial(_value, values), means.__getitem__)


def _value(values: dict[tuple[str, str], float], measure: str, query_id: str) -> float | None:
    return values.get((measure, query_id))
