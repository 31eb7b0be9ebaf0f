"""Score runs in one of two ways: with this package, from files, or with ir-measures, from dicts.

If all measures follow from the ranks of relevant documents, this package computes them.
If there is any other measure, ir-measures computes all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from pres_plugin.cli.errors import command_error, errors_of
from pres_plugin.cli.inputs import Inputs, each_file
from pres_plugin.cli.measures import parse_measures, split_measures
from pres_plugin.cli.warnings import compare_topics, largest_topic, n_max_of, short_run, warn
from pres_plugin.files.run_files import RunFiles
from pres_plugin.files.runs import Runs
from pres_plugin.files.scores import AnyJudgements, RunScores
from pres_plugin.files.scoring import judgements_for, rank_files, score_files
from pres_plugin.files.sources import Sources
from pres_plugin.formats.base import Duplicates
from pres_plugin.measures import Measure, MeasureError
from pres_plugin.measures.declared import R
from pres_plugin.measures.parsing import parse

if TYPE_CHECKING:
    from pres_plugin.files.run_ranks import RunRanks
    from pres_plugin.study.ranks import RankedRun, RelevantDocuments

_Run = TypeVar("_Run", RunScores, "RunRanks")


class Scoring(NamedTuple):
    """The measures and judged topics of a command, its files of runs, and their scores.

    The runs are scored one at a time.
    """

    measures: list[str]
    topics: Collection[str]
    files: Sequence[Runs]
    runs: Iterator[RunScores]


def scoring(sources: Sources, measures: Sequence[str]) -> Scoring:
    """Read measures and judgements, find the runs, and choose what scores them.

    Each text in `measures` contains one measure, or several separated by blanks. Raise a
    ClickException if a measure is unknown or a file cannot be read, here or while the runs
    are being scored. Warnings are printed when all runs have been scored.
    """
    try:
        ours = list(dict.fromkeys(map(parse, split_measures(measures))))
    except MeasureError:
        ours = []
    if ours:
        return _from_files(sources, ours)
    return _by_ir_measures(sources, parse_measures(measures))


def _from_files(sources: Sources, measures: list[Measure]) -> Scoring:
    until = click.get_current_context().with_resource(ExitStack())
    duplicates: Duplicates = sources.duplicates
    with errors_of(sources.qrels):
        files = RunFiles(sources, until)
        judged = judgements_for(files, sources, measures, until)
    scored = _file_by_file(files, judged, measures, score_files(files, judged, duplicates))
    return Scoring(list(map(str, measures)), judged.topics, files.files, scored)


def ranking(
    sources: Sources, measures: Sequence[Measure]
) -> tuple[RelevantDocuments, Iterator[RankedRun]]:
    """Read the relevant documents, and rank them in each run, one run at a time.

    The errors and warnings are those of :func:`scoring`; `measures` are the measures that will
    be computed.
    """
    from pres_plugin.files.judgements import read_judgements
    from pres_plugin.study.ranks import RankedRun, RelevantDocuments

    until = click.get_current_context().with_resource(ExitStack())
    duplicates: Duplicates = sources.duplicates
    with errors_of(sources.qrels):
        files = RunFiles(sources, until)
        # Studies need the documents with a relevance of at least 1, and so does R.
        judged = read_judgements(sources.qrels, [R], duplicates, until, sources.qrels_reading)
    found = _file_by_file(files, judged, measures, rank_files(files, judged, duplicates))
    ranked = (RankedRun(run.name, run.ranks, run.retrieved) for run in found)
    return RelevantDocuments(judged.dicts()), ranked


def _file_by_file(
    files: RunFiles,
    judged: AnyJudgements,
    measures: Sequence[Measure],
    results: Iterator[list[_Run]],
) -> Iterator[_Run]:
    n_max = n_max_of(measures)
    warnings: list[str] = []
    for file in each_file(files):
        with errors_of(file.path):
            found = next(results)
        for run in found:
            called = file.called(run.name)
            warnings += compare_topics(called, run.topics, judged.topics)
            warnings += short_run(called, run.largest_topic, n_max)
            yield run
    warn(warnings)


def _by_ir_measures(sources: Sources, measures: list[Any]) -> Scoring:
    from pres_plugin.adapters.ir_measures.scoring import Evaluator, ProviderError

    inputs = Inputs(sources, measures)
    with errors_of(sources.qrels):
        try:
            evaluator = Evaluator(measures, inputs.qrels)
        except ProviderError as error:  # the judgements are not the cause
            raise command_error(error) from None
    names = list(map(str, measures))
    scored = _run_by_run(inputs, names, evaluator)
    return Scoring(names, inputs.qrels, inputs.files, scored)


def _run_by_run(inputs: Inputs, measures: list[str], evaluator: Any) -> Iterator[RunScores]:
    for called, name, run in inputs.called_runs():
        with errors_of(called):
            results = evaluator.calc(run)
        values: dict[str, dict[str, float]] = {measure: {} for measure in measures}
        for found in results.per_query:
            values[str(found.measure)][found.query_id] = found.value
        means = {str(measure): mean for measure, mean in results.aggregated.items()}
        yield RunScores(name, list(run), largest_topic(run, inputs.qrels), values, means)
