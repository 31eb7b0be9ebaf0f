"""Arguments, input and output of the commands that study runs."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import wraps
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pres_plugin.cli.completion import complete_measures
from pres_plugin.cli.errors import command_error, errors_of
from pres_plugin.cli.inputs import (
    INPUT_FILE,
    NonEmptyPath,
    check_for_trec_eval,
    compare_topics,
    duplicates_option,
    warn,
    with_progress,
)
from pres_plugin.cli.short_runs import largest_topic, n_max_of, short_run
from pres_plugin.files.judgements import judged_dicts
from pres_plugin.files.run_files import RunFiles
from pres_plugin.files.runs import Runs
from pres_plugin.formats.base import Duplicates
from pres_plugin.formats.dicts import Dicts

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pres_plugin.study.report import Report

_EXTRA = ("jinja2", "matplotlib", "pandas", "scipy")

Command = Callable[..., None]
Completer = Callable[[click.Context, click.Parameter, str], list[Any]]


class Inputs:
    """Judgements and runs of a command; runs are read once, one at a time.

    `measures` are those of ir-measures that the command computes, and `topic` is the topic
    that it looks at, if it is only one. Raise a ClickException if a file cannot be read,
    here or while the runs are being read.
    """

    def __init__(
        self,
        qrels: str,
        runs: tuple[str, ...],
        duplicates: Duplicates,
        measures: Sequence[Any],
        topic: str | None = None,
    ) -> None:
        from pres_plugin.adapters.ir_measures.any_measure import from_ranks

        until = click.get_current_context().with_resource(ExitStack())
        with errors_of(qrels):
            self._files = RunFiles(qrels, runs, until)
            self.qrels: Dicts = judged_dicts(qrels, duplicates, until)
            if any(from_ranks(measure) is None for measure in measures):
                check_for_trec_eval(self.qrels)
        self._duplicates = duplicates
        self._n_max = n_max_of(measures)
        self._topic = topic
        self._warnings: list[str] = []

    def runs(self) -> Iterator[tuple[str, Dicts]]:
        """Iterate over the name and the content of each run."""
        for file in with_progress(self._files.files):
            found = file.dicts(self._duplicates)
            while named := self._next(file, found):
                self._warnings += self._warnings_of(file.called(named[0]), named[1])
                yield named
        warn(self._warnings)

    def _next(self, file: Runs, found: Iterator[tuple[str, Dicts]]) -> tuple[str, Dicts] | None:
        # Only reading is wrapped, so that an error of the study does not get the file's path.
        with errors_of(file.path):
            named = next(found, None)
            if named is not None:
                self._files.check_name(file, named[0])
                file.check_topics(*named, self.qrels)
            return named

    def _warnings_of(self, called: str, run: Dicts) -> Iterator[str]:
        yield from compare_topics(called, run, self.qrels)
        topics = self.qrels if self._topic is None else [self._topic]
        yield from short_run(called, largest_topic(run, topics), self._n_max, self._topic)


def input_arguments(command: Command) -> Command:
    """Add QRELS, one or more RUN, and ``--duplicates``."""
    command = duplicates_option(command)
    runs = click.argument("runs", metavar="RUN [RUN ...]", type=INPUT_FILE, nargs=-1, required=True)
    return click.argument("qrels", type=INPUT_FILE)(runs(command))


def measure_option(
    *default: str, complete: Completer = complete_measures
) -> Callable[[Command], Command]:
    """Add ``-m`` for measures, repeated or in one string, as in ``pres-eval score``."""
    return click.option(
        "-m",
        "--measure",
        "measures",
        multiple=True,
        default=default,
        show_default=" ".join(default),
        shell_complete=complete,
        help="Measures to compute, repeated or in one string; the first one orders the runs.",
    )


def study_options(command: Callable[..., Report]) -> Command:
    """Add ``--out``, ``--force`` and ``--places``, and write or print the command's report.

    A StudyError is reported in one line.
    """

    @wraps(command)
    def studied(out: Path | None, force: bool, places: int, **arguments: Any) -> None:
        for module in _EXTRA:
            if find_spec(module) is None:
                raise click.ClickException(
                    f"{module} is not installed; to install what studies need: "
                    "pip install 'pres-plugin[study]'"
                )
        from pres_plugin.study.inputs import StudyError
        from pres_plugin.study.report import check_folder

        try:
            if out is not None:
                check_folder(out, force=force)
            report = command(**arguments)
            if out is None:
                click.echo(report.text(places), nl=False)
            else:
                report.write(out, force=force)
                click.echo(f"pres-eval: written: {out / 'report.html'}", err=True)
        except StudyError as error:
            raise command_error(error) from error

    options = (
        click.option(
            "--out",
            type=NonEmptyPath(path_type=Path),
            help="Folder for pictures (PNG, SVG), numbers (TSV, JSON) and report.html.",
        ),
        click.option("--force", is_flag=True, help="Write into a folder that contains files."),
        click.option(
            "-p",
            "--places",
            type=click.IntRange(min=-1),
            default=4,
            show_default=True,
            help="Number of decimals on the terminal; -1 for full precision.",
        ),
    )
    for option in reversed(options):
        studied = option(studied)
    return studied


def drawn_by(module: str, function: str, *results: Any) -> Callable[[], Figure]:
    """Return a function that draws results with a function of ``pres_plugin.study.pictures``.

    Its module is imported only for drawing, because printing tables needs no matplotlib.
    """

    def draw() -> Figure:
        pictures = import_module(f"pres_plugin.study.pictures.{module}")
        figure: Figure = getattr(pictures, function)(*results)
        return figure

    return draw


def command_line() -> str:
    """Return the command line, quoted so that it can be run again."""
    return shlex.join(["pres-eval", *sys.argv[1:]])
