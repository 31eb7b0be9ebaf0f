"""What only one of two runs finds, on the topics on which they differ most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, zip_longest
from typing import Any, NamedTuple

import numpy as np

from pres_plugin.measures.declared import R
from pres_plugin.measures.parameters import LARGEST
from pres_plugin.ranking.scores import RunRanks
from pres_plugin.study.explain import Explanation
from pres_plugin.study.output.tables import Table, count, score, text
from pres_plugin.study.ranks import RelevantDocuments
from pres_plugin.study.scoring import Scores

#: The number of topics that are shown, and the number of documents in each list of a topic.
MOST_TOPICS = 50
MOST_DOCUMENTS = 20


class Topic(NamedTuple):
    """The scores of two runs on a topic, and the ranks of the documents that only one finds."""

    name: str
    first: float
    second: float
    difference: float
    only_first: dict[str, int]
    only_second: dict[str, int]


@dataclass(frozen=True, eq=False)
class TwoRuns:
    """Two runs, compared topic by topic by the first measure.

    Attributes
    ----------
    scores : Scores
        The scores of both runs.
    relevant : RelevantDocuments
        The relevant documents of all topics.
    ranked : sequence of RunRanks
        The ranks of the relevant documents, in the order of the scores.
    measure : ir_measures.Measure
        The first measure. Its cutoff and relevance level decide which documents are found.
    order : sequence of int
        The index of the first run of the pair, and the index of the second.
    """

    scores: Scores
    relevant: RelevantDocuments
    ranked: Sequence[RunRanks]
    measure: Any
    order: Sequence[int]

    @property
    def names(self) -> list[str]:
        """The names of the first and the second run."""
        return [self.scores.runs[run] for run in self.order]

    @property
    def cutoff(self) -> int | None:
        """The number of results in which documents count as found; None for all results."""
        params = self.measure.params
        # If a measure ranks only judged documents, its cutoff does not count results.
        return None if params.get("judged_only") else params.get("cutoff")

    @property
    def rel(self) -> int:
        """The lowest relevance that counts as relevant."""
        return int(self.measure.params.get("rel", 1))

    def recall(self) -> list[float]:
        """Return the mean recall of the first and the second run at the cutoff."""
        ranked = (self.relevant.ranked(self.ranked[run], self.rel) for run in self.order)
        return [each.score(R(cutoff=self.cutoff, rel=self.rel)).mean() for each in ranked]

    @cached_property
    def topics(self) -> list[Topic]:
        """The topics with the largest differences, from those that favour the first run on."""
        first, second = self.scores.values[[*self.order], :, 0]
        difference = (first - second).round(12)
        most = np.argsort(-abs(difference), kind="stable")[:MOST_TOPICS]
        return [
            Topic(self.scores.topics[t], first[t], second[t], difference[t], *self._found_by_one(t))
            for t in most[np.argsort(-difference[most], kind="stable")]
        ]

    def _found_by_one(self, topic: int) -> list[dict[str, int]]:
        """Return the ranks of the documents that only the first or only the second run finds."""
        name, start = self.scores.topics[topic], self.relevant.n[:topic].sum()
        of_topic = slice(start, start + self.relevant.n[topic])
        kept = self.relevant.relevance[of_topic] >= self.rel
        doc_ids = list(compress(self.relevant.doc_ids[name], kept))
        one, other = (
            Explanation(
                run, name, self.cutoff or LARGEST, doc_ids, self.ranked[i].ranks[of_topic][kept]
            ).found
            for run, i in zip(self.names, self.order, strict=True)
        )
        return [
            {doc_id: rank for doc_id, rank in by.items() if doc_id not in but}
            for by, but in ((one, other), (other, one))
        ]

    def by_topic(self) -> Table:
        """Return one row per topic: the scores, and how many documents only one run finds."""
        names, first, second, difference, *only = zip(*self.topics, strict=True)
        one, other = self.names
        return Table(
            {
                "query_id": text(names, "topic"),
                "first": score(first, one),
                "second": score(second, other),
                "difference": score(difference),
                "only_first": count([*map(len, only[0])], f"found only by {one}"),
                "only_second": count([*map(len, only[1])], f"found only by {other}"),
            }
        )

    def documents(self) -> Table:
        """Return one row per document that only one run finds."""
        rows = [
            (topic.name, doc_id, run, rank)
            for topic in self.topics
            for run, only in zip(self.names, topic[-2:], strict=True)
            for doc_id, rank in only.items()
        ]
        topics, doc_ids, runs, ranks = zip(*rows, strict=True) if rows else [()] * 4
        return Table(
            {
                "query_id": text(topics, "topic"),
                "doc_id": text(doc_ids, "document"),
                "found_by": text(runs, "found only by"),
                "rank": count(ranks),
            }
        )

    def lists(self, topic: Topic) -> Table:
        """Return the documents of a topic that only one run finds, in one column per run."""
        lists = []
        for only in topic[-2:]:
            shown = [f"{doc_id} (rank {rank:,})" for doc_id, rank in only.items()] or ["none"]
            if more := shown[MOST_DOCUMENTS:]:
                shown[MOST_DOCUMENTS:] = [f"and {len(more):,} more"]
            lists.append(shown)
        sides = zip(*zip_longest(*lists, fillvalue=""), strict=True)
        columns = [
            text(side, f"found only by {run}") for side, run in zip(sides, self.names, strict=True)
        ]
        return Table(dict(zip(("first", "second"), columns, strict=True)))
