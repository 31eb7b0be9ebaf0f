"""The report of a comparison: means, orders and differences of runs, and their tests."""

from __future__ import annotations

from functools import partial

from pres_plugin.remedy import some
from pres_plugin.study.compare.analysis import (
    DRAWN_PAIRS,
    DRAWN_RUNS,
    Comparison,
    scores_by_topic,
)
from pres_plugin.study.output.parts import Picture, Section, left_out
from pres_plugin.study.output.report import Report
from pres_plugin.study.output.tables import Table, estimate
from pres_plugin.study.output.words import count

#: Terminals show tables with one row per pair of measures if there are at most this many.
_FEW_PAIRS_OF_MEASURES = 100

#: Without baselines, terminals show the table of pairs of runs if it has at most this many rows.
_FEW_PAIRS = 30


def report(found: Comparison, command: str) -> Report:
    """Return the report of a comparison; `command` creates it again."""
    scores = found.scores
    compared = f"compared with {some(found.baselines)}" if found.baselines else "compared"
    return Report(
        f"{count(len(scores.runs), 'run')} {compared} by {', '.join(scores.measures)}",
        f"Means of {count(len(scores.topics), 'topic')}; differences by {found.how.of_tests()}.",
        parts(found),
        command,
        found.sentences(),
        {"latex": found.to_latex, "markdown": found.to_markdown},
    )


def main_parts(found: Comparison) -> list[Section | Picture]:
    """Return the table and the picture of the means."""
    how, tables, title = found.how, found.tables, "Mean scores"
    best = f"The best run by {found.scores.measures[0]}"
    drawn = _drawn_runs(found)
    note = bars = ""
    if found.has_intervals:
        note = f" In brackets: {how.of_intervals()} ({how.of_resamples()})."
        bars = " Bars are confidence intervals."
    return [
        Section(
            "scores",
            title,
            tables["scores"],
            f"{best} comes first.{note}",
            views=[(title, tables["means"].rows(found.scores.order()))],
        ),
        Picture(
            "sorted-scores",
            f"Scores of {'the' if drawn else 'all'} runs, sorted by {found.scores.measures[0]}",
            partial(found.draw, "sorted_scores"),
            f"Mean score of each run by each measure. {best} is at the top.{bars}{drawn}",
        ),
    ]


def parts(found: Comparison) -> list[Section | Picture]:
    """Return the tables and pictures of a comparison, in reading order."""
    how, tables, baselines = found.how, found.tables, found.baselines
    several, drawn = len(found.scores.measures) > 1, _drawn_runs(found)
    printed = len(tables["agreement"]) <= _FEW_PAIRS_OF_MEASURES
    tested = f"Differences are tested by {how.of_tests()}."
    order = f"The first run of each pair has the higher mean {found.scores.measures[0]}."
    title = "All pairs of runs"
    if baselines:
        order = f"The second run of each pair is a baseline: {some(baselines)}."
        title = "Runs compared with a baseline"
    said = main_parts(found)
    if groups := tables.get("groups"):
        n_grouped = groups["topics"].sum() // len(found.scores.runs)
        said.append(
            Section(
                "groups",
                "Mean scores by group of topics",
                groups,
                f"Topics without a group: {len(found.scores.topics) - n_grouped}.",
            )
        )
    if several:
        said += [
            Section(
                "correlations",
                "How similarly the measures order the runs",
                tables["correlations"],
                "The AP-weighted τ takes the order by the first measure as the reference; the "
                "reversed one takes the order by the second. A dash means that a measure gives all "
                "runs the same score.",
                printed,
            ),
            Picture(
                "rank-changes",
                "Positions of the runs by each measure",
                partial(found.draw, "rank_changes"),
                "One line per run, from its position by one measure to its position by the next. "
                "With more than seven runs, those that change most are in colour."
                f"{drawn}{' Positions are those among these runs.' if drawn else ''}",
            ),
        ]
    note = f"{order} {tested}"
    if "test and mean disagree" in tables["verdicts"].frame.columns:
        note += (
            " Test and mean disagree if a difference is significant, but the mean does not point "
            "the same way; such pairs count as not significant in other tables."
        )
    said.append(Section("verdicts", "Pairs of runs by verdict", tables["verdicts"], note))
    if several:
        said += [
            Section(
                "agreement",
                "Pairs of runs by the agreement of two measures",
                tables["agreement"],
                "A run is better by a measure if its mean is significantly higher. The same run is "
                "better if both measures find it better, and opposite runs if each finds another "
                "one better.",
                printed,
            ),
            Picture(
                "agreement-chart",
                "How the measures agree on pairs of runs",
                partial(found.draw, "agreement"),
                "How many pairs of runs differ significantly by both measures, by neither, by only "
                f"one, or in opposite directions. {tested}"
                + left_out("the first {} pairs", DRAWN_PAIRS, len(tables["agreement"])),
            ),
        ]
    note = (
        f"{order} The difference is the mean of the first run minus that of the second. The "
        "standardised difference is this difference divided by the standard deviation of the "
        "topics' differences. A topic counts as improved if the first run scores higher on it."
    )
    if found.has_intervals:
        note += f" In brackets: {how.of_intervals()}."
    note += f" {tested}"
    if how.is_random:
        note += f" Random draws: {how.of_resamples()}."
    shown = bool(baselines) or len(tables["pairs"]) <= _FEW_PAIRS
    views = [(title, partial(_with_brackets, tables["pairs"]))]
    said.append(Section("pairs", title, tables["pairs"], note, shown, views))
    if "intervals" in tables:
        title = "Confidence intervals of the means"
        said.append(Section("intervals", title, tables["intervals"], printed=False))
    by_topic = partial(scores_by_topic, found.scores)
    return [*said, Section("scores-by-topic", "Scores by topic", by_topic, printed=False)]


def _with_brackets(pairs: Table) -> Table:
    if "low" not in pairs.frame.columns:
        return pairs
    bounded = estimate(*pairs.frame.select("difference", "low", "high"))
    return Table({**pairs.columns, "difference": bounded}).without("low", "high")


def _drawn_runs(found: Comparison) -> str:
    """Return which runs the pictures show; empty if they show all."""
    runs = "{} runs (the baselines and the best others)" if found.baselines else "the best {} runs"
    return left_out(runs, DRAWN_RUNS, len(found.scores.runs))
