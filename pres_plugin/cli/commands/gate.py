"""``pres-eval gate``: decide whether a run may replace a baseline, and end with an exit code."""

from __future__ import annotations

from typing import Any

import click

from pres_plugin.cli.arguments import choice_option, input_arguments, measure_option
from pres_plugin.cli.measures import parse_measures
from pres_plugin.cli.runs import judged_runs
from pres_plugin.cli.studies import study_options
from pres_plugin.tables.sources import Sources


@click.command()
@measure_option("PRES@100")
@click.option(
    "--margin",
    metavar="NUMBER",
    type=float,
    default=0.02,
    help="By how much CANDIDATE may be worse, in units of the measure.",
)
@click.option(
    "--least",
    metavar="NUMBER",
    type=float,
    help="Mean that CANDIDATE must reach; if lower values are better, the highest mean.",
    show_default="any mean",
)
@choice_option("-f", "--format", "fmt", values=["table", "json"], help="How to print the result.")
@input_arguments("BASELINE CANDIDATE")
@study_options
def gate(sources: Sources, measures: tuple[str, ...], **settings: Any) -> object:
    """Check that CANDIDATE is not worse than BASELINE by more than a margin.

    The 95 % confidence interval of the mean difference decides. The exit code is 0 if the whole
    interval is at or above minus the margin, and 1 if it is below, or if the mean is below --least.
    Otherwise the topics cannot decide: the exit code is 3, and the output states the smallest
    difference that they can show.

    The topics that lost most are listed. There is one measure; use a gate for each.

    QRELS, BASELINE and CANDIDATE are given as in pres-eval score.
    """
    from pres_plugin.study.gate import gate as decide

    asked = parse_measures(measures)
    judged = judged_runs(sources, asked)
    return decide(judged.qrels, judged.runs, asked, **settings)
