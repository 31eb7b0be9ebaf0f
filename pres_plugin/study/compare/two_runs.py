"""What only one of two runs finds, on the topics on which they differ most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any

import numpy as np

from pres_plugin.kernel.topics import running_sum
from pres_plugin.measures.declared import R
from pres_plugin.measures.parameters import LARGEST
from pres_plugin.ranking.scores import RunRanks
from pres_plugin.study.explain import Explanation
from pres_plugin.study.output.tables import Table, score, text
from pres_plugin.study.output.words import names
from pres_plugin.study.ranks import RelevantDocuments
from pres_plugin.study.scoring import Scores

#: The number of topics that are shown, and the number of documents in each of their lists.
MOST_TOPICS = 50
MOST_DOCUMENTS = 20


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
    order : list of int
        The index of the first run of the pair, and the index of the second.
    """

    scores: Scores
    relevant: RelevantDocuments
    ranked: Sequence[RunRanks]
    measure: Any
    order: list[int]

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

    def by_topic(self) -> Table:
        """Return one row per topic: the scores, and the documents that only one run finds.

        These are the topics with the largest differences, from the largest in favour of the first
        run to the largest in favour of the second. Documents are in the order of their ranks.
        """
        first, second = self.scores.values[self.order, :, 0]
        difference = (first - second).round(12)
        most = np.argsort(-abs(difference), kind="stable")[:MOST_TOPICS]
        topics = most[np.argsort(-difference[most], kind="stable")]
        only_first, only_second = zip(*map(self._found_by_one, topics), strict=True)
        one, other = self.names
        return Table(
            {
                "query_id": text(self.scores.topics, "topic", topics),
                "first": score(first[topics], one),
                "second": score(second[topics], other),
                "difference": score(difference[topics]),
                "only_first": text(only_first, f"found only by {one}"),
                "only_second": text(only_second, f"found only by {other}"),
            }
        )

    def _found_by_one(self, topic: int) -> list[str]:
        """List the relevant documents of a topic that only the first or second run finds."""
        name, ends = self.scores.topics[topic], running_sum(self.relevant.n)
        of_topic = slice(*ends[topic : topic + 2])
        kept = self.relevant.relevance[of_topic] >= self.rel
        doc_ids = list(compress(self.relevant.doc_ids[name], kept))
        one, other = (
            Explanation(
                self.ranked[i].name,
                name,
                self.cutoff or LARGEST,
                doc_ids,
                self.ranked[i].ranks[of_topic][kept],
            ).found
            for i in self.order
        )
        return [
            names([each for each in by if each not in but] or ["none"], MOST_DOCUMENTS)
            for by, but in ((one, other), (other, one))
        ]
