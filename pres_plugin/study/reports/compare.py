"""Build the report of a comparison: means, orders and differences of runs, and their tests."""

from __future__ import annotations

from functools import partial
from itertools import starmap

from pres_plugin.remedy import some
from pres_plugin.study.cells import Estimate
from pres_plugin.study.columns import Columns
from pres_plugin.study.compare import Comparison
from pres_plugin.study.pictures.limits import COMPARED_PAIRS, left_out
from pres_plugin.study.report import Picture, Table, View
from pres_plugin.study.reports.pictures import drawn_by
from pres_plugin.study.reports.scores import drawn_runs, means

#: Without baselines, terminals show the table of pairs if it has at most this many rows.
_FEW_PAIRS = 30

#: Terminals show tables with one row per pair of measures if there are at most this many.
_FEW_PAIRS_OF_MEASURES = 100


def parts(found: Comparison) -> list[Picture | Table]:
    """Return the tables and pictures of a comparison, in reading order."""
    return [
        *means_of(found),
        *_of_orders(found),
        *_of_verdicts(found),
        *_of_numbers(found),
    ]


def means_of(found: Comparison) -> list[Picture | Table]:
    """Return the table and the picture of the means."""
    note = ""
    if found.has_intervals:
        note = f"In brackets: {found.how.of_intervals()} ({found.how.of_resamples()})."
    return means(found.scores, found.baselines, found.columns.get("intervals"), note)


def _of_orders(found: Comparison) -> list[Picture | Table]:
    correlations = found.columns["correlations"]
    if not len(correlations):
        return []
    drawn = drawn_runs(found.scores, found.baselines)
    parts: list[Picture | Table] = [
        Table(
            "correlations",
            "How similarly the measures order the runs",
            correlations,
            "The AP-weighted τ takes the order by the first measure as the reference; the reversed "
            "one takes the order by the second. A dash means that a measure gives all runs the "
            "same score.",
            printed=len(correlations) <= _FEW_PAIRS_OF_MEASURES,
        )
    ]
    if len(found.scores.measures) > 1:
        parts.append(
            Picture(
                "rank-changes",
                "Positions of the runs by each measure",
                drawn_by("compare", "rank_changes", found.scores, found.baselines),
                "One line per run, from its position by one measure to its position by the next. "
                "With more than seven runs, those that change most are in colour."
                + drawn
                + (" Positions are those among all runs." if drawn else ""),
            )
        )
    return parts


def _of_verdicts(found: Comparison) -> list[Picture | Table]:
    verdicts, agreement = found.columns["verdicts"], found.columns["agreement"]
    tested = f"Differences are tested by {found.how.of_tests()}."
    note = f"{_order(found)} {tested}"
    if "test and mean disagree" in verdicts.values:
        note += (
            " Test and mean disagree if a difference is significant, but the mean does not point "
            "the same way; such pairs count as no difference in other tables."
        )
    counts: list[Picture | Table] = [Table("verdicts", "Pairs of runs by verdict", verdicts, note)]
    if len(agreement):
        counts += [
            Table(
                "agreement",
                "Pairs of runs by the agreement of two measures",
                agreement,
                "Only significant differences count. For example, the same run is better if both "
                "measures find it significantly better than the other run of the pair.",
                printed=len(agreement) <= _FEW_PAIRS_OF_MEASURES,
            ),
            Picture(
                "agreement-chart",
                "How the measures agree on pairs of runs",
                drawn_by("compare", "agreement", found),
                "How many pairs of runs differ by both measures, by neither, by only one, or in "
                f"opposite directions. {tested}"
                + left_out("the first {} pairs", COMPARED_PAIRS, len(agreement)),
            ),
        ]
    return counts


def _order(found: Comparison) -> str:
    """Return a sentence on the order of the runs in a pair."""
    if found.baselines:
        return f"The second run of each pair is a baseline: {some(found.baselines)}."
    return f"The first run of each pair is the better one by {found.scores.measures[0]}."


def _of_numbers(found: Comparison) -> list[Picture | Table]:
    """Return the long tables: differences, intervals and the scores by topic."""
    how, baselines, pairs = found.how, found.baselines, found.columns["pairs"]
    title = "Runs compared with a baseline" if baselines else "All pairs of runs"
    views = []
    note = (
        f"{_order(found)} The difference is the mean of the first run minus that of the second. "
        "The standardised difference is this difference divided by the standard deviation of the "
        "differences per topic. A topic counts as improved if the first run scores higher on it."
    )
    if found.has_intervals:
        views = [View(title, partial(_pairs_with_intervals, found))]
        note += f" In brackets: {how.of_intervals()}."
    note += f" Differences are tested by {how.of_tests()}."
    if how.is_random:
        note += f" Random draws: {how.of_resamples()}."
    tables: list[Picture | Table] = [
        Table(
            "pairs",
            title,
            pairs,
            note,
            printed=bool(baselines) or len(pairs) <= _FEW_PAIRS,
            views=views,
        )
    ]
    if (intervals := found.columns.get("intervals")) is not None:
        tables.append(
            Table("intervals", "Confidence intervals of the means", intervals, printed=False)
        )
    by_topic = Table("scores-by-topic", "Scores by topic", found.scores.by_topic, printed=False)
    return [*tables, by_topic]


def _pairs_with_intervals(found: Comparison) -> Columns:
    pairs = found.columns["pairs"]
    bounded = zip(*(pairs[name].tolist() for name in ("difference", "low", "high")), strict=True)
    values = pairs.values | {"difference": list(starmap(Estimate, bounded))}
    return Columns({name: values[name] for name in values if name not in ("low", "high")})
