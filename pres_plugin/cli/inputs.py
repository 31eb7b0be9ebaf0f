"""The files that a command is given: how they are read, named and checked against each other."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import click

from pres_plugin.trec import Duplicates, TrecFileError, run_name

__all__ = [
    "INPUT_FILE",
    "Topics",
    "check_standard_input",
    "compare_topics",
    "duplicates_option",
    "read",
    "run_name",
    "same_names",
    "warn",
    "with_progress",
]

Topics = dict[str, dict[str, Any]]

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


def read(reader: Any, path: str, duplicates: Duplicates) -> Topics:
    """What `reader` reads; what is wrong with the file in one line."""
    try:
        topics: Topics = reader(path, duplicates)
    except TrecFileError as error:
        raise click.ClickException(str(error)) from None
    return topics


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


def with_progress(runs: Sequence[str]) -> Iterator[str]:
    """The same paths, with a progress bar if there is somebody to see it."""
    if len(runs) < 2 or not sys.stderr.isatty():
        yield from runs
        return
    with click.progressbar(runs, file=sys.stderr, item_show_func=_shown) as bar:
        yield from bar


def _shown(path: str | None) -> str | None:
    return path and run_name(path)
