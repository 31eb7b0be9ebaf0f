"""Find the ranks of relevant documents once, for all cutoffs and samples of judgements.

A ranking does not depend on the judgements or on the cutoff. Once the ranks of the
relevant documents are known, scores can be computed again without the run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pres_plugin.adapters.ir_measures.native.measures import DeclaredMeasure
from pres_plugin.kernel import topics
from pres_plugin.kernel.topics import TopicRanks, running_sum
from pres_plugin.measures import collection_too_small
from pres_plugin.ranking import Judgements, rank
from pres_plugin.study.inputs import Qrels, StudyError, problems_of

__all__ = ["RankedRun", "RelevantDocuments", "from_ranks"]

Ints = NDArray[np.int64]
Keep = NDArray[np.bool_]


def from_ranks(measure: Any) -> bool:
    """Whether a measure of ir-measures can be computed from ranks alone."""
    if measure.params.get("judged_only", False):
        return False
    return measure.NAME in {"AP", "R"} or isinstance(measure, DeclaredMeasure)


@dataclass(frozen=True, eq=False)
class RankedRun:
    """The ranks of the relevant documents in a run.

    Attributes
    ----------
    name : str
        The run's name.
    ranks : ndarray of int64, shape (D,)
        1-based rank of each document of :class:`RelevantDocuments`, 0 where it
        was not retrieved.
    known : ndarray of int64, shape (T,)
        The number of documents of each topic that were retrieved or are relevant; the
        collection has at least as many.
    """

    name: str
    ranks: Ints
    known: Ints


class RelevantDocuments:
    """The D relevant documents of T topics, one topic after the other.

    Parameters
    ----------
    qrels : mapping of str to mapping of str to int
        The relevance of each judged document, by topic.

    Attributes
    ----------
    topics : tuple of str
        The topics' ids.
    doc_ids : dict of str to list of str
        The ids of each topic's relevant documents.
    starts : ndarray of int64, shape (T + 1,)
        The documents of topic t are ``starts[t]`` up to, but not including, ``starts[t + 1]``.
    relevance : ndarray of int64, shape (D,)
        The relevance of each document: at least 1.

    Examples
    --------
    >>> import ir_measures
    >>> from pres_plugin.study.ranks import RelevantDocuments
    >>> relevant = RelevantDocuments({"q": {"a": 1, "b": 1, "c": 0}})
    >>> run = relevant.rank("mine", {"q": {"c": 2.0, "b": 1.0}})
    >>> run.ranks
    array([0, 2])
    >>> relevant.score(ir_measures.AP, None, run, relevant.table(run))
    array([0.25])
    """

    def __init__(self, qrels: Qrels) -> None:
        self.doc_ids: dict[str, list[str]] = Judgements(qrels).at_least(1)
        self.topics: tuple[str, ...] = tuple(self.doc_ids)
        sizes = [len(doc_ids) for doc_ids in self.doc_ids.values()]
        self.starts: Ints = running_sum(sizes)
        self.relevance: Ints = np.array(
            [qrels[topic][doc] for topic, docs in self.doc_ids.items() for doc in docs],
            dtype=np.int64,
        )

    def rank(self, name: str, run: Mapping[str, Mapping[str, float]]) -> RankedRun:
        """Find the ranks of all relevant documents in a run.

        Raises
        ------
        StudyError
            If :func:`pres_plugin.ranking.rank` cannot read the run.
        """
        nothing: dict[str, float] = {}
        judged = {topic: run.get(topic, nothing) for topic in self.topics}
        with problems_of(name):
            found = rank(judged, self.doc_ids)
        retrieved = [
            doc_id in docs
            for docs, doc_ids in zip(judged.values(), self.doc_ids.values(), strict=True)
            for doc_id in doc_ids
        ]
        ranks = np.zeros(len(retrieved), dtype=np.int64)
        ranks[retrieved] = found.ranks
        sizes = np.array([len(docs) for docs in judged.values()], dtype=np.int64)
        return RankedRun(name, ranks, sizes + found.n - np.diff(found.starts))

    def table(self, run: RankedRun, rel: int = 1, keep: Keep | None = None) -> TopicRanks:
        """Return the ranks in a run if only some of the documents count as relevant.

        Parameters
        ----------
        run : RankedRun
            The ranks of these documents in a run.
        rel : int, default 1
            The least relevance that counts as relevant.
        keep : ndarray of bool, shape (D,), optional
            The documents that stay relevant; all if not given.
        """
        counted = self.relevance >= rel
        if keep is not None:
            counted &= keep
        n = np.diff(running_sum(counted)[self.starts])
        found = counted & (run.ranks > 0)
        return TopicRanks(n, run.ranks[found], running_sum(found)[self.starts])

    def score(
        self, measure: Any, cutoff: int | None, run: RankedRun, ranks: TopicRanks
    ) -> NDArray[np.float64]:
        """Return the score of each topic.

        Parameters
        ----------
        measure : ir_measures.Measure
            A measure for which :func:`from_ranks` is true; its own cutoff is ignored.
        cutoff : int or None
            The cutoff to score at.
        run : RankedRun
            The ranks of these documents in a run.
        ranks : TopicRanks
            The result of :meth:`table` for the run.

        Raises
        ------
        StudyError
            If Rnorm's N is below the number of documents known for a topic.
        """
        if not isinstance(measure, DeclaredMeasure):
            return _OTHERS[measure.NAME](ranks, cutoff)
        n_docs = measure.params.get("N")
        if n_docs is not None and (run.known > n_docs).any():
            topic = int(np.argmax(run.known))
            problem = collection_too_small(measure, self.topics[topic], int(run.known[topic]))
            raise StudyError(f"{run.name}: {problem}")
        return measure.DECLARATION.score(ranks, n_docs, cutoff)


_OTHERS: dict[str, Callable[[TopicRanks, int | None], NDArray[np.float64]]] = {
    "AP": lambda ranks, cutoff: topics.average_precision(
        ranks.within(cutoff), ranks.precision_sum(cutoff)
    ),
    "R": lambda ranks, cutoff: topics.recall(ranks.within(cutoff)),
}
