"""``pres-eval score``: score runs against the same judgements."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, count

import click
import numpy as np

from pres_plugin.cli.arguments import (
    choice_option,
    decimals_option,
    groups_option,
    input_arguments,
    measure_option,
    optional,
)
from pres_plugin.cli.measures import parse_measures
from pres_plugin.cli.output import FORMATS, PAPERS, Row, for_paper, formatted
from pres_plugin.cli.process import print_data, warn
from pres_plugin.cli.runs import judged_runs
from pres_plugin.scoring import RunScores, best_first, computed_by, is_count, score_runs
from pres_plugin.tables.mappings import read_groups
from pres_plugin.tables.sources import Sources


@click.command()
@measure_option()
@click.option("-q", "--by-query", is_flag=True, help="Also print the scores of each topic.")
@optional(
    "--sort",
    metavar="MEASURE",
    help="Print the best run by this measure first. If neither high nor low values are better, as "
    "for LastRel, the lowest comes first.",
    otherwise="keep the order of the RUNs",
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
    by_topic = read_groups(groups) if groups else None
    asked = parse_measures(measures)
    measured = list(map(str, asked))
    if sort is not None:
        from pres_plugin.messages import check_known

        check_known("--sort", sort, measured, "measures")
    judged = judged_runs(sources, asked)
    runs = list(score_runs(judged.qrels, judged.runs, asked))
    topics = judged.qrels.topics
    if sort is not None:
        of_runs = np.array([run.means[measured.index(sort)] for run in runs])
        runs = [runs[i] for i in best_first(of_runs, sort)]
    # As in trec_eval, unless a topic has that id.
    unused = chain(["all", "mean"], map("mean-{}".format, count(2)))
    mean = next(name for name in unused if name not in topics)
    rows: list[Row] = []
    headings = ["run", "topic"] if by_query else ["run"]
    if by_topic is not None:
        headings = ["run", "group", "topics"]
        rows += _by_group(list(topics), runs, by_topic, measured)
    else:
        for run, values, means in runs:
            if by_query:
                rows += (((run, topic), row) for topic, row in zip(topics, values, strict=True))
            rows.append(((run, mean) if by_query else (run,), means))
    if by_query and mean != "all":
        warn([f"{sources.qrels}: a topic is called 'all', so the mean is called {mean!r}"])
    if fmt in PAPERS:
        text = for_paper(fmt, measured, rows, places, headings, len(topics), computed_by(asked))
    else:
        if fmt == "table" and not by_query:
            measured = [f"{each} (sum)" if is_count(each) else each for each in measured]
        text = formatted(fmt, measured, rows, places, headings)
    print_data(text)


def _by_group(
    topics: list[str], runs: list[RunScores], groups: dict[str, str], measures: list[str]
) -> Iterator[Row]:
    """Yield the scores of each run over all topics and over the topics of each group."""
    from pres_plugin.groups import group_means

    by_run = np.array([values for _, values, _ in runs])
    names, sizes, of_groups = group_means(topics, by_run, groups, measures)
    whole = "all" if "all" not in names else "all topics"
    for (run, _, means), of_run in zip(runs, of_groups, strict=True):
        yield (run, whole, str(len(topics))), means
        for name, size, of_group in zip(names, sizes, of_run, strict=True):
            yield (run, name, str(size)), of_group
