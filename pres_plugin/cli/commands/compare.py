"""``pres-eval compare``: compare runs by several measures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pres_plugin.cli.arguments import OpenRange, choice_option, input_arguments, measure_option
from pres_plugin.cli.backends import scoring
from pres_plugin.cli.studies import command_line, drawn_by, study_options
from pres_plugin.formats.base import Duplicates

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
@study_options
def compare(
    qrels: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    duplicates: Duplicates,
    test: Any,
    alpha: float,
    correction: Any,
) -> Report:
    """Compare RUNs by several measures, and the measures with each other.

    Prints the mean scores, sorted by the first measure. Also prints how similarly the
    measures order the runs, and for how many pairs of runs each measure finds a
    significant difference.

    QRELS and RUN are the same as for pres-eval score: files in TREC's formats or in
    Parquet, or folders of runs.
    """
    from pres_plugin.study.compare import compare_scores
    from pres_plugin.study.report import Report

    scores = _scores(qrels, runs, measures, duplicates)
    comparison = compare_scores(scores, test=test, alpha=alpha, correction=correction)
    corrected = ", corrected by Holm's method" if correction == "holm" else ""
    how = f"{_TESTS[test]} at α = {alpha:g}{corrected}"
    return Report(
        f"{len(scores.runs)} runs compared by {', '.join(comparison.scores.measures)}",
        f"Means of {len(comparison.scores.topics)} topics; differences by {how}.",
        _parts(comparison, how),
        command_line(),
    )


def _scores(
    qrels: str, runs: tuple[str, ...], measures: tuple[str, ...], duplicates: Duplicates
) -> Scores:
    """Score all runs in the same way as ``pres-eval score``."""
    import numpy as np

    from pres_plugin.study.scoring import Scores

    by = scoring(qrels, runs, measures, duplicates)
    found = list(by.runs)
    values = [
        [[run.values[m].get(topic) or 0.0 for m in by.measures] for topic in by.topics]
        for run in found
    ]
    return Scores(
        tuple(run.name for run in found),
        tuple(by.topics),
        tuple(by.measures),
        np.array(values),
        np.array([[run.means[m] for m in by.measures] for run in found]),
    )


def _parts(comparison: Comparison, how: str) -> list[Table | Picture]:
    from pres_plugin.study.report import Picture, Table

    scores = comparison.scores
    first = scores.measures[0]
    parts: list[Table | Picture] = [
        Table("scores", "Mean scores", scores.table(), f"The best run by {first} comes first."),
        Picture(
            "sorted-scores",
            f"Scores of all runs, sorted by {first}",
            drawn_by("compare", "sorted_scores", scores),
            f"Mean score of each run by each measure. The best run by {first} is at the top.",
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
                drawn_by("compare", "rank_changes", scores),
                "One line per run, from its position by one measure to its position by the next. "
                "With more than seven runs, those that change most are in colour.",
            ),
        ]
    parts.append(
        Table(
            "verdicts",
            "Pairs of runs by verdict",
            comparison.verdicts,
            f"The first run of each pair is the better one by {first}. Differences are tested by "
            f"{how}.",
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
                f"opposite directions. Differences are tested by {how}.",
            ),
        ]
    return [
        *parts,
        Table("pairs", "All pairs of runs", comparison.pairs, printed=False),
        Table("scores-by-topic", "Scores by topic", scores.by_topic(), printed=False),
    ]
