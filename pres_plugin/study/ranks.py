"""Find the ranks of relevant documents once, for all cutoffs and samples of judgements.

A ranking does not depend on the judgements or on the cutoff. Once the ranks of the
relevant documents are known, scores can be computed again without the run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pres_plugin.kernel.topics import TopicRanks, running_sum
from pres_plugin.ranking.dicts import rank_each
from pres_plugin.ranking.inputs import Judgements
from pres_plugin.ranking.scores import Ranked
from pres_plugin.study.inputs import Qrels, problems_of

Ints = NDArray[np.int64]
Keep = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class RankedRun:
    """The ranks of the D relevant documents of T topics in a run."""

    name: str
    #: The rank of each document of :class:`RelevantDocuments`; 0 if it was not retrieved.
    ranks: Ints
    #: The number of documents retrieved per topic.
    retrieved: Ints


class RelevantDocuments:
    """The D relevant documents of T topics, one topic after the other."""

    def __init__(self, qrels: Qrels) -> None:
        #: The ids of each topic's relevant documents.
        self.doc_ids: dict[str, list[str]] = Judgements(qrels).at_least(1)
        self.topics: tuple[str, ...] = tuple(self.doc_ids)
        #: The documents of topic t are ``starts[t]`` up to, but not including, ``starts[t + 1]``.
        self.starts: Ints = running_sum([len(doc_ids) for doc_ids in self.doc_ids.values()])
        #: The relevance of each document: at least 1.
        self.relevance: Ints = np.array(
            [qrels[topic][doc] for topic, docs in self.doc_ids.items() for doc in docs],
            dtype=np.int64,
        )

    @property
    def n(self) -> Ints:
        """The number of relevant documents per topic."""
        return np.diff(self.starts)

    @cached_property
    def by_id(self) -> list[Ints]:
        """The positions of each topic's documents in the order of their ids."""
        return [
            np.array(sorted(range(len(doc_ids)), key=doc_ids.__getitem__), dtype=np.int64)
            for doc_ids in self.doc_ids.values()
        ]

    def rank(self, name: str, run: Mapping[str, Mapping[str, float]]) -> RankedRun:
        """Find the ranks of all relevant documents in a run."""
        judged = {topic: run.get(topic, {}) for topic in self.topics}
        with problems_of(name):
            ranks = rank_each(judged, self.doc_ids)
        return RankedRun(name, ranks, np.array(list(map(len, judged.values())), dtype=np.int64))

    def ranked(self, run: RankedRun, rel: int = 1, keep: Keep | None = None) -> Ranked:
        """Return a ranked run, ready to be scored.

        Only documents with at least the relevance `rel` count as relevant. `keep` contains S
        samples of the documents, in an array of shape (S, D). With samples, the result contains
        the topics S times, once per sample.
        """
        # Sort each topic's documents by rank once, so that samples do not have to be sorted.
        order = np.lexsort((run.ranks, np.repeat(np.arange(len(self.topics)), self.n)))
        relevant = (self.relevance >= rel)[None, order]
        if keep is not None:
            relevant = relevant & keep[:, order]
        of_run = run.ranks[order]
        n_samples, n_topics = len(relevant), len(self.topics)
        starts = self.starts[:-1] + len(self.relevance) * np.arange(n_samples)[:, None]
        starts = np.append(starts.ravel(), relevant.size)
        ranks = np.broadcast_to(of_run, relevant.shape).ravel()
        return Ranked(
            TopicRanks.of_documents(ranks, starts, relevant.ravel()),
            np.tile(run.retrieved, n_samples),
            lambda i: f"topic {self.topics[i % n_topics]!r}",
        )
