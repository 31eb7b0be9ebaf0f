"""The judgements of all topics, to rank runs and score them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from itertools import chain, compress
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pres_plugin.kernel.topics import Floats, Ints, RelevantRanks, running_sum
from pres_plugin.measures import Measure
from pres_plugin.measures.measure import DocumentChoice
from pres_plugin.messages import check_common_topic, quoted, some
from pres_plugin.ranking.checks import checked_relevances
from pres_plugin.ranking.scores import RankedTopics, RunRanks, among_retrieved, check_collection
from pres_plugin.unmatched import JudgedIds

if TYPE_CHECKING:
    import polars as pl

Qrels = Mapping[str, Mapping[str, int]]
"""Judgements: the relevance of each judged document, by topic and document."""

Keep = NDArray[np.bool_]
"""The documents that samples of the judgements keep. Shape (S, D)."""


def least_relevance(choices: Iterable[DocumentChoice]) -> int:
    """Return the lowest relevance of the documents whose ranks these choices need.

    As in trec_eval, documents with a negative relevance are unjudged.
    """
    return min((0 if choice.judged_only else choice.rel for choice in choices), default=1)


class Judgements:
    """The T judged topics, and the D documents whose ranks are needed, one topic after the other.

    Parameters
    ----------
    topics : iterable of str
        The ids of the topics.
    n : sequence of int, shape (T,)
        The number of documents per topic.
    doc_ids : list of str, or polars.Series
        The ids of the D documents.
    relevance : ndarray of int64, shape (D,)
        The relevance of the documents.
    some_judged : callable
        Takes a topic's id, and returns a mapping whose keys are the ids of some of its judged
        documents, whatever their relevance.
    qrels : Qrels
        All judgements, for measures of other packages; empty if they are not needed.
    """

    def __init__(
        self,
        topics: Iterable[str],
        n: Any,
        doc_ids: list[str] | pl.Series,
        relevance: Ints,
        some_judged: Callable[[str], Mapping[str, Any]],
        qrels: Qrels,
    ) -> None:
        self.topics: tuple[str, ...] = tuple(topics)
        self.n: Ints = np.asarray(n, dtype=np.int64)
        #: The documents of topic t are ``starts[t]`` up to, but not including, ``starts[t + 1]``.
        self.starts: Ints = running_sum(self.n)
        #: The 0-based number of each topic.
        self.number: dict[str, int] = {topic: i for i, topic in enumerate(self.topics)}
        self._ids = doc_ids
        self.relevance = relevance
        self.qrels = qrels
        #: Recognises judged ids in runs.
        self.ids: JudgedIds = JudgedIds(self.number, some_judged)
        #: The size of each topic's collection, if it is known; for measures without N.
        self.n_docs: Ints | None = None

    @classmethod
    def from_dicts(cls, qrels: Qrels, least: int = 1) -> Judgements:
        """Check judgements, and keep the ranks of documents with at least this relevance.

        An invalid id or relevance raises a TypeError or ValueError.
        """
        relevance = checked_relevances(qrels)
        needed = relevance >= least
        starts = running_sum([len(docs) for docs in qrels.values()])
        n = np.diff(running_sum(needed)[starts])
        doc_ids = list(compress(chain.from_iterable(qrels.values()), needed.tolist()))
        return cls(qrels, n, doc_ids, relevance[needed], qrels.__getitem__, qrels)

    @cached_property
    def topic_of(self) -> Ints:
        """The number of each document's topic. Shape (D,)."""
        return np.repeat(np.arange(len(self.n)), self.n)

    @cached_property
    def doc_ids(self) -> list[str]:
        """The ids of all D documents."""
        return list(self._ids)

    @cached_property
    def column(self) -> pl.Series:
        """The ids of all D documents in a column."""
        import polars as pl

        return pl.Series(self._ids, dtype=pl.String).rechunk()

    @cached_property
    def hashed(self) -> NDArray[np.uint64]:
        """A hash of each document's id. Shape (D,)."""
        from pres_plugin.ranking.rows import hashes

        return hashes(self.column)

    def ranked(
        self, run: RunRanks, choice: DocumentChoice, keep: Keep | None = None
    ) -> RankedTopics:
        """Return a ranked run, ready to be scored by the measures with this choice of documents.

        With S samples of the judgements, the result contains the topics S times, once per sample.
        """
        ranks, relevance, starts, n_samples = run.ranks, self.relevance, self.starts, 1
        if keep is not None:
            n_samples = len(keep)
            # Sort each topic's documents by rank once, so that samples do not have to be sorted.
            order = np.lexsort((ranks, self.topic_of))
            kept = keep[:, order].ravel()
            starts = running_sum(kept)[running_sum(np.tile(self.n, n_samples))]
            ranks = np.tile(ranks[order], n_samples)[kept]
            relevance = np.tile(relevance[order], n_samples)[kept]
        n_docs = None if self.n_docs is None else np.tile(self.n_docs, n_samples)
        if choice.judged_only:
            n_docs = np.diff(starts)
            ranks = among_retrieved(ranks, np.repeat(np.arange(len(n_docs)), n_docs))
        found = RelevantRanks.of_documents(ranks, starts, relevance >= choice.rel)
        return RankedTopics(found, np.tile(run.retrieved, n_samples), self.name_of, n_docs)

    def scores(self, run: RunRanks, measures: Sequence[Measure]) -> Floats:
        """Return the scores of a ranked run by M measures on all topics. Shape (M, T)."""
        ranked = cache(partial(self.ranked, run))
        scores = [ranked(measure.document_choice).score(measure) for measure in measures]
        return np.reshape(scores, (len(scores), len(self.topics)))

    def with_common_topics(self, runs: Iterable[RunRanks]) -> Iterator[RunRanks]:
        """Yield the same runs; raise an InputError at the end if no topic of any run is judged.

        Beside other runs, such a run counts as one without results, with a warning.
        """
        named: list[str] = []
        topics: list[str] = []
        n_judged = 0
        for run in runs:
            yield run
            named.append(run.where)
            topics = topics or [*run.extra]
            n_judged += len(run.order) > 0
        if topics and not n_judged:
            check_common_topic(topics, self.number, "run", f"{some(named)}: ")

    def check_collection(self, measure: Measure) -> None:
        """Raise a MeasureError if a topic has more relevant documents than N."""
        check_collection(measure, self.n_relevant(measure.rel), self.name_of, n_docs=self.n_docs)

    def n_relevant(self, rel: int) -> Ints:
        """Return the number of documents per topic with at least this relevance."""
        return np.diff(running_sum(self.relevance >= rel)[self.starts])

    def name_of(self, i: int) -> str:
        """Return how messages name a topic, given its number; samples repeat the numbers."""
        return f"topic {quoted(self.topics[i % len(self.topics)])}"
