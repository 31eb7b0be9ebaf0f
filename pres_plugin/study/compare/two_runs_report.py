"""The report of two runs: the conclusion, a bar per topic, and what only one run finds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from pres_plugin.study.compare.analysis import Comparison
from pres_plugin.study.compare.two_runs import MOST_DOCUMENTS, MOST_TOPICS, TwoRuns
from pres_plugin.study.output.parts import Picture, Section, left_out
from pres_plugin.study.output.words import DECIMALS, MOST_MEASURES, count, decimal, name, percent

_VERDICTS = {
    "not significant": "is not significant",
    "test and mean disagree": "is significant, but the test favours the run with the lower mean",
}


def differences(found: Comparison, two: TwoRuns, **options: Any) -> Picture:
    """Return the picture with a bar per topic."""
    measure, (one, other) = found.scores.measures[0], map(name, two.names)
    return Picture(
        "differences",
        f"Difference of {measure} on each topic",
        partial(found.draw, "differences", two=two, **options),
        f"{measure} of {one} minus that of {other}."
        + left_out("the {} largest differences", MOST_TOPICS, len(found.scores.topics)),
        on_page=False,
    )


def parts(found: Comparison, two: TwoRuns) -> list[Section]:
    """Return the tables of topics, and of the documents that only one run finds on them."""
    picture = differences(found, two, link="#missed-{}")
    within = f" in the first {count(two.cutoff, 'result')}" if two.cutoff else ""
    return [
        Section(
            picture.name,
            picture.title,
            two.by_topic(),
            f"The last columns count the relevant documents that only one run finds{within}.",
            picture=picture,
        ),
        Section(
            "missed",
            "Relevant documents that only one run finds",
            two.documents(),
            f"The first {MOST_DOCUMENTS} documents per topic and run that are{within}.",
            printed=False,
            views=[(f"Topic {topic.name}", partial(two.lists, topic)) for topic in two.topics],
        ),
    ]


def sentences(found: Comparison, two: TwoRuns) -> Iterator[str]:
    """Say what each run finds, how they differ, and how that was tested."""
    how, n_topics = found.how, count(len(found.scores.topics), "topic")
    one, other = map(name, two.names)
    first, *others = found.tables["pairs"].frame.rows(named=True)
    if all(each["equal"] == len(found.scores.topics) for each in (first, *others)):
        yield f"{_finds(found, two)}; their scores are the same on every topic."
        return
    said = f"{_finds(found, two)}; the difference {_differs(found, first)}"
    if found.least_p_value >= how.alpha:
        said += f": with {n_topics}, no p-value can be below {found.least_p_value:.3g}"
    elif first["verdict"] == "not significant":
        said += ", so it remains open which run is better"
    yield f"{said}."
    if others:
        of_others = [_differs(found, each) for each in others[: MOST_MEASURES - 1]]
        yield f"The difference {'; that '.join(of_others)}."
    intervals = f" In brackets: {how.level} confidence intervals." if found.has_intervals else ""
    yield (
        f"Differences are means over {n_topics} of {one} minus {other}, tested by "
        f"{how.of_tests(1)}.{intervals}"
    )


def _finds(found: Comparison, two: TwoRuns) -> str:
    """Say which part of the relevant documents each run finds, or its mean without a cutoff."""
    measure, (one, other) = found.scores.measures[0], map(name, two.names)
    if two.cutoff:
        where = f"In the first {count(two.cutoff, 'result').removeprefix('1 ')}"
        finds, what = "find", " of the relevant documents"
        if two.rel > 1:
            what = f" of the documents of relevance {two.rel} or higher"
        numbers = [percent(round(each, 2)) for each in two.recall()]
    else:
        where, finds, what = f"By {measure}", "score", ""
        numbers = _decimals(found.scores.means[[*two.order], 0])
    of_one, of_other = numbers
    if of_one == of_other:
        return f"{where}, both {one} and {other} {finds} {of_one}{what}"
    return f"{where}, {one} {finds}s {of_one}{what} and {other} {of_other}"


def _differs(found: Comparison, pair: Mapping[str, Any]) -> str:
    """Say how large the difference of a measure is, and whether it is significant."""
    if pair["equal"] == len(found.scores.topics):
        return f"of {pair['measure']} is 0 on every topic"
    bounds = [pair["low"], pair["high"]] if found.has_intervals else []
    number, *ends = _decimals([pair["difference"], *bounds])
    between = f" [{', '.join(ends)}]" if ends else ""
    is_significant = _VERDICTS.get(pair["verdict"], "is significant")
    return f"of {pair['measure']}, {number}{between}, {is_significant}"


def _decimals(values: Any) -> list[str]:
    """Return numbers with two decimals, or with more if one of them would look like 0."""
    for decimals in range(2, DECIMALS + 1):
        texts = [decimal(value, decimals) for value in values]
        if all(float(text) or not value for text, value in zip(texts, values, strict=True)):
            break
    return texts
