"""The report of two runs: what each of them finds, a bar per topic, and what each run misses."""

from __future__ import annotations

from functools import partial
from typing import Any

from pres_plugin.output.words import count, name, percent
from pres_plugin.study.compare.analysis import Comparison
from pres_plugin.study.compare.picture import differences as draw_differences
from pres_plugin.study.compare.two_runs import MOST_DOCUMENTS, MOST_TOPICS, TwoRuns
from pres_plugin.study.output.parts import Picture, Section, left_out


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


def found_by_each(two: TwoRuns) -> list[str]:
    """Return a sentence about what each run finds; empty if the first measure has no cutoff."""
    if not two.cutoff:
        return []
    (one, other), (of_one, of_other) = (
        map(name, two.names),
        (percent(round(r, 2)) for r in two.recall),
    )
    return [
        f"In the first {count(two.cutoff, 'result')}, {one} finds on average {of_one} of a "
        f"topic's relevant documents and {other} {of_other}."
    ]
