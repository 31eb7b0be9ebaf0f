"""``pres-eval score``: score runs against the same judgements."""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import chain, count

import click

from pres_plugin.cli.arguments import (
    choice_option,
    decimals_option,
    input_arguments,
    measure_option,
    reading_options,
)
from pres_plugin.cli.backends import Scoring, scoring
from pres_plugin.cli.output import FORMATS, PAPERS, Score
from pres_plugin.cli.streams import print_data
from pres_plugin.cli.warnings import warn
from pres_plugin.files.scores import RunScores
from pres_plugin.files.sources import Sources


@click.command()
@input_arguments
@measure_option(  # the papers use an Nmax of 1000
    "PRES@1000",
    "AP@1000",
    "R@1000",
    help="Measures to compute: in one string, as in -m 'PRES@100 AP R@100', or with several -m.",
)
@click.option("-q", "--by-query", is_flag=True, help="Also print the scores of each topic.")
@decimals_option("Number of decimals, up to 20; -1 prints full precision.")
@choice_option(
    "-f",
    "--format",
    "fmt",
    values=[*FORMATS, *PAPERS],
    help="How to print the scores; markdown and latex print a table for a paper.",
)
@reading_options
def score(
    sources: Sources,
    measures: tuple[str, ...],
    by_query: bool,
    places: int,
    fmt: str,
) -> None:
    """Score each RUN against the judgements in QRELS.

    QRELS and RUN are files in TREC's formats, JSON, JSON lines, CSV, TSV, Parquet or ASReview's
    format. They may be compressed with gzip. Write - for standard input. If a RUN is a
    folder, all runs in it are scored.

    Documents are ordered as in trec_eval: by descending score, then by descending id. Lists of
    documents without scores keep their order.
    """
    by = scoring(sources, measures)
    mean = _name_of_the_mean(by.topics)
    scores = [score for run in by.runs for score in _scores(run, by, by_query, mean)]
    if by_query and mean != "all":
        warn([f"{sources.qrels}: a topic is called 'all', so the mean is called {mean!r}"])
    if fmt in FORMATS:
        print_data(FORMATS[fmt](scores, places, by_query))
    else:
        from pres_plugin.cli.papers import paper_table

        table = paper_table(scores, places, by_query, len(by.topics))
        print_data(table.to_latex() if fmt == "latex" else table.to_markdown())


def _name_of_the_mean(topics: Container[str]) -> str:
    """Return ``all``, as in trec_eval, or another name if a topic has that id."""
    names = chain(["all", "mean"], (f"mean-{i}" for i in count(2)))
    return next(name for name in names if name not in topics)


def _scores(run: RunScores, by: Scoring, by_query: bool, mean: str) -> Iterator[Score]:
    if by_query:
        for query_id in by.topics:
            for measure in by.measures:
                if (value := run.values[measure].get(query_id)) is not None:
                    yield Score(run.name, query_id, measure, value)
    for measure in by.measures:
        yield Score(run.name, mean, measure, run.means[measure])
