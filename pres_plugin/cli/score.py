"""``pres-eval score``: measures of some runs against the same judgements."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import click

from pres_plugin.cli.completion import complete_measures
from pres_plugin.cli.inputs import (
    INPUT_FILE,
    check_standard_input,
    duplicates_option,
    run_files,
    same_names,
    warn,
    with_progress,
)
from pres_plugin.cli.output import FORMATS, Score, formatted
from pres_plugin.cli.scorers import Scored, Scorer, scorer
from pres_plugin.trec import Duplicates

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

    Files are in TREC's formats, compressed or not, or in Parquet (*.parquet);
    - is standard input, and a folder as RUN all runs in it. Documents are ordered
    as trec_eval orders them: by score, then by id.
    """
    check_standard_input(qrels, runs)
    with ExitStack() as until:
        by = scorer(measures, qrels, duplicates, until)
        files = run_files(runs, until)
        scores: list[Score] = []
        names: list[tuple[str, str]] = []
        warnings: list[str] = []
        results = by.scored(files)
        for file in with_progress(files):
            for run in next(results):
                names.append((run.name, file.path))
                warnings += run.warnings
                scores += _scores(run, by, by_query)
    warn(same_names(names) + warnings)
    click.echo(formatted(scores, fmt, places, by_query), nl=False)


def _scores(run: Scored, by: Scorer, by_query: bool) -> Iterator[Score]:
    if by_query:
        for query_id in by.judged:
            for measure in by.measures:
                if (value := run.of(measure, query_id)) is not None:
                    yield Score(run.name, query_id, measure, value)
    for measure in by.measures:
        yield Score(run.name, "all", measure, run.mean(measure))
