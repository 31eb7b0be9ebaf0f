"""``pres-eval score``: measures of some runs against the same judgements."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator
from pathlib import PurePath
from typing import Any

import click
import ir_measures

from pres_plugin.cli.measures import parse_measures
from pres_plugin.cli.output import FORMATS, Score, formatted
from pres_plugin.trec import Duplicates, TrecFileError, read_qrels, read_run

__all__ = ["score"]

# The depth of the papers.
_DEFAULT_MEASURES = ("PRES@1000", "AP@1000", "R@1000")

Topics = dict[str, dict[str, Any]]


@click.command()
@click.argument("qrels")
@click.argument("runs", metavar="RUN [RUN ...]", nargs=-1, required=True)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    default=_DEFAULT_MEASURES,
    show_default=" ".join(_DEFAULT_MEASURES),
    help="Measures, repeated or in one string: -m 'PRES@100 AP R@100'.",
)
@click.option("-q", "--by-query", is_flag=True, help="Also the scores of each query.")
@click.option(
    "-p",
    "--places",
    type=click.IntRange(min=-1),
    default=4,
    show_default=True,
    help="Decimal places; -1 for full precision.",
)
@click.option(
    "-f",
    "--format",
    "fmt",
    type=click.Choice(list(FORMATS)),
    default="table",
    show_default=True,
    help="How to print the scores.",
)
@click.option(
    "--duplicates",
    type=click.Choice(["error", "first", "last"]),
    default="error",
    show_default=True,
    help="Which line counts of a document that a topic holds twice.",
)
def score(
    qrels: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    by_query: bool,
    places: int,
    fmt: str,
    duplicates: Duplicates,
) -> None:
    """Score each RUN against the judgements in QRELS.

    Files are in TREC's formats, compressed or not; - is standard input.
    Documents are ordered as trec_eval orders them: by score, then by id.
    """
    if [qrels, *runs].count("-") > 1:
        raise click.ClickException("standard input can be read once only, as QRELS or as one RUN")
    asked = parse_measures(measures)
    warnings = _same_names(runs)
    judged = _read(read_qrels, qrels, duplicates)
    evaluator = _evaluator(asked, judged, qrels)
    scores: list[Score] = []
    for path in _with_progress(runs):
        retrieved = _read(read_run, path, duplicates)
        warnings += _compare_topics(path, retrieved, judged)
        scores += _scores(path, evaluator, asked, retrieved, judged, by_query)
    for warning in warnings:
        click.echo(f"pres-eval: warning: {warning}", err=True)
    click.echo(formatted(scores, fmt, places, by_query), nl=False)


def _read(reader: Any, path: str, duplicates: Duplicates) -> Topics:
    try:
        topics: Topics = reader(path, duplicates)
    except TrecFileError as error:
        raise click.ClickException(str(error)) from None
    return topics


def _evaluator(measures: list[Any], judged: Topics, path: str) -> Any:
    try:
        return ir_measures.evaluator(measures, judged)
    except (TypeError, ValueError, RuntimeError) as error:
        raise click.ClickException(f"{path}: {error}") from None


def _scores(
    path: str,
    evaluator: Any,
    measures: list[Any],
    retrieved: Topics,
    judged: Topics,
    by_query: bool,
) -> Iterator[Score]:
    try:
        results = evaluator.calc(retrieved)
    except (TypeError, ValueError, RuntimeError) as error:
        raise click.ClickException(f"{path}: {error}") from None
    run = run_name(path)
    if by_query:
        values = {(metric.query_id, metric.measure): metric.value for metric in results.per_query}
        for query_id in judged:
            for measure in measures:
                if (query_id, measure) in values:
                    yield Score(run, query_id, str(measure), values[query_id, measure])
    for measure in measures:
        yield Score(run, "all", str(measure), results.aggregated[measure])


def _compare_topics(path: str, retrieved: Topics, judged: Topics) -> Iterator[str]:
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


def _same_names(runs: Iterable[str]) -> list[str]:
    paths: dict[str, str] = {}
    return [
        f"{path} and {paths[name]} are both called {name} in the results"
        for path in runs
        if paths.setdefault(name := run_name(path), path) != path
    ]


def _some(topics: Collection[str], at_most: int = 3) -> str:
    shown = ", ".join(list(topics)[:at_most])
    return shown if len(topics) <= at_most else f"{shown}, …"


def run_name(path: str) -> str:
    """What a run is called in results: its file name without folder and ``.gz``."""
    return PurePath(path).name.removesuffix(".gz")


def _with_progress(runs: tuple[str, ...]) -> Iterator[str]:
    if len(runs) < 2 or not sys.stderr.isatty():
        yield from runs
        return
    with click.progressbar(runs, file=sys.stderr, item_show_func=_shown) as bar:
        yield from bar


def _shown(path: str | None) -> str | None:
    return path and run_name(path)
