"""``pres-eval compare``: compare runs by several measures."""

from __future__ import annotations

import os
from typing import Any

import click

from pres_plugin.cli.arguments import (
    NonEmptyPath,
    choice_option,
    groups_option,
    input_arguments,
    measure_option,
    number_option,
)
from pres_plugin.cli.measures import parse_measures
from pres_plugin.cli.output import PAPERS
from pres_plugin.cli.runs import judged_runs
from pres_plugin.cli.studies import study_options
from pres_plugin.escaping import text_of
from pres_plugin.tables.sources import Sources


@click.command()
@measure_option()
@choice_option(
    "--test",
    values=["t", "randomization", "wilcoxon"],
    help="Test of the difference between two runs, paired by topic.",
)
@click.option(
    "--alpha",
    metavar="NUMBER",
    type=float,
    default=0.05,
    help="Significance level, above 0 and below 1: runs differ significantly if the p-value is "
    "below it.",
)
@choice_option(
    "--correction",
    values=["holm", "bonferroni", "bh", "none"],
    help="How to correct the p-values of each measure for the number of pairs; bh is the "
    "method of Benjamini and Hochberg.",
)
@click.option(
    "--baseline",
    "baselines",
    metavar="RUN",
    multiple=True,
    type=NonEmptyPath(),
    help="Compare each run only with this run, given by name or path. Repeat the option for "
    "several baselines.",
    show_default="compare all pairs",
)
@click.option(
    "--ci",
    "confidence",
    metavar="LEVEL",
    type=float,
    help="Add confidence intervals to means and differences, without correction; LEVEL is a "
    "number such as 0.95.",
    show_default="0.95 for two runs and up to 1,000 topics, otherwise no intervals",
)
@number_option(
    "--resamples",
    default=9999,
    help="Number of random draws, 999 to 100,000: of topics for --ci, and of signs for --test "
    "randomization.",
)
@number_option(
    "--seed",
    default=0,
    help="Seed of the random draws. All measures and pairs use the same draws.",
)
@groups_option
@choice_option(
    "-f",
    "--format",
    "fmt",
    values=["table", *PAPERS],
    help="How to print the results: table prints a summary and tables; markdown and latex print "
    "one table for a paper.",
)
@input_arguments()
@study_options
def compare(
    sources: Sources,
    measures: tuple[str, ...],
    baselines: tuple[str, ...],
    groups: str | None,
    **settings: Any,
) -> object:
    """Compare RUNs by several measures, and the measures with each other.

    The output begins with a summary in a few sentences, followed by tables of mean scores
    and of the difference of each pair, if the pairs are few or there is a --baseline. The first
    measure orders the runs.

    For two runs, a table shows the difference on each topic, and --out adds a list of the relevant
    documents that each run misses. From four runs on, tables show how similarly the measures
    order the runs, and whether they agree on pairs of runs.

    A comparison can include at most 1,500,000 tests, enough for all pairs of 1,000 runs
    by three measures. For more runs, use --baseline.

    QRELS and RUN are given as in pres-eval score.
    """
    from pres_plugin.study.compare import analysis
    from pres_plugin.tables.mappings import read_groups

    asked = parse_measures(measures)
    qrels, runs, files = judged_runs(sources, asked)
    names = {os.path.normpath(file.path): file.name for file in files}
    # Baselines are given by name or by path.
    named = [names.get(os.path.normpath(path)) or text_of(path) for path in baselines]
    if None not in names.values():  # otherwise, a table contains the names of more runs
        analysis.check_size([*filter(None, names.values())], asked, named)
    by_topic = read_groups(groups) if groups else None
    return analysis.compare(qrels, runs, asked, baselines=named, groups=by_topic, **settings)
