"""The files that a command is given: how they are read, named and checked against each other."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import click

from pres_plugin.files.parquet import ParquetError
from pres_plugin.files.runs import Runs, runs_in
from pres_plugin.trec import TrecFileError, run_name

__all__ = [
    "INPUT_FILE",
    "check_standard_input",
    "compare_topics",
    "duplicates_option",
    "errors_of",
    "run_files",
    "same_names",
    "warn",
    "with_progress",
]

#: A file to read, or standard input. What is wrong with it shows when it is read.
INPUT_FILE = click.Path(allow_dash=True, readable=False)

duplicates_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--duplicates",
    type=click.Choice(["error", "first", "last"]),
    default="error",
    show_default=True,
    help="Which line counts of a document that a topic holds twice.",
)


def check_standard_input(qrels: str, runs: Iterable[str]) -> None:
    """Fail if standard input is asked for twice."""
    if [qrels, *runs].count("-") > 1:
        raise click.ClickException("standard input can be read once only, as QRELS or as one RUN")


def run_files(paths: Iterable[str], until: ExitStack) -> list[Runs]:
    """The files that each RUN stands for; temporary ones until `until` closes."""
    files = []
    for path in paths:
        with errors_of(path):
            files += runs_in(path, until)
    return files


@contextmanager
def errors_of(path: str) -> Iterator[None]:
    """What is wrong with a file, in one line."""
    try:
        yield
    except (TrecFileError, ParquetError) as error:
        raise click.ClickException(str(error)) from None
    except (TypeError, ValueError, RuntimeError) as error:
        raise click.ClickException(f"{path}: {error}") from None


def compare_topics(
    path: str, retrieved: Mapping[str, object], judged: Mapping[str, object]
) -> Iterator[str]:
    """Warn of topics on one side only; fail if there are no others."""
    if retrieved.keys().isdisjoint(judged):
        raise click.ClickException(
            f"{path}: no topic in common with the qrels; "
            f"it has {_some(retrieved)}, the qrels have {_some(judged)}"
        )
    if lacking := [topic for topic in judged if topic not in retrieved]:
        yield (
            f"{path}: of {len(judged)} topics in the qrels, {len(lacking)} are not in the run "
            f"and score 0: {_some(lacking)}"
        )
    if extra := [topic for topic in retrieved if topic not in judged]:
        yield (
            f"{path}: of {len(retrieved)} topics in the run, {len(extra)} are not in the qrels "
            f"and are ignored: {_some(extra)}"
        )


def same_names(runs: Iterable[tuple[str, str]]) -> list[str]:
    """What to say of runs, given by name and path, that results cannot tell apart."""
    paths: dict[str, str] = {}
    return [
        f"{path} and {paths[name]} are both called {name} in the results"
        for name, path in runs
        if paths.setdefault(name, path) != path
    ]


def warn(warnings: Iterable[str]) -> None:
    """Say what is amiss on standard error, where results are not."""
    for warning in warnings:
        click.echo(f"pres-eval: warning: {warning}", err=True)


def _some(topics: Collection[str], at_most: int = 3) -> str:
    shown = ", ".join(list(topics)[:at_most])
    return shown if len(topics) <= at_most else f"{shown}, …"


def with_progress(files: Sequence[Runs]) -> Iterator[Runs]:
    """The same files, with a progress bar if there is somebody to see it."""
    if len(files) < 2 or not sys.stderr.isatty():
        yield from files
        return
    with click.progressbar(files, file=sys.stderr, item_show_func=_shown) as bar:
        yield from bar


def _shown(file: Runs | None) -> str | None:
    return run_name(file.path) if file else None
