"""The report of two runs: the conclusion, a bar per topic, and what each run misses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from pres_plugin.output.words import (
    DECIMALS,
    MOST_MEASURES,
    count,
    decimal,
    in_full,
    name,
    percent,
)
from pres_plugin.study.compare.analysis import VERDICTS, Comparison
from pres_plugin.study.compare.picture import differences as draw_differences
from pres_plugin.study.compare.two_runs import MOST_DOCUMENTS, MOST_TOPICS, TwoRuns
from pres_plugin.study.output.parts import Picture, Section, left_out

#: What follows from the verdict on a pair that contains the best run.
SO = dict.fromkeys(VERDICTS, "significant") | {
    "not significant": "not significant, so it remains open which run is better",
    "test and mean disagree": "significant, but the test favours the run with the lower mean",
}


def differences(found: Comparison, two: TwoRuns, **options: Any) -> Picture:
    """Return the picture with a bar per topic."""
    [measure, *_], (one, other) = found.labels.values(), map(name, two.names)
    return Picture(
        "differences",
        f"Difference of {measure} on each topic",
        partial(draw_differences, found, two, **options),
        f"{measure} of {one} minus that of {other}."
        + left_out("the {} largest differences", MOST_TOPICS, len(found.scores.topics))
        + (" Each bar leads to the documents that a run misses." if options else ""),
        on_page=False,
    )


def by_topic(found: Comparison, two: TwoRuns) -> list[Section]:
    """Return the tables of topics, and of the documents that the runs miss on them."""
    picture = differences(found, two, link="#missed-{}")
    within = f" in the first {count(two.cutoff, 'result')}" if two.cutoff else ""
    each = Section(
        picture.name,
        picture.title,
        two.by_topic.without("only_first", "only_second", "neither"),
        picture=picture,
    )
    return [
        *([each] if found.is_tested else []),
        Section(
            "missed",
            "Relevant documents that a run misses",
            two.by_topic.without("first", "second", "difference"),
            f"What each run finds{within}. Each list ends after {MOST_DOCUMENTS} documents.",
            printed=False,
            has_ids=True,
        ),
    ]


def conclusion(found: Comparison, two: TwoRuns) -> Iterator[str]:
    """Say what each run finds, how they differ, and how that was tested."""
    how, n_topics = found.how, count(len(found.scores.topics), "topic")
    one, other = map(name, two.names)
    first, *others = found.tables["pairs"].frame.rows(named=True)[:MOST_MEASURES]
    finds = ""
    if two.cutoff:
        of_one, of_other = (percent(round(each, 2)) for each in two.recall)
        finds = (
            f"In the first {count(two.cutoff, 'result')}, {one} finds on average {of_one} of a "
            f"topic's relevant documents and {other} {of_other}; "
        )
    if not np.ptp(found.scores.values, axis=0).round(12).any():
        yield _sentence(f"{finds}the scores of {one} and {other} are the same on every topic")
        return
    so = f"is {SO[first['verdict']]}"
    if found.least_p_value >= how.alpha:
        so = f"cannot be significant, because no p-value can be below {found.least_p_value:.3g}"
    yield _sentence(f"{finds}the difference {_difference(found, first)}, {so}")
    if others:
        of_others = [
            f"{_difference(found, e)}, is {SO[e['verdict']].split(', so')[0]}" for e in others
        ]
        yield _sentence(f"the difference {'; that '.join(of_others)}")
    intervals = f" In brackets: {how.level} confidence intervals." if found.has_intervals else ""
    yield (
        f"Differences are means over {n_topics} of {one} minus {other}, tested by "
        f"{how.of_tests(1)}.{intervals}"
    )
    yield from in_full(found.scores.measures)


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _difference(found: Comparison, pair: Mapping[str, Any]) -> str:
    """Return a measure and the difference, with its interval if there is one."""
    values = [pair["difference"]]
    if found.has_intervals:
        values += [pair["low"], pair["high"]]
    # Small numbers get more decimals, so that they do not look like 0.
    number, *bounds = (decimal(each, DECIMALS if 0 < abs(each) < 0.005 else 2) for each in values)
    called = found.labels[pair["measure"]]
    return f"of {called}, {number}" + (f" [{', '.join(bounds)}]" if bounds else "")
