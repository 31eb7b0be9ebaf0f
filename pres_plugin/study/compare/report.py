"""The report of a comparison: means, orders and differences of runs, and their tests."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from pres_plugin.messages import listed, some
from pres_plugin.output.tables import Table, as_value, bounded
from pres_plugin.output.words import (
    DECIMALS,
    MOST_MEASURES,
    count,
    in_full,
    name,
    names,
    one_topic,
    p_value,
)
from pres_plugin.scoring import best_first, direction
from pres_plugin.study import result
from pres_plugin.study.compare.analysis import MOST_DRAWN, VERDICTS, Comparison
from pres_plugin.study.compare.paper import table
from pres_plugin.study.compare.picture import agreement, differences, rank_changes, sorted_scores
from pres_plugin.study.compare.two_runs import MOST_DOCUMENTS, MOST_TOPICS, TwoRuns
from pres_plugin.study.output.parts import Picture, Section, left_out
from pres_plugin.study.output.report import Report

#: How well measures agree on the order and on pairs of runs is shown for at least this many runs.
_FEWEST_TO_AGREE = 4

#: Without baselines, terminals show the table of pairs of runs if it has at most this many rows.
_FEW_PAIRS = 30


#: What follows from the verdict on a pair that contains the best run.
_SO = dict.fromkeys(VERDICTS, "significant") | {
    "not significant": "not significant, so it remains open which run is better",
    "test and mean disagree": "significant, but the test favours the run with the worse mean",
}


@result.report.register(Comparison)
def report(found: Comparison, command: str = "") -> Report:
    """Return the report of a comparison; `command` creates it again."""
    scores = found.scores
    compared = f"{count(len(scores.runs), 'run')} compared"
    if found.two:
        compared = " compared with ".join(found.two.names)
    elif found.baselines:
        compared += f" with {some(found.baselines)}"
    tested = f"; differences by {found.how.of_tests(found.n_pairs)}" if found.is_tested else ""
    return Report(
        f"{compared} by {', '.join(found.labels.values())}",
        f"Means of {count(len(scores.topics), 'topic')}{tested}.",
        [*_main(found), *_others(found)],
        command,
        list(sentences(found)),
        partial(table, found),
    )


def _main(found: Comparison) -> Iterator[Section | Picture]:
    """Yield the table of the means, and a picture of them or of the difference of two runs."""
    first, title = _first_measure(found), "Mean scores"
    note = f"The best run by {first} comes first."
    about = f"Mean score of each run by each measure. The best run by {first} is at the top."
    if found.has_intervals:
        note += f" In brackets: {found.how.of_intervals()} ({found.how.of_resamples()})."
        about += " Bars are confidence intervals."
    means = found.tables["means"]
    yield Section("scores", title, found.tables["scores"], note, views=[(title, means)])
    if found.two and found.is_tested:
        yield _differing(found, found.two)
    else:
        title, about = f"Scores, sorted by {first}", about + _drawn_runs(found)
        yield Picture("sorted-scores", title, partial(sorted_scores, found), about)


def _others(found: Comparison) -> Iterator[Section | Picture]:
    """Yield the other tables and pictures of a comparison, in reading order."""
    scores, tables = found.scores, found.tables
    if groups := tables.get("groups"):
        n_grouped = groups["topics"].sum() // len(scores.runs)
        note = f"Topics without a group: {len(scores.topics) - n_grouped}."
        yield Section("groups", "Mean scores by group of topics", groups, note)
    agree = len(scores.measures) > 1 and len(scores.runs) >= _FEWEST_TO_AGREE
    if agree:
        yield from _orders(found)
    if found.is_tested:
        yield from _tests(found, agree)
    if found.two:
        yield from _by_topic(found, found.two)
    if intervals := tables.get("intervals"):
        title = "Confidence intervals of the means"
        yield Section("intervals", title, intervals, printed=False)
    yield Section("scores-by-topic", "Scores by topic", scores.all_scores, printed=False)


def _orders(found: Comparison) -> Iterator[Section | Picture]:
    """Yield how similarly the measures order the runs."""
    drawn, similar = _drawn_runs(found), found.tables["correlations"]
    yield Section(
        "correlations",
        "How similarly the measures order the runs",
        similar,
        "A dash means that a measure gives all runs the same score.",
        len(similar) <= MOST_DRAWN,
    )
    yield Picture(
        "rank-changes",
        "Positions of the runs by each measure",
        partial(rank_changes, found),
        "One line per run, from its position by one measure to its position by the next. "
        "With more than seven runs, those that change most are in colour."
        f"{drawn}{' Positions are those among these runs.' if drawn else ''}",
    )


def _tests(found: Comparison, agree: bool) -> Iterator[Section | Picture]:
    """Yield what the tests of the pairs of runs found, and if `agree`, how the measures agree."""
    how, tables, baselines = found.how, found.tables, found.baselines
    pairs, verdicts, agreements = tables["pairs"], tables["verdicts"], tables["agreement"]
    tested = f" Differences are tested by {how.of_tests(found.n_pairs)}."
    order = f"The first run of each pair has the better mean {_first_measure(found)}."
    title = "All pairs of runs"
    if baselines:
        title = "Runs compared with a baseline"
        order = f"The second run of each pair is a baseline: {some(baselines)}."
    if found.two:
        title = "Difference by each measure"
    else:
        note = order + tested
        if "test and mean disagree" in verdicts.frame.columns:
            note += (
                " Test and mean disagree if a difference is significant, but the mean does not "
                "point the same way; such pairs count as not significant in other tables."
            )
        yield Section("verdicts", "Pairs of runs by verdict", verdicts, note)
    if agree:
        yield Section(
            "agreement",
            "Pairs of runs by the agreement of two measures",
            agreements,
            "A run is better by a measure if its mean is significantly better. The same run is "
            "better if both measures find it better, and opposite runs if each finds another "
            "one better.",
            len(agreements) <= MOST_DRAWN,
        )
        yield Picture(
            "agreement-chart",
            "How the measures agree on pairs of runs",
            partial(agreement, found),
            "How many pairs of runs differ significantly by both measures, by neither, by only "
            f"one, or in opposite directions.{tested}"
            + left_out("the first {} pairs", MOST_DRAWN, len(agreements)),
        )
    note = (
        f"{order} The difference is the mean of the first run minus that of the second. The "
        "standardised difference is this difference divided by the standard deviation of the "
        "topics' differences. A topic counts as improved if the first run is better on it."
    )
    if found.has_intervals:
        note += f" In brackets: {how.of_intervals()}."
    note += tested
    if how.is_random:
        note += f" Random draws: {how.of_resamples()}."
    shown = bool(baselines) or len(pairs) <= _FEW_PAIRS
    views = [(title, partial(_with_brackets, pairs))] if found.has_intervals else []
    yield Section("pairs", title, pairs, note, shown, views)


def _differing(found: Comparison, two: TwoRuns, **options: Any) -> Picture:
    """Return the picture with a bar per topic."""
    [measure, *_], (one, other) = found.labels.values(), map(name, two.names)
    return Picture(
        "differences",
        f"Difference of {measure} on each topic",
        partial(differences, found, two, **options),
        f"{measure} of {one} minus that of {other}."
        + left_out("the {} largest differences", MOST_TOPICS, len(found.scores.topics))
        + (" Each bar leads to the documents that a run misses." if options else ""),
        on_page=False,
    )


def _by_topic(found: Comparison, two: TwoRuns) -> Iterator[Section]:
    """Yield the tables of topics, and of the documents that the runs miss on them."""
    within = f" in the first {count(two.cutoff, 'result')}" if two.cutoff else ""
    note = f"What the runs find{within}, over all topics."
    yield Section("found-by", "Relevant documents found by each run", two.totals, note)
    if found.is_tested:
        picture = _differing(found, two, link="#missed-{}")
        shown = two.by_topic.without("only_first", "only_second", "neither")
        yield Section(picture.name, picture.title, shown, picture=picture)
    yield Section(
        "missed",
        "Relevant documents that a run misses",
        two.by_topic.without("first", "second", "difference"),
        f"What each run finds{within}. Each list ends after {MOST_DOCUMENTS} documents.",
        printed=False,
        has_ids=True,
    )


def _first_measure(found: Comparison) -> str:
    """Return the label of the first measure."""
    return next(iter(found.labels.values()))


def _with_brackets(pairs: Table) -> Table:
    """Return the pairs with the bounds of each difference behind it."""
    bounds = bounded(*pairs.frame.select("difference", "low", "high"))
    return pairs.with_frame(pairs.frame.with_columns(difference=bounds)).without("low", "high")


def _drawn_runs(found: Comparison) -> str:
    """Return which runs the pictures show; empty if they show all."""
    return left_out("the best {} runs", MOST_DRAWN, len(found.scores.runs))


def sentences(found: Comparison) -> Iterator[str]:
    """Say which runs are best, whether significantly, and how the first two measures disagree.

    Means that look the same count as ties.
    """
    scores = found.scores
    if found.two:
        yield from found.two.sentences
    else:
        yield _best_runs(found)
    alike: dict[bytes, list[str]] = {}
    for run, values in zip(scores.runs, scores.values.round(12), strict=True):
        alike.setdefault(values.tobytes(), []).append(run)
    if same := [names(each) for each in alike.values() if len(each) > 1]:
        yield f"Identical, with the same scores on every topic: {'; '.join(same[:3])}."
    if len(alike) > 1:
        yield from _differences(found)
    yield from one_topic(len(scores.topics))
    yield from in_full(scores.measures)


def _best_runs(found: Comparison) -> str:
    """Name the best runs by each measure."""
    runs, phrases = found.scores.runs, defaultdict(list)
    for measure in found.scores.measures[:MOST_MEASURES]:
        value, tied = _best(found, measure)
        most = "highest" if direction(measure) > 0 else "lowest"
        phrase = f"{names(tied)} {'has' if len(tied) == 1 else 'share'} the {most} mean"
        if len(runs) == 1:
            phrase = f"The only run, {name(runs[0])}, has the mean"
        phrases[phrase].append(f"{found.labels[measure]} ({value})")
    return " ".join(f"{phrase} {listed(values)}." for phrase, values in phrases.items())


def _best(found: Comparison, measure: str) -> tuple[str, list[str]]:
    """Return the best mean by a measure, and the runs that have it."""
    means, write = found.scores.means[:, found.scores.measures.index(measure)], as_value(measure)
    texts = [write(mean, DECIMALS) for mean in means]
    best = texts[best_first(means, measure)[0]]
    return best, [run for run, text in zip(found.scores.runs, texts, strict=True) if text == best]


def _differences(found: Comparison) -> Iterator[str]:
    """Say how the best runs differ, what is significant, and how two measures disagree."""
    how, called, pairs = found.how, found.labels, found.tables["pairs"].frame
    topics, is_one = count(len(found.scores.topics), "topic"), found.n_pairs == 1
    # A single pair is described by each measure, and of several the first one by the first measure.
    for pair in pairs.head(MOST_MEASURES if is_one else 1).rows(named=True):
        if pair["improved"] + pair["worsened"]:
            yield _difference(found, pair)
    of = f" of {count(found.n_pairs, 'pair')}"
    if found.baselines:
        of += f" with {names(found.baselines)}"
    tested = how.of_tests(found.n_pairs)
    if found.is_tested and (least := found.least_p_value) >= how.alpha:
        yield (
            f"No difference can be significant, because no p-value can be below {least:.3g} "
            f"({tested}; {topics})."
        )
    elif found.is_tested and is_one:
        yield f"Differences are means over {topics}, tested by {tested}."
    elif found.is_tested:
        significant = found.tables["verdicts"].frame.select("measure", *VERDICTS[:2]).rows()
        numbers = [
            f"{first + second}{'' if i else of} in {called[measure]}"
            for i, (measure, first, second) in enumerate(significant[:MOST_MEASURES])
        ]
        yield f"Differences are significant for {listed(numbers)} ({tested}; {topics})."
    if len(called) > 1 and not is_one:
        both = found.scores.measures[:2]
        first, second = (
            pairs.filter(measure=each)["difference"] * direction(each) for each in both
        )
        best = [{*_best(found, each)[1]} for each in both]
        runs = "the same run" if best[0] & best[1] else "different runs"
        by = listed([called[each] for each in both])
        yield f"{by} rank {runs} first and disagree on {(first * second < 0).sum()}{of}."


def _difference(found: Comparison, pair: Mapping[str, Any]) -> str:
    """Say how the runs of a pair differ by a measure, and what the test found."""
    write = as_value(pair["measure"])
    said = (
        f"The difference in {found.labels[pair['measure']]} between {name(pair['first'])} and "
        f"{name(pair['second'])} is {write(pair['difference'], DECIMALS)}"
    )
    if not found.is_tested:
        return f"{said}."
    p = p_value(pair["p_value"])
    in_brackets = f"p {p.replace('<', '< ')}" if "<" in p else f"p = {p}"
    if found.has_intervals:
        bounds = f"{write(pair['low'], DECIMALS)} to {write(pair['high'], DECIMALS)}"
        in_brackets = f"{found.how.level} interval {bounds}, {in_brackets}"
    return f"{said} ({in_brackets}): {_SO[pair['verdict']]}."
