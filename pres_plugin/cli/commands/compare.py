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
)
from pres_plugin.cli.backends import Scoring, scoring
from pres_plugin.cli.studies import command_line, study_options
from pres_plugin.files.runs import Runs
from pres_plugin.files.sources import Sources
from pres_plugin.remedy import listed, some
from pres_plugin.study.limits import FEWEST_RESAMPLES, LARGEST_SEED, MOST_RESAMPLES

if TYPE_CHECKING:
    from pres_plugin.study.compare import Comparison
    from pres_plugin.study.report import Picture, Report, Table
    from pres_plugin.study.scoring import Scores


#: Without baselines, terminals show up to this many rows of pairs.
_PRINTED_PAIRS = 30


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
    help="Significance level: two runs differ if the p-value is below it.",
)
@choice_option(
    "--correction",
    values=["none", "bonferroni", "holm", "bh"],
    help="Correction of the p-values of each measure for the number of pairs; bh is Benjamini "
    "and Hochberg's.",
)
@click.option(
    "--baseline",
    "baselines",
    metavar="RUN",
    multiple=True,
    type=NonEmptyPath(allow_dash=True, readable=False),
    help="Baseline, by name or path: compare each run only with it, not with all other runs. "
    "May be given several times.",
)
@click.option(
    "--ci",
    "confidence",
    metavar="LEVEL",
    type=OpenRange(0, 1),
    help="Add confidence intervals of this level, such as 0.95, to means and differences.",
)
@number_option(
    "--resamples",
    least=FEWEST_RESAMPLES,
    most=MOST_RESAMPLES,
    default=9999,
    help="Number of random resamples of the topics for --ci and for --test randomization.",
)
@number_option(
    "--seed",
    least=0,
    most=LARGEST_SEED,
    default=0,
    help="Seed of the resamples, which are the same for all measures and pairs.",
)
@choice_option(
    "-f",
    "--format",
    "fmt",
    values=["table", "markdown", "latex"],
    help="How to print the results: as tables with a summary, or as one table for a paper.",
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

    Prints the mean scores, sorted by the first measure. Also prints how similarly the
    measures order the runs, and for how many pairs of runs each measure finds a
    significant difference.

    A comparison can include at most 1,500,000 tests, enough for all pairs of 1,000 runs
    by three measures. For more runs, use --baseline.

    QRELS and RUN are the same as for pres-eval score: files in any of its formats, or
    folders of runs.
    """
    from pres_plugin.study.compare import check_size, compare_scores
    from pres_plugin.study.report import Report
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
        f"{len(scores.runs)} runs {compared} by {', '.join(scores.measures)}",
        f"Means of {len(scores.topics)} topics; differences by {how.of_tests()}.",
        _parts(comparison),
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


def _parts(comparison: Comparison) -> list[Table | Picture]:
    from pres_plugin.study.directions import has_direction
    from pres_plugin.study.pictures.limits import COMPARED_PAIRS, COMPARED_RUNS, SCALES, left_out
    from pres_plugin.study.pictures.scales import scales
    from pres_plugin.study.report import Picture, Table
    from pres_plugin.study.reports.pictures import drawn_by

    scores, baselines, how = comparison.scores, comparison.baselines, comparison.how
    first = scores.measures[0]
    best_or_lowest = "best" if has_direction(first) else "lowest"
    top = f"The {best_or_lowest} run by {first}"
    best = "{} runs (the baselines and the best others)" if baselines else "the best {} runs"
    drawn = left_out(best.replace("best", best_or_lowest), COMPARED_RUNS, len(scores.runs))
    parts: list[Table | Picture] = [
        Table("scores", "Mean scores", scores.table(), f"{top} comes first."),
    ]
    bars = ""
    if comparison.intervals is not None:
        bars = " Bars are confidence intervals."
        note = f"These are {how.of_intervals()} ({how.of_resamples()})."
        parts.append(Table("intervals", "Confidence intervals", comparison.intervals, note))
    parts.append(
        Picture(
            "sorted-scores",
            f"Scores of {'the' if drawn else 'all'} runs, sorted by {first}",
            drawn_by("compare", "sorted_scores", scores, baselines, comparison.intervals),
            f"Mean score of each run by each measure. {top} is at the top.{bars}{drawn}"
            + left_out("the first {} panels", SCALES, len(scales(scores))),
        )
    )
    if len(comparison.correlations):
        parts += [
            Table(
                "correlations",
                "How similarly the measures order the runs",
                comparison.correlations,
                "tau_ap is the AP-weighted τ with the first measure's order as the reference; "
                "tau_ap_reversed uses the second's. A dash means that a measure gives all "
                "runs the same score.",
            ),
        ]
    directed = [measure for measure in scores.measures if has_direction(measure)]
    if len(directed) > 1:
        parts.append(
            Picture(
                "rank-changes",
                "Positions of the runs by each measure",
                drawn_by("compare", "rank_changes", scores, baselines),
                "One line per run, from its position by one measure to its position by the next. "
                "With more than seven runs, those that change most are in colour."
                + drawn
                + (" Positions are those among all runs." if drawn else ""),
            )
        )
    order = f"The first run of each pair is the {'better' if has_direction(first) else 'lower'} one"
    order = f"{order} by {first}."
    if baselines:
        order = f"The second run of each pair is a baseline: {some(baselines)}."
    tested = f"Differences are tested by {how.of_tests()}."
    if len(comparison.verdicts):
        left = [measure for measure in scores.measures if not has_direction(measure)]
        parts.append(
            Table(
                "verdicts",
                "Pairs of runs by verdict",
                comparison.verdicts,
                f"{order} {tested}{_undirected(left)}",
            )
        )
    if len(comparison.agreement):
        parts += [
            Table(
                "agreement", "Pairs of runs by the agreement of two measures", comparison.agreement
            ),
            Picture(
                "agreement-chart",
                "How the measures agree on pairs of runs",
                drawn_by("compare", "agreement", comparison),
                "How many pairs of runs differ by both measures, by neither, by only one, or in "
                f"opposite directions. {tested}"
                + left_out("the first {} pairs", COMPARED_PAIRS, len(comparison.agreement)),
            ),
        ]
    return [
        *parts,
        Table(
            "pairs",
            "Runs compared with a baseline" if baselines else "All pairs of runs",
            comparison.pairs,
            f"{order} {_how_to_read_pairs(comparison)}",
            printed=bool(baselines) or len(comparison.pairs) <= _PRINTED_PAIRS,
        ),
        Table("scores-by-topic", "Scores by topic", scores.by_topic(), printed=False),
    ]


def _undirected(measures: Sequence[str]) -> str:
    """Return a sentence on measures that have no better value; empty if there are none."""
    if not measures:
        return ""
    return (
        f" {listed(measures)} {'are' if len(measures) > 1 else 'is'} left out: no value is better."
    )


def _how_to_read_pairs(comparison: Comparison) -> str:
    how = comparison.how
    bounds = f", with {how.of_intervals()} from low to high" if how.confidence is not None else ""
    resamples = f" ({how.of_resamples()})" if how.of_resamples() else ""
    return (
        f"The difference is the mean of the first run minus that of the second{bounds}; "
        "standardised, it is divided by the standard deviation of the topics' differences. "
        "Topics improve if the first run is higher. "
        f"Differences are tested by {how.of_tests()}{resamples}."
    )
