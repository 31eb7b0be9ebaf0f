"""``pres-eval score``: measures of some runs against the same judgements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click
import ir_measures

from pres_plugin.cli.completion import complete_measures
from pres_plugin.cli.inputs import (
    INPUT_FILE,
    Topics,
    check_standard_input,
    compare_topics,
    duplicates_option,
    read,
    run_name,
    same_names,
    with_progress,
)
from pres_plugin.cli.measures import parse_measures
from pres_plugin.cli.output import FORMATS, Score, formatted
from pres_plugin.trec import Duplicates, read_qrels, read_run

__all__ = ["score"]

# The depth of the papers.
_DEFAULT_MEASURES = ("PRES@1000", "AP@1000", "R@1000")


@click.command()
@click.argument("qrels", type=INPUT_FILE)
@click.argument("runs", metavar="RUN [RUN ...]", type=INPUT_FILE, nargs=-1, required=True)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    default=_DEFAULT_MEASURES,
    show_default=" ".join(_DEFAULT_MEASURES),
    shell_complete=complete_measures,
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
@duplicates_option
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
    check_standard_input(qrels, runs)
    asked = parse_measures(measures)
    warnings = same_names(runs)
    judged = read(read_qrels, qrels, duplicates)
    evaluator = _evaluator(asked, judged, qrels)
    scores: list[Score] = []
    for path in with_progress(runs):
        retrieved = read(read_run, path, duplicates)
        warnings += compare_topics(path, retrieved, judged)
        scores += _scores(path, evaluator, asked, retrieved, judged, by_query)
    for warning in warnings:
        click.echo(f"pres-eval: warning: {warning}", err=True)
    click.echo(formatted(scores, fmt, places, by_query), nl=False)


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
