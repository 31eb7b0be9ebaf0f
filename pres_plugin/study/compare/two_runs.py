"""What each of two runs misses, on the topics on which they differ most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from pres_plugin.measures.parameters import LARGEST
from pres_plugin.output.tables import Table, as_value, column
from pres_plugin.output.words import count, name, names, percent
from pres_plugin.ranking.judgements import Judgements, Keep
from pres_plugin.ranking.scores import RunRanks
from pres_plugin.scoring import direction
from pres_plugin.study.scoring import Scores

#: The number of topics that are shown, and the number of documents in each of their lists.
MOST_TOPICS = 50
MOST_DOCUMENTS = 20


class TwoRuns(NamedTuple):
    """Two runs, compared topic by topic by the first measure.

    Attributes
    ----------
    names : list of str
        The names of the first and the second run of the pair.
    cutoff : int or None
        The number of results in which documents count as found; None for all results.
    by_topic : Table
        One row per topic: the scores, and the documents that only one run finds, or neither. These
        are the topics with the largest differences, from the largest in favour of the first run to
        the largest in favour of the second. Documents are in the order of their ranks.
    totals : Table
        How many relevant documents of all topics both runs find, only one of them, and neither.
    sentences : list of str
        What the runs need to reach a recall, or what they find up to the cutoff, and in total.
    """

    names: list[str]
    cutoff: int | None
    by_topic: Table
    totals: Table
    sentences: list[str]


def two_runs(
    scores: Scores,
    judgements: Judgements,
    ranked: Sequence[RunRanks],
    measure: Any,
    pair: list[int],
) -> TwoRuns:
    """Compare two runs by the first measure.

    Parameters
    ----------
    scores : Scores
        The scores of both runs.
    judgements : Judgements
        The relevant documents of all topics.
    ranked : sequence of RunRanks
        The ranks of the relevant documents, in the order of the scores.
    measure : ir_measures.Measure
        The first measure. Its cutoff and relevance level decide which documents are found.
    pair : list of int
        The index of the first run of the pair, and the index of the second.
    """
    rel = int(measure.params.get("rel", 1))
    # If a measure ranks only judged documents, its cutoff does not count results.
    cutoff = None if measure.params.get("judged_only") else measure.params.get("cutoff")
    runs = [ranked[i] for i in pair]
    one, other = called = [run.name for run in runs]
    limit = cutoff or LARGEST

    first, second = scores.values[pair, :, 0]
    difference = (first - second).round(12)
    sign, write = direction(str(measure)), as_value(str(measure))
    most = np.argsort(-abs(difference), kind="stable")[:MOST_TOPICS]
    topics = most[np.argsort(-sign * difference[most], kind="stable")]

    def listed(by: RunRanks, where: Keep) -> list[str]:
        order = by.ranks.argsort()
        order = order[where[order]]
        of_topics = (order[judgements.topic_of[order] == topic] for topic in topics)
        lists = (judgements.column[each].to_list() for each in of_topics)
        return [names(each or ["none"], MOST_DOCUMENTS) for each in lists]

    is_relevant = judgements.relevance >= rel
    in_first, in_second = ((run.ranks > 0) & (run.ranks <= limit) & is_relevant for run in runs)
    found = {
        "both": in_first & in_second,
        "only_first": in_first & ~in_second,
        "only_second": in_second & ~in_first,
        "neither": is_relevant & ~in_first & ~in_second,
    }
    headings = {
        "query_id": "topic",
        "first": one,
        "second": other,
        "both": "found by both",
        "only_first": f"found only by {one}",
        "only_second": f"found only by {other}",
        "neither": "found by neither",
    }
    by_topic = Table(
        {
            "query_id": column(scores.topics)[topics],
            "first": first[topics],
            "second": second[topics],
            "difference": difference[topics],
            "only_first": listed(runs[0], found["only_first"]),
            "only_second": listed(runs[1], found["only_second"]),
            "neither": listed(runs[0], found["neither"]),
        },
        headings,
        first=write,
        second=write,
        difference=write,
    )
    totals = Table({which: [each.sum()] for which, each in found.items()}, headings)
    n, *n_found = (
        np.bincount(judgements.topic_of[each], minlength=len(judgements.topics))
        for each in (is_relevant, in_first, in_second)
    )
    (one, other), said = map(name, called), []
    if sign < 0:
        sizes: Any = measure.N or judgements.ranked(runs[0], measure.document_choice).n_docs
        of_one, of_other = scores.values[pair, :, 0].mean(axis=1)
        said.append(
            f"To find {percent(measure.recall)} of a topic's relevant documents, {one} needs "
            f"{of_one:,.0f} of {np.mean(sizes):,.0f} documents on average and {other} "
            f"{of_other:,.0f}."
        )
        for run, each in zip((one, other), n_found, strict=True):
            # Without relevant documents, there is nothing to find.
            if n_never := int(np.count_nonzero(n[measure.goal.includes(each + 1, n)])):
                said.append(
                    f"{run} never finds them on {count(n_never, 'topic')}, where all documents "
                    "count."
                )
    if cutoff:
        of_one, of_other = (percent((each / n.clip(1)).mean().round(2)) for each in n_found)
        said.append(
            f"In the first {count(cutoff, 'result')}, {one} finds on average {of_one} of a topic's "
            f"relevant documents and {other} {of_other}."
        )
    numbers = both, only_one, only_other, neither = totals.frame.row(0)
    said.append(
        f"Of {count(sum(numbers), 'relevant document')}, both find {both:,}, only {one} "
        f"{only_one:,}, only {other} {only_other:,} and neither {neither:,}."
    )
    return TwoRuns(called, cutoff, by_topic, totals, said)
