"""Score runs in one of two ways: with this package, from files, or with ir-measures, from dicts.

If all measures follow from the ranks of relevant documents, this package computes them.
If there is any other measure, ir-measures computes all of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import click

from pres_plugin.cli.errors import errors_of
from pres_plugin.cli.inputs import check_for_trec_eval, compare_topics, warn, with_progress
from pres_plugin.cli.measures import parse_measures, split_measures
from pres_plugin.cli.short_runs import largest_topic, n_max_of, short_run
from pres_plugin.files.judgements import judged_dicts, read_judgements
from pres_plugin.files.run_files import RunFiles
from pres_plugin.files.run_scores import RunScores
from pres_plugin.files.runs import Runs
from pres_plugin.files.scoring import score_files
from pres_plugin.formats.base import Duplicates
from pres_plugin.formats.dicts import Dicts
from pres_plugin.measures import MeasureError
from pres_plugin.measures.parsing import parse


class Backend(ABC):
    """Runs, judgements and measures of a command, ready to be scored.

    Attributes
    ----------
    measures : list of str
        The measures, each once.
    judged : mapping of str
        The judged topics.
    """

    def __init__(
        self, qrels: str, files: RunFiles, measures: Sequence[Any], duplicates: Duplicates
    ) -> None:
        self.measures = list(map(str, measures))
        self._n_max = n_max_of(measures)
        self._files = files
        self._duplicates = duplicates
        with errors_of(qrels):
            self.judged: Mapping[str, object] = self._read(qrels, measures)

    def scored(self) -> Iterator[RunScores]:
        """Yield the scores of each run, with a progress bar; print warnings at the end.

        Raises
        ------
        click.ClickException
            If a file cannot be read, its runs cannot be scored, or two runs have the
            same name.
        """
        warnings: list[str] = []
        results = self._scores()
        for file in with_progress(self._files.files):
            with errors_of(file.path):
                found = next(results)
            for run in found:
                called = file.called(run.name)
                warnings += compare_topics(called, run.topics, self.judged)
                warnings += short_run(called, run.largest_topic, self._n_max)
                yield run
        warn(warnings)

    @abstractmethod
    def _read(self, qrels: str, measures: Sequence[Any]) -> Mapping[str, object]:
        """Read the judgements, and return the judged topics."""

    @abstractmethod
    def _scores(self) -> Iterator[list[RunScores]]:
        """Yield the scores of the runs in each file, in order."""


def backend(
    qrels: str, runs: Sequence[str], measures: Sequence[str], duplicates: Duplicates
) -> Backend:
    """Read judgements and measures, find runs, and choose who scores.

    Each text in `measures` contains one measure, or several separated by blanks.

    Raises
    ------
    click.ClickException
        If a measure is unknown, or the judgements or a folder cannot be read.
    """
    until = click.get_current_context().with_resource(ExitStack())
    with errors_of():
        files = RunFiles(qrels, runs, until)
    try:
        ours = dict.fromkeys(parse(name) for name in split_measures(measures))
    except MeasureError:
        ours = {}
    if ours:
        return _FromFiles(qrels, files, list(ours), duplicates)
    return _ByIrMeasures(qrels, files, parse_measures(measures), duplicates)


class _FromFiles(Backend):
    """Scores measures that follow from the ranks of relevant documents."""

    def _read(self, qrels: str, measures: Sequence[Any]) -> Mapping[str, object]:
        self._judged = read_judgements(qrels, measures, self._duplicates, self._files.until)
        return self._judged.topics

    def _scores(self) -> Iterator[list[RunScores]]:
        return score_files(self._files, self._judged, self._duplicates)


class _ByIrMeasures(Backend):
    """Scores any measures with ir-measures, one run at a time."""

    def _read(self, qrels: str, measures: Sequence[Any]) -> Mapping[str, object]:
        import ir_measures

        judged = judged_dicts(qrels, self._duplicates, self._files.until)
        check_for_trec_eval(judged)
        self._evaluator: Any = ir_measures.evaluator(measures, judged)
        return judged

    def _scores(self) -> Iterator[list[RunScores]]:
        for file in self._files.files:
            yield [self._of(file, name, run) for name, run in file.dicts(self._duplicates)]

    def _of(self, file: Runs, name: str, run: Dicts) -> RunScores:
        self._files.check_name(file, name)
        file.check_topics(name, run, self.judged)
        results = self._evaluator.calc(run)
        values: dict[str, dict[str, float]] = {measure: {} for measure in self.measures}
        for found in results.per_query:
            values[str(found.measure)][found.query_id] = found.value
        means = {str(measure): mean for measure, mean in results.aggregated.items()}
        return RunScores(name, run.keys(), largest_topic(run, self.judged), values, means)
