"""``pres-eval compare``: compare runs by several measures."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from pres_plugin.cli.arguments import (
    NonEmptyPath,
    OpenRange,
    choice_option,
    input_arguments,
    measure_option,
    reading_options,
)
from pres_plugin.cli.backends import Scoring, scoring
from pres_plugin.cli.studies import command_line, study_options
from pres_plugin.files.runs import Runs
from pres_plugin.files.sources import Sources
from pres_plugin.remedy import some

if TYPE_CHECKING:
    from pres_plugin.study.compare import Comparison
    from pres_plugin.study.report import Picture, Report, Table
    from pres_plugin.study.scoring import Scores


_TESTS = {"wilcoxon": "Wilcoxon's signed-rank test", "t": "a paired t test"}


@click.command()
@input_arguments
@measure_option("PRES@1000", "AP@1000", "R@1000")
@choice_option(
    "--test",
    values=_TESTS,
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
    values=["none", "holm"],
    help="Correction of the p-values for the number of pairs.",
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
@reading_options
@study_options
def compare(
    sources: Sources,
    measures: tuple[str, ...],
    test: Any,
    alpha: float,
    correction: Any,
    baselines: tuple[str, ...],
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
    from pres_plugin.study.compare import check_pairs, compare_scores
    from pres_plugin.study.report import Report

    by = scoring(sources, measures)
    named = _names(by.files, baselines)
    known = [file.name for file in by.files if file.name is not None]
    if len(known) == len(by.files):  # otherwise, a table contains the names of more runs
        check_pairs(known, len(by.measures), named)
    scores = _scores(by)
    comparison = compare_scores(
        scores, test=test, alpha=alpha, correction=correction, baselines=named
    )
    corrected = ", corrected by Holm's method" if correction == "holm" else ""
    how = f"{_TESTS[test]} at α = {alpha:g}{corrected}"
    compared = f"compared with {some(comparison.baselines)}" if baselines else "compared"
    return Report(
        f"{len(scores.runs)} runs {compared} by {', '.join(scores.measures)}",
        f"Means of {len(scores.topics)} topics; differences by {how}.",
        _parts(comparison, how),
        command_line(),
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


def _parts(comparison: Comparison, how: str) -> list[Table | Picture]:
    from pres_plugin.study.pictures.limits import COMPARED_PAIRS, COMPARED_RUNS, left_out
    from pres_plugin.study.report import Picture, Table
    from pres_plugin.study.reports.pictures import drawn_by

    scores, baselines = comparison.scores, comparison.baselines
    first = scores.measures[0]
    best = "{} runs (the baselines and the best others)" if baselines else "the best {} runs"
    drawn = left_out(best, COMPARED_RUNS, len(scores.runs))
    parts: list[Table | Picture] = [
        Table("scores", "Mean scores", scores.table(), f"The best run by {first} comes first."),
        Picture(
            "sorted-scores",
            f"Scores of {'the' if drawn else 'all'} runs, sorted by {first}",
            drawn_by("compare", "sorted_scores", scores, baselines),
            f"Mean score of each run by each measure. The best run by {first} is at the top."
            + drawn,
        ),
    ]
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
            Picture(
                "rank-changes",
                "Positions of the runs by each measure",
                drawn_by("compare", "rank_changes", scores, baselines),
                "One line per run, from its position by one measure to its position by the next. "
                "With more than seven runs, those that change most are in colour."
                + drawn
                + (" Positions are those among all runs." if drawn else ""),
            ),
        ]
    order = f"The first run of each pair is the better one by {first}."
    if baselines:
        order = f"The second run of each pair is a baseline: {some(baselines)}."
    parts.append(
        Table(
            "verdicts",
            "Pairs of runs by verdict",
            comparison.verdicts,
            f"{order} Differences are tested by {how}.",
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
                f"opposite directions. Differences are tested by {how}."
                + left_out("the first {} pairs", COMPARED_PAIRS, len(comparison.agreement)),
            ),
        ]
    if baselines:
        pairs = Table("pairs", "Runs compared with a baseline", comparison.pairs)
    else:
        pairs = Table("pairs", "All pairs of runs", comparison.pairs, printed=False)
    return [
        *parts,
        pairs,
        Table("scores-by-topic", "Scores by topic", scores.by_topic(), printed=False),
    ]
