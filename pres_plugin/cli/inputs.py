"""Find the files given to a command, name the runs and check them against the qrels."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import click

from pres_plugin.cli.errors import errors_of
from pres_plugin.files.dicts import Dicts
from pres_plugin.files.runs import Runs, runs_in, with_own_names

__all__ = [
    "INPUT_FILE",
    "NonEmptyPath",
    "RunFiles",
    "check_for_trec_eval",
    "compare_topics",
    "duplicates_option",
    "warn",
    "with_progress",
]


class NonEmptyPath(click.Path):
    """A path; an empty one, which often comes from an unset shell variable, is an error."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path as the requested type."""
        if value == "":
            self.fail("'' is an empty path; is a shell variable unset?", param, ctx)
        return super().convert(value, param, ctx)


#: A file to read, or standard input. Errors are reported when it is read.
INPUT_FILE = NonEmptyPath(allow_dash=True, readable=False)

duplicates_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--duplicates",
    type=click.Choice(["error", "first", "last"]),
    default="error",
    show_default=True,
    help="Which line to keep when a document occurs twice in a topic.",
)


class RunFiles:
    """The files of all RUNs, with a unique name for each run.

    Parameters
    ----------
    qrels : str
        Path of the judgements.
    paths : sequence of str
        Paths of files or folders that contain runs.
    until : ExitStack
        When it closes, temporary files are removed.

    Raises
    ------
    click.ClickException
        If a folder or a Parquet file cannot be read, or two runs would have the same name.
    """

    def __init__(self, qrels: str, paths: Sequence[str], until: ExitStack) -> None:
        if [qrels, *paths].count("-") > 1:
            raise click.ClickException("standard input can be read only once, as QRELS or as a RUN")
        files: list[Runs] = []
        for path in paths:
            with errors_of(path):
                files += runs_in(path, until)
        self.files: list[Runs] = with_own_names(files)
        self._paths: dict[str, str] = {}
        for file in self.files:
            if file.name is not None:
                self._add(file.name, file.path)

    def check_name(self, file: Runs, name: str) -> None:
        """Raise if a run found in a file has the same name as another run."""
        if file.name is None:
            self._add(name, file.called(name))

    def _add(self, name: str, path: str) -> None:
        if name in self._paths:
            raise click.ClickException(
                f"two runs are called {name}: {self._paths[name]} and {path}; "
                "give each run once, or rename one of them"
            )
        self._paths[name] = path


def compare_topics(
    path: str, retrieved: Mapping[str, object], judged: Mapping[str, object]
) -> Iterator[str]:
    """Warn about topics that only the run or only the qrels contain; raise if they share none."""
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


def check_for_trec_eval(judged: Dicts) -> None:
    """Raise a ValueError if a relevance is so large that trec_eval returns 0 without an error."""
    for topic, docs in judged.items():
        for doc_id, relevance in docs.items():
            if relevance > _LARGEST_RELEVANCE:
                raise ValueError(
                    f"topic {topic!r}, document {doc_id!r}: trec_eval takes relevances "
                    f"up to {_LARGEST_RELEVANCE}, got {relevance}"
                )


# trec_eval allocates memory for every relevance level, and counts the levels in 32 bits.
_LARGEST_RELEVANCE = (1 << 31) - 2


def warn(warnings: Iterable[str]) -> None:
    """Print warnings on standard error, to keep them out of the results."""
    for warning in warnings:
        click.echo(f"pres-eval: warning: {warning}", err=True)


def _some(topics: Collection[str], at_most: int = 3) -> str:
    shown = ", ".join(list(topics)[:at_most])
    return shown if len(topics) <= at_most else f"{shown}, …"


def with_progress(files: Sequence[Runs]) -> Iterator[Runs]:
    """Iterate over files, with a progress bar if standard error is a terminal."""
    if len(files) < 2 or not sys.stderr.isatty():
        yield from files
        return
    with click.progressbar(files, file=sys.stderr, item_show_func=_shown) as bar:
        yield from bar


def _shown(file: Runs | None) -> str | None:
    return (file.name or file.path) if file else None
