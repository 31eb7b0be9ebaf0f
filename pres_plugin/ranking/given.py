"""Ranks that the user gives: they count as given, and a gap is a document that was left out."""

from __future__ import annotations

from typing import Any

#: The problem with ranks that run on, and what to do.
RUN_ON = (
    "the ranks run on from one topic to the next, as if they numbered the rows of a table; count "
    "the ranks of each topic from 1"
)


def run_on(topics: Any, n: Any, span: Any, first: Any, last: Any, rank_sum: Any) -> Any:
    """Return whether given ranks run on from topic to topic: from 1 to 100, then from 101 to 200.

    Such ranks number the rows of a run, so they contain no order of documents. The arguments
    describe a run, as numbers or as expressions of a dataframe library: the number of its topics
    and of its rows, the sum over topics of the ranks from the first to the last one, the first and
    the last rank of all, and the sum of all ranks. Two topics with few hits may follow each other
    by chance, so there must be two rows per topic.
    """
    no_gaps = (span == n) & (last - first + 1 == n) & (first <= 1)
    return no_gaps & (topics > 1) & (n >= 2 * topics) & (2.0 * rank_sum == (first + last) * n)
