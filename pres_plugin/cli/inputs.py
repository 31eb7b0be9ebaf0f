"""Read judgements and runs as dicts, for commands that need more than ranks."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any, TypeVar

import click

from pres_plugin.cli.errors import errors_of
from pres_plugin.cli.warnings import compare_topics, largest_topic, n_max_of, short_run, warn
from pres_plugin.escaping import visible
from pres_plugin.files.run_files import RunFiles
from pres_plugin.files.runs import Runs
from pres_plugin.files.sources import Sources
from pres_plugin.formats.base import Duplicates
from pres_plugin.formats.dicts import Dicts
from pres_plugin.formats.input.opening import interruptible

_Item = TypeVar("_Item")


class Inputs:
    """The judgements and runs that a command reads; each run is read once, one at a time.

    `measures` are the ir-measures objects that the command computes. `topic` is given if
    the command needs only one topic. Raise a ClickException if a file cannot be read, here
    or while the runs are being read.
    """

    def __init__(
        self,
        sources: Sources,
        measures: Sequence[Any],
        topic: str | None = None,
    ) -> None:
        from pres_plugin.adapters.ir_measures.any_measure import from_ranks
        from pres_plugin.adapters.ir_measures.scoring import check_judgements
        from pres_plugin.files.judgements import judged_dicts

        until = click.get_current_context().with_resource(ExitStack())
        with errors_of(sources.qrels):
            self._files = RunFiles(sources, until)
            self.qrels: Dicts = judged_dicts(
                sources.qrels, sources.duplicates, until, sources.qrels_reading
            )
            check_judgements([m for m in measures if from_ranks(m) is None], self.qrels)
        self._duplicates: Duplicates = sources.duplicates
        self._n_max = n_max_of(measures)
        self._topic = topic

    @property
    def files(self) -> Sequence[Runs]:
        """The files and folders of runs, in the order of the command line."""
        return self._files.files

    def runs(self) -> Iterator[tuple[str, Dicts]]:
        """Iterate over the name and the content of each run."""
        return ((name, run) for _, name, run in self.called_runs())

    def called_runs(self) -> Iterator[tuple[str, str, Dicts]]:
        """Iterate over runs: for each, how messages refer to it, its name and its content."""
        warnings: list[str] = []
        topics = self.qrels if self._topic is None else [self._topic]
        for file in each_file(self._files):
            found = file.dicts(self._duplicates)
            while named := self._next(file, found):
                name, run = named
                called = file.called(name)
                warnings += compare_topics(called, run, self.qrels)
                largest = largest_topic(run, topics)
                warnings += short_run(called, largest, self._n_max, self._topic)
                yield called, name, run
        warn(warnings)

    def _next(self, file: Runs, found: Iterator[tuple[str, Dicts]]) -> tuple[str, Dicts] | None:
        # Only errors in reading name the file; errors that the study raises must not.
        with errors_of(file.path):
            named = next(found, None)
            if named is not None:
                self._files.check_name(file, named[0])
                file.check_topics(*named, self.qrels)
            return named


def each_file(files: RunFiles) -> Iterator[Runs]:
    """Iterate over files, with a progress bar that names the current one."""
    interruptible()  # reading the judgements may have imported polars
    return with_progress(files.files, len(files.files), item_show_func=_shown)


def with_progress(items: Iterable[_Item], length: int, **options: Any) -> Iterator[_Item]:
    """Iterate with a progress bar if there are several items and standard error is a terminal."""
    hidden = length < 2 or not sys.stderr.isatty()
    with click.progressbar(items, length=length, file=sys.stderr, hidden=hidden, **options) as bar:
        yield from bar


def _shown(file: Runs | None) -> str | None:
    return visible(file.name or file.path) if file else None
