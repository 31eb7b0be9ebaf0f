"""``pres-eval score``: score runs against the same judgements."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import click
import numpy as np

from pres_plugin.cli.arguments import (
    choice_option,
    decimals_option,
    groups_option,
    input_arguments,
    measure_option,
)
from pres_plugin.cli.measures import parse_measures
from pres_plugin.cli.output import FORMATS, PAPERS, formatted
from pres_plugin.cli.process import print_data, warn
from pres_plugin.cli.runs import judged_runs
from pres_plugin.groups import group_means
from pres_plugin.messages import check_known
from pres_plugin.output.tables import Table
from pres_plugin.scoring import best_first, is_count
from pres_plugin.study import scoring
from pres_plugin.tables.mappings import read_groups
from pres_plugin.tables.sources import Sources


@click.command()
@measure_option()
@click.option("-q", "--by-query", is_flag=True, help="Also print the scores of each topic.")
@click.option(
    "--sort",
    metavar="MEASURE",
    help="Print the best run by this measure first. If neither high nor low values are better, as "
    "for LastRel, the lowest comes first.",
    show_default="keep the order of the RUNs",
)
@groups_option
@decimals_option
@choice_option(
    "-f",
    "--format",
    "fmt",
    values=[*FORMATS, *PAPERS],
    help="How to print the scores; markdown and latex print a table for a paper.",
)
@input_arguments()
def score(
    sources: Sources,
    measures: tuple[str, ...],
    by_query: bool,
    sort: str | None,
    groups: str | None,
    places: int,
    fmt: str,
) -> None:
    """Score each RUN against the judgements in QRELS.

    QRELS and RUN are files in TREC's formats, JSON, JSON lines, CSV, TSV, Excel, Parquet or
    ASReview's format. Text files may be compressed with gzip. Write - for standard input. If a RUN
    is a folder, all runs in it are scored. A run is called after its file, without endings such as
    .run or .csv.gz; write NAME=FILE to give it another name.

    Documents are ordered as in trec_eval: by descending score, then by descending id. Lists of
    documents without scores keep their order.
    """
    if by_query and groups:
        raise click.ClickException("-q and --groups cannot be combined; choose one of them")
    group_of = read_groups(groups) if groups else None
    asked = parse_measures(measures)
    measured = list(map(str, asked))
    if sort is not None:
        check_known("--sort", sort, measured, "measures")
    judged = judged_runs(sources, asked)
    found = scoring.score(judged.qrels, judged.runs, asked)
    topics, values = found.topics, found.means[:, np.newaxis]
    order = slice(None) if sort is None else best_first(found.means[:, measured.index(sort)], sort)
    names: dict[str, list[Any]] = {}
    if by_query:
        mean = _name_of_all(topics)
        if mean != "all":
            warn([f"{sources.qrels}: a topic is called 'all', so the mean is called {mean!r}"])
        names = {"query_id": [*topics, mean]}
        values = np.hstack([found.values, values])
    elif group_of is not None:
        called, sizes, of_groups = group_means(topics, found.values, group_of, measured)
        names = {"group": [_name_of_all(called), *called], "topics": [len(topics), *sizes]}
        values = np.hstack([values, of_groups])
    table = found.rows(values, order, **names)
    if fmt in PAPERS:
        from pres_plugin.output.paper import caption, paper

        about = caption(
            measured, len(topics), len(found.runs), found.computed_by, by_topic=bool(names)
        )
        text = paper(fmt, table, measured, about, places)
    else:
        headings = {"query_id": "topic"}
        if not by_query:
            headings |= {each: f"{each} (sum)" for each in filter(is_count, measured)}
        text = formatted(fmt, Table(table.frame.to_dict(), headings), measured, places)
    print_data(text)


def _name_of_all(names: Collection[str]) -> str:
    """Return what the mean is called: ``all``, as in trec_eval, unless a topic or group is."""
    return "all topics" if "all" in names else "all"
