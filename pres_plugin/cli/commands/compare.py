"""``pres-eval compare``: compare runs by several measures."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from pres_plugin.cli.arguments import (
    NonEmptyPath,
    OpenRange,
    choice_option,
    input_arguments,
    measure_option,
    number_option,
    reading_options,
    with_default,
)
from pres_plugin.cli.backends import Scoring, scoring
from pres_plugin.cli.output import PAPERS
from pres_plugin.cli.studies import command_line, study_options
from pres_plugin.files.runs import Runs
from pres_plugin.files.sources import Sources
from pres_plugin.remedy import some
from pres_plugin.study.limits import FEWEST_RESAMPLES, LARGEST_SEED, MOST_RESAMPLES

if TYPE_CHECKING:
    from pres_plugin.study.report import Report
    from pres_plugin.study.scoring import Scores


@click.command()
@input_arguments
@measure_option("PRES@1000", "AP@1000", "R@1000")
@choice_option(
    "--test",
    values=["wilcoxon", "t", "randomization"],
    help="Test of the difference between two runs, paired by topic.",
)
@click.option(
    "--alpha",
    type=OpenRange(0, 1),
    default=0.05,
    show_default=True,
    help="Significance level, above 0 and below 1: runs differ significantly if the p-value is "
    "below it.",
)
@choice_option(
    "--correction",
    values=["none", "bonferroni", "holm", "bh"],
    help="How to correct the p-values of each measure for the number of pairs; bh is the "
    "method of Benjamini and Hochberg.",
)
@click.option(
    "--baseline",
    "baselines",
    metavar="RUN",
    multiple=True,
    type=NonEmptyPath(allow_dash=True, readable=False),
    help=with_default(
        "Compare each run only with this run, given by name or path. Repeat the option for "
        "several baselines.",
        "compare all pairs",
    ),
)
@click.option(
    "--ci",
    "confidence",
    metavar="LEVEL",
    type=OpenRange(0, 1),
    help=with_default(
        "Add confidence intervals to means and differences; LEVEL is a number such as 0.95.",
        "no intervals",
    ),
)
@number_option(
    "--resamples",
    least=FEWEST_RESAMPLES,
    most=MOST_RESAMPLES,
    default=9999,
    help=f"Number of random resamples of the topics for --ci and --test randomization, from "
    f"{FEWEST_RESAMPLES:,} to {MOST_RESAMPLES:,}.",
)
@number_option(
    "--seed",
    least=0,
    most=LARGEST_SEED,
    default=0,
    help="Seed of the random resamples. All measures and pairs use the same resamples.",
)
@choice_option(
    "-f",
    "--format",
    "fmt",
    values=["table", *PAPERS],
    help="How to print the results: table prints a summary and tables; markdown and latex print "
    "one table for a paper.",
)
@reading_options
@study_options
def compare(
    sources: Sources,
    measures: tuple[str, ...],
    test: Any,
    alpha: float,
    correction: Any,
    baselines: tuple[str, ...],
    confidence: float | None,
    resamples: int,
    seed: int,
) -> Report:
    """Compare RUNs by several measures, and the measures with each other.

    The output begins with a summary in three to six sentences, followed by tables. They show
    the mean scores, how similarly the measures order the runs, and how many differences are
    significant by each measure. If there are few pairs of runs, or a --baseline, a table
    also shows the difference of each pair.

    A comparison can include at most 1,500,000 tests, enough for all pairs of 1,000 runs
    by three measures. For more runs, use --baseline.

    QRELS and RUN are given as in pres-eval score.
    """
    from pres_plugin.study.compare import check_size, compare_scores
    from pres_plugin.study.report import Report
    from pres_plugin.study.reports.compare import parts
    from pres_plugin.study.sentences.words import count
    from pres_plugin.study.statistics.method import Method

    how = Method(test, alpha, correction, confidence, resamples, seed)
    by = scoring(sources, measures)
    named = _names(by.files, baselines)
    known = [file.name for file in by.files if file.name is not None]
    if len(known) == len(by.files):  # otherwise, a table contains the names of more runs
        check_size(known, by.measures, len(by.topics), named, how)
    comparison = compare_scores(_scores(by), baselines=named, **asdict(how))
    scores = comparison.scores
    compared = f"compared with {some(comparison.baselines)}" if baselines else "compared"
    return Report(
        f"{count(len(scores.runs), 'run')} {compared} by {', '.join(scores.measures)}",
        f"Means of {count(len(scores.topics), 'topic')}; differences by {how.of_tests()}.",
        parts(comparison),
        command_line(),
        comparison.sentences(),
        {"latex": comparison.to_latex, "markdown": comparison.to_markdown},
    )


def _names(files: Sequence[Runs], baselines: Sequence[str]) -> list[str]:
    """Return the names of runs that are given by name or by path."""
    names = {os.path.normpath(file.path): file.name for file in files if file.name is not None}
    return [
        given if given in names.values() else names.get(os.path.normpath(given), given)
        for given in baselines
    ]


def _scores(by: Scoring) -> Scores:
    """Score all runs in the same way as ``pres-eval score``."""
    import numpy as np

    from pres_plugin.study.scoring import Scores

    names, values, means = [], [], []
    for run in by.runs:
        of_topics = ([run.values[m].get(topic) or 0.0 for m in by.measures] for topic in by.topics)
        names.append(run.name)
        values.append(np.array(list(of_topics)))
        means.append([run.means[m] for m in by.measures])
    return Scores(
        tuple(names), tuple(by.topics), tuple(by.measures), np.array(values), np.array(means)
    )
