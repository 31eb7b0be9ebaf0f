"""``pres-eval score``: score runs against the same judgements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, count
from typing import Any

import click

from pres_plugin.cli.arguments import (
    choice_option,
    decimals_option,
    input_arguments,
    measure_option,
)
from pres_plugin.cli.inputs import each_run, judged_runs, run_files
from pres_plugin.cli.measures import parse_measures, split_measures
from pres_plugin.cli.output import FORMATS, PAPERS, Row, paper_table
from pres_plugin.cli.process import errors_of, print_data, warn
from pres_plugin.files.scoring import judgements_for, score_files
from pres_plugin.files.sources import Sources
from pres_plugin.measures import MeasureError
from pres_plugin.measures.parsing import parse


@click.command()
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
@input_arguments
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
    measured, topics, packages, runs = _scored(sources, measures)
    # As in trec_eval, unless a topic has that id.
    unused = chain(["all", "mean"], map("mean-{}".format, count(2)))
    mean = next(name for name in unused if name not in topics)
    rows: list[Row] = []
    for run, of_topics, means in runs:
        if by_query:
            rows += (((run, topic), row) for topic, row in zip(topics, of_topics, strict=True))
        rows.append(((run, mean) if by_query else (run,), means))
    if by_query and mean != "all":
        warn([f"{sources.qrels}: a topic is called 'all', so the mean is called {mean!r}"])
    if fmt in FORMATS:
        print_data(FORMATS[fmt](measured, rows, places))
    else:
        table = paper_table(measured, rows, places, len(topics), packages)
        print_data(table.to_latex() if fmt == "latex" else table.to_markdown())


def _scored(sources: Sources, texts: Sequence[str]) -> tuple[Any, Any, Any, Iterable[Any]]:
    """Score files in pieces if this package can compute all measures; otherwise score dicts.

    Return the measures, the judged topics, the packages that compute the scores, and the runs:
    for each, the name, the scores of each topic, and the means.
    """
    try:
        ours = list(dict.fromkeys(map(parse, split_measures(texts))))
    except MeasureError:
        ours = []
    if not ours:
        from pres_plugin.study.inputs import StudyError
        from pres_plugin.study.scoring import score as score_dicts

        measures = parse_measures(texts)
        judged = judged_runs(sources, measures)
        with errors_of(kinds=StudyError):
            found = score_dicts(judged.qrels, judged.runs, measures)
        runs = zip(found.runs, found.values.tolist(), found.means.tolist(), strict=True)
        return found.measures, found.topics, found.computed_by, runs
    with errors_of(sources.qrels):
        files = run_files(sources)
        judged_topics = judgements_for(files, sources, ours, files.until)
    results = score_files(files, judged_topics, sources.duplicates)
    by_file = (
        (run.name, zip(*map(dict.values, run.values.values()), strict=True), [*run.means.values()])
        for run in each_run(files, judged_topics.topics, ours, lambda _: next(results))
    )
    return list(map(str, ours)), judged_topics.topics, ("pres-plugin", "numpy"), by_file
