"""The report of a comparison: means, orders and differences of runs, and their tests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from pres_plugin.remedy import listed, some
from pres_plugin.study import result
from pres_plugin.study.compare import paper, two_runs_report
from pres_plugin.study.compare.analysis import (
    DRAWN_PAIRS,
    DRAWN_RUNS,
    VERDICTS,
    Comparison,
    scores_by_topic,
)
from pres_plugin.study.compare.picture import agreement, rank_changes, sorted_scores
from pres_plugin.study.output.parts import Picture, Section, left_out
from pres_plugin.study.output.report import PAPERS, Report
from pres_plugin.study.output.tables import Table, estimate
from pres_plugin.study.output.words import (
    MOST_MEASURES,
    count,
    decimal,
    in_full,
    name,
    names,
    one_topic,
    p_value,
)

#: How well measures agree on the order and on pairs of runs is shown for at least this many runs.
_FEWEST_TO_AGREE = 4

#: Terminals show tables with one row per pair of measures if there are at most this many.
_FEW_PAIRS_OF_MEASURES = 100

#: Without baselines, terminals show the table of pairs of runs if it has at most this many rows.
_FEW_PAIRS = 30


@result.report.register(Comparison)
def report(found: Comparison, command: str = "") -> Report:
    """Return the report of a comparison; `command` creates it again."""
    scores = found.scores
    tested = f"; differences by {found.how.of_tests(found.n_pairs)}" if found.is_tested else ""
    compared = f"{count(len(scores.runs), 'run')} compared"
    if found.two:
        compared = " compared with ".join(found.two.names)
    elif found.baselines:
        compared += f" with {some(found.baselines)}"
    return Report(
        f"{compared} by {', '.join(found.labels.values())}",
        f"Means of {count(len(scores.topics), 'topic')}{tested}.",
        parts(found),
        command,
        sentences(found),
        {fmt: partial(paper.table, found, fmt) for fmt in PAPERS},
        main_parts(found),
    )


def main_parts(found: Comparison) -> list[Section | Picture]:
    """Return the table of the means, and a picture of them or of the difference of two runs."""
    how, tables, title = found.how, found.tables, "Mean scores"
    first = _first_measure(found)
    note, about = [], ["Mean score of each run by each measure."]
    if len(found.scores.runs) > 1:
        note.append(f"The best run by {first} comes first.")
        about.append(f"The best run by {first} is at the top.")
    if found.has_intervals:
        note.append(f"In brackets: {how.of_intervals()} ({how.of_resamples()}).")
        about.append("Bars are confidence intervals.")
    means = Section(
        "scores", title, tables["scores"], " ".join(note), views=[(title, tables["means"])]
    )
    if found.two and found.is_tested:
        return [means, two_runs_report.differences(found, found.two)]
    picture = Picture(
        "sorted-scores",
        f"Scores, sorted by {first}",
        partial(sorted_scores, found),
        f"{' '.join(about)}{_drawn_runs(found)}",
    )
    return [means, picture]


def parts(found: Comparison) -> list[Section | Picture]:
    """Return the tables and pictures of a comparison, in reading order."""
    tables, n_runs = found.tables, len(found.scores.runs)
    said = main_parts(found)
    if groups := tables.get("groups"):
        n_grouped = groups["topics"].sum() // n_runs
        said.append(
            Section(
                "groups",
                "Mean scores by group of topics",
                groups,
                f"Topics without a group: {len(found.scores.topics) - n_grouped}.",
            )
        )
    agree = len(found.scores.measures) > 1 and n_runs >= _FEWEST_TO_AGREE
    printed = len(tables["agreement"]) <= _FEW_PAIRS_OF_MEASURES
    if agree:
        drawn = _drawn_runs(found)
        said += [
            Section(
                "correlations",
                "How similarly the measures order the runs",
                tables["correlations"],
                "A dash means that a measure gives all runs the same score.",
                printed,
            ),
            Picture(
                "rank-changes",
                "Positions of the runs by each measure",
                partial(rank_changes, found),
                "One line per run, from its position by one measure to its position by the next. "
                "With more than seven runs, those that change most are in colour."
                f"{drawn}{' Positions are those among these runs.' if drawn else ''}",
            ),
        ]
    if found.is_tested:
        said += _tests(found, agree, printed)
    if found.two:
        said += two_runs_report.parts(found, found.two)
    if "intervals" in tables:
        title = "Confidence intervals of the means"
        said.append(Section("intervals", title, tables["intervals"], printed=False))
    by_topic = partial(scores_by_topic, found.scores)
    return [*said, Section("scores-by-topic", "Scores by topic", by_topic, printed=False)]


def _tests(found: Comparison, agree: bool, printed: bool) -> Iterator[Section | Picture]:
    """Yield what the tests of the pairs of runs found, and if `agree`, how the measures agree."""
    how, tables, baselines = found.how, found.tables, found.baselines
    tested = f"Differences are tested by {how.of_tests(found.n_pairs)}."
    order = f"The first run of each pair has the higher mean {_first_measure(found)}."
    title = "All pairs of runs"
    if found.two:
        title = "Difference by each measure"
    elif baselines:
        title = "Runs compared with a baseline"
    if baselines:
        order = f"The second run of each pair is a baseline: {some(baselines)}."
    note = f"{order} {tested}"
    if "test and mean disagree" in tables["verdicts"].frame.columns:
        note += (
            " Test and mean disagree if a difference is significant, but the mean does not point "
            "the same way; such pairs count as not significant in other tables."
        )
    if not found.two:
        yield Section("verdicts", "Pairs of runs by verdict", tables["verdicts"], note)
    if agree:
        yield Section(
            "agreement",
            "Pairs of runs by the agreement of two measures",
            tables["agreement"],
            "A run is better by a measure if its mean is significantly higher. The same run is "
            "better if both measures find it better, and opposite runs if each finds another "
            "one better.",
            printed,
        )
        yield Picture(
            "agreement-chart",
            "How the measures agree on pairs of runs",
            partial(agreement, found),
            "How many pairs of runs differ significantly by both measures, by neither, by only "
            f"one, or in opposite directions. {tested}"
            + left_out("the first {} pairs", DRAWN_PAIRS, len(tables["agreement"])),
        )
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
    yield Section("pairs", title, tables["pairs"], note, shown, views)


def _first_measure(found: Comparison) -> str:
    """Return the label of the first measure."""
    return next(iter(found.labels.values()))


def _with_brackets(pairs: Table) -> Table:
    if "low" not in pairs.frame.columns:
        return pairs
    bounded = estimate(*pairs.frame.select("difference", "low", "high"))
    return Table({**pairs.columns, "difference": bounded}).without("low", "high")


def _drawn_runs(found: Comparison) -> str:
    """Return which runs the pictures show; empty if they show all."""
    runs = "{} runs (the baselines and the best others)" if found.baselines else "the best {} runs"
    return left_out(runs, DRAWN_RUNS, len(found.scores.runs))


def sentences(found: Comparison) -> list[str]:
    """Say which runs are best, whether significantly, and where PRES and AP disagree.

    Means that are equal to four decimals count as ties.
    """
    if found.two and found.is_tested:
        return list(two_runs_report.sentences(found, found.two))
    runs = found.scores.runs
    called, full = found.labels, in_full(found.scores.measures)
    phrases: dict[str, list[str]] = {}
    for measure in found.scores.measures[:MOST_MEASURES]:
        value, tied = _best(found, measure)
        phrase = f"{names(tied)} {'has' if len(tied) == 1 else 'share'} the highest mean"
        if len(tied) == len(runs):
            phrase = f"All {len(runs):,} runs have the same mean"
        if len(runs) == 1:
            phrase = f"The only run, {name(runs[0])}, has the mean"
        phrases.setdefault(phrase, []).append(f"{called[measure]} ({value})")
    said = [" ".join(f"{phrase} {listed(values)}." for phrase, values in phrases.items())]
    alike: dict[bytes, list[str]] = {}
    for run, values in zip(runs, found.scores.values.round(12), strict=True):
        alike.setdefault(values.tobytes(), []).append(run)
    if same := [names(each) for each in alike.values() if len(each) > 1]:
        said.append(f"Identical, with the same scores on every topic: {'; '.join(same[:3])}.")
    said += _differences(found) if len(alike) > 1 else ()
    return [*said, *one_topic(len(found.scores.topics)), *full]


def _best(found: Comparison, measure: str) -> tuple[str, list[str]]:
    """Return the highest mean by a measure, and the runs that have it."""
    means = found.scores.means[:, found.scores.measures.index(measure)]
    highest, by_run = decimal(means.max()), zip(found.scores.runs, means, strict=True)
    return highest, [run for run, mean in by_run if decimal(mean) == highest]


def _differences(found: Comparison) -> Iterator[str]:
    measures, how, pairs = found.scores.measures, found.how, found.tables["pairs"].frame
    called = found.labels
    n_topics = count(len(found.scores.topics), "topic")
    top = pairs.row(0, named=True)
    in_brackets = f"p = {p_value(top['p_value'])}".replace("= <", "< ")
    if found.has_intervals:
        bounds = f"{decimal(top['low'])} to {decimal(top['high'])}"
        in_brackets = f"{how.level} interval {bounds}, {in_brackets}"
    so = f" ({in_brackets}): {two_runs_report.SO[top['verdict']]}" if found.is_tested else ""
    if top["equal"] < len(found.scores.topics):
        yield (
            f"The difference in {called[measures[0]]} between {name(top['first'])} and "
            f"{name(top['second'])} is {decimal(top['difference'])}{so}."
        )
    of = f" of {count(found.n_pairs, 'pair')}"
    if found.baselines:
        of += f" with {names(found.baselines)}"
    significant = found.tables["verdicts"].frame.select("measure", *VERDICTS[:2]).rows()
    (measure, *counts), *others = significant[:MOST_MEASURES]
    numbers = [f"{sum(counts)}{of} in {called[measure]}"]
    numbers += [f"{first + second} in {called[measure]}" for measure, first, second in others]
    least = found.least_p_value
    differ = f"Differences are significant for {listed(numbers)}"
    if least >= how.alpha:
        differ = f"No difference can be significant, because no p-value can be below {least:.3g}"
    if found.is_tested:
        yield f"{differ} ({how.of_tests(found.n_pairs)}; {n_topics})."
    by_name = {re.split(r"\W", measure)[0]: measure for measure in reversed(measures)}
    if {"PRES", "AP"} <= by_name.keys():
        both = [by_name["PRES"], by_name["AP"]]
        first, second = (pairs.filter(measure=each)["difference"] for each in both)
        best = [_best(found, each)[1] for each in both]
        runs = "the same run" if set(best[0]) & set(best[1]) else "different runs"
        disagree = (first * second < 0).sum()
        by = listed([called[each] for each in both])
        yield f"{by} rank {runs} first and disagree on {disagree}{of}."
