"""The report of two runs: what each of them finds, a bar per topic, and what each run misses."""

from __future__ import annotations

from collections.abc import Iterator
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
        Section(
            "found-by",
            "Relevant documents found by each run",
            two.totals,
            f"What the runs find{within}, over all topics.",
        ),
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


def found_by_each(two: TwoRuns) -> Iterator[str]:
    """Say what the runs need to reach a recall, or what they find up to a cutoff, and in total."""
    one, other = map(name, two.names)
    if two.effort:
        recall, n_docs, (of_one, of_other), never = two.effort
        yield (
            f"To find {percent(recall)} of a topic's relevant documents, {one} needs {of_one:,.0f} "
            f"of {n_docs:,.0f} documents on average and {other} {of_other:,.0f}."
        )
        for run, n_never in zip((one, other), never, strict=True):
            if n_never:
                yield (
                    f"{run} never finds them on {count(n_never, 'topic')}, where all documents "
                    "count."
                )
    if two.cutoff:
        of_one, of_other = two.recall
        yield (
            f"In the first {count(two.cutoff, 'result')}, {one} finds on average "
            f"{percent(round(of_one, 2))} of a topic's relevant documents and {other} "
            f"{percent(round(of_other, 2))}."
        )
    numbers = both, only_one, only_other, neither = two.totals.frame.row(0)
    yield (
        f"Of {count(sum(numbers), 'relevant document')}, both find {both:,}, only {one} "
        f"{only_one:,}, only {other} {only_other:,} and neither {neither:,}."
    )
