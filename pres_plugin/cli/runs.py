"""Read the judgements and runs of a command, and warn about runs that are easily scored wrong."""

from __future__ import annotations

import sys
import warnings
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import compress
from typing import Any, NamedTuple

import click

from pres_plugin.cli.process import warn
from pres_plugin.files.ranks import rank_files, read_judgements
from pres_plugin.measures.declared import R
from pres_plugin.measures.parsing import ours_and_others
from pres_plugin.messages import some
from pres_plugin.ranking.judgements import Judgements
from pres_plugin.ranking.scores import RunRanks
from pres_plugin.tables.copies import interruptible
from pres_plugin.tables.file_sets import FileSet
from pres_plugin.tables.run_files import RunFiles
from pres_plugin.tables.sources import Sources
from pres_plugin.unmatched import UnmatchedIdsWarning


class StudyInputs(NamedTuple):
    """The judgements and runs of a study, and the files of the runs."""

    qrels: Judgements
    runs: Iterator[RunRanks]
    files: Sequence[FileSet]


def judged_runs(sources: Sources, measures: list[Any]) -> StudyInputs:
    """Read judgements, and runs one at a time, for a study that computes these measures.

    The files are ranked in pieces; measures of other packages need each run as dicts, too. Raise a
    InputError if a file cannot be read, here or while the runs are being read. Warnings are printed
    when all runs have been read.
    """
    ours, others = ours_and_others(measures)
    context = click.get_current_context()
    # Temporary files are deleted when the command ends.
    context.with_resource(sources.run_reading.temporary_files)
    files = RunFiles(sources)
    # Studies need the documents with a relevance of at least 1, and so does R.
    judged = read_judgements(files, [R, *ours], with_dicts=bool(others))
    # After an error, this ends the threads that read files, because no thread can join itself.
    ranked = rank_files(files, judged, with_dicts=bool(others))
    closed = context.with_resource(closing(ranked))
    with_cutoff = [each for each in ours if each.cutoff]
    return StudyInputs(judged, _each_run(files, judged, with_cutoff, closed), files.files)


def _each_run(
    files: RunFiles, judged: Judgements, measures: Sequence[Any], runs: Iterable[RunRanks]
) -> Iterator[RunRanks]:
    """Iterate over ranked runs, with a progress bar, and warn at the end.

    `measures` are those of this package that have a cutoff.
    """
    # For each kind of warning, the paths of its runs, and the warnings.
    messages: dict[str, dict[str, str]] = defaultdict(dict)
    # Studies would repeat the warnings below, without the path.
    warnings.simplefilter("ignore", UnmatchedIdsWarning)
    interruptible()  # reading the judgements may have imported polars
    for run in with_progress(runs, len(files.files), "runs"):
        for kind, message in _about(run, judged.topics, measures):
            messages[kind][run.where] = message
        yield run
    warn(message for of_kind in messages.values() for message in _few(of_kind))
    warn(_beyond(judged, measures), "note")


def _beyond(judged: Judgements, measures: Iterable[Any]) -> Iterator[str]:
    """Note how many topics have more relevant documents than the lowest Nmax."""
    for measure in sorted(measures, key=lambda each: each.cutoff):
        is_beyond = judged.n_relevant(measure.rel) > measure.cutoff
        topics = [*compress(judged.topics, is_beyond)]
        # PRES_est and LastRel reach 1 all the same: one of two documents is found, at rank 1.
        if topics and measure.declaration.score([1], 2, n_max=1, n_docs=3) < 1:
            yield (
                f"in {len(topics)} of {len(judged.topics)} topics, {measure} cannot reach 1, "
                f"because more than {measure.cutoff} documents are relevant: {some(topics)}"
            )
            return


def _few(messages: Mapping[str, str]) -> Iterable[str]:
    """Return warnings of one kind, by the path of the run: only the first if there are many."""
    if len(messages) <= 3:
        return messages.values()
    first, *others = messages
    return [f"{messages[first]}; {len(others):,} more runs have a similar problem: {some(others)}"]


def with_progress(items: Iterable[Any], length: int, label: str) -> Iterator[Any]:
    """Iterate over several items with a progress bar if standard error is a terminal."""
    hidden = length == 1 or not sys.stderr.isatty()
    with click.progressbar(items, length, label, file=sys.stderr, hidden=hidden) as bar:
        yield from bar


def _about(
    run: RunRanks, judged: Collection[str], measures: Iterable[Any]
) -> Iterator[tuple[str, str]]:
    """Warn about a run with other ids than the qrels, without an order, or that ends before Nmax.

    Each warning follows the name of its kind.

    PRES assumes that the user checks Nmax results. If a run was cut off earlier, the
    documents after the cut count as missed, even if their ranks would be within Nmax.
    """
    path, there = run.where, set(run.order.tolist())
    if lacking := [each for i, each in enumerate(judged) if i not in there]:
        yield (
            "topics of the qrels",
            f"{path}: the run lacks {len(lacking)} of the {len(judged)} topics in the qrels; "
            f"missing topics count as topics without results: {some(lacking)}",
        )
    if run.extra:
        yield (
            "topics of the run",
            f"{path}: the qrels lack {len(run.extra)} of the {len(there) + len(run.extra)} topics "
            f"in the run; extra topics are ignored: {some(run.extra)}",
        )
    if 2 * run.n_tied > len(there):
        yield (
            "scores",
            f"{path}: in {run.n_tied} of {len(there)} topics, all documents have the same score, "
            "so only their ids decide the order; write scores that fall from rank to rank, or "
            "ranks without scores",
        )
    if run.unmatched:  # the length of the run does not matter
        yield "documents", str(run.unmatched)
        return
    n_docs = run.retrieved.max(initial=0)
    short = [
        str(measure)
        for measure in measures
        if measure.declaration.counts_to_n_max and n_docs < measure.cutoff
    ]
    if n_docs and short:
        yield (
            "length",
            f"{path} has at most {n_docs} document{'s' if n_docs > 1 else ''} per topic; relevant "
            f"documents outside the run count as missed by {some(short)}",
        )
