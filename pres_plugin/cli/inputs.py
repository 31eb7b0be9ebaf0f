"""The arguments that name files, and warnings about the runs in them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

import click

from pres_plugin.files.runs import Runs
from pres_plugin.formats.dicts import Dicts
from pres_plugin.remedy import some


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


def compare_topics(path: str, retrieved: Collection[str], judged: Collection[str]) -> Iterator[str]:
    """Warn about topics that only the run or only the qrels contain."""
    if lacking := [topic for topic in judged if topic not in retrieved]:
        yield (
            f"{path}: of {len(judged)} topics in the qrels, {len(lacking)} are not in the run "
            f"and score 0: {some(lacking)}"
        )
    if extra := [topic for topic in retrieved if topic not in judged]:
        yield (
            f"{path}: of {len(retrieved)} topics in the run, {len(extra)} are not in the qrels "
            f"and are ignored: {some(extra)}"
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


def with_progress(files: Sequence[Runs]) -> Iterator[Runs]:
    """Iterate over files, with a progress bar if standard error is a terminal."""
    if len(files) < 2 or not sys.stderr.isatty():
        yield from files
        return
    with click.progressbar(files, file=sys.stderr, item_show_func=_shown) as bar:
        yield from bar


def _shown(file: Runs | None) -> str | None:
    return (file.name or file.path) if file else None
