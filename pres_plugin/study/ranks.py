"""Find the ranks of relevant documents once, for all measures, cutoffs and samples of judgements.

A ranking does not depend on the judgements or on the cutoff. Once the ranks of the
relevant documents are known, scores can be computed again without the run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pres_plugin.kernel.topics import Ints, RelevantRanks, running_sum
from pres_plugin.ranking.dicts import rank_each
from pres_plugin.ranking.inputs import Judgements, check_scores
from pres_plugin.ranking.scores import RankedView, RunRanks
from pres_plugin.ranking.unmatched import unmatched_in_dicts, warn
from pres_plugin.remedy import no_common_topic
from pres_plugin.study.inputs import Qrels, Run, StudyError, checked_items, problems_of

Keep = NDArray[np.bool_]


class RelevantDocuments:
    """The D relevant documents of T topics, one topic after the other.

    The judgements may have any form that studies accept. They are checked. `n_docs` contains the
    size of each topic's collection, for measures without N.
    """

    def __init__(self, qrels: Any, n_docs: Ints | None = None) -> None:
        from pres_plugin.adapters.ir_measures.native.inputs import qrels_dicts

        with problems_of("qrels"):
            #: The judgements.
            self.qrels: Qrels = qrels if isinstance(qrels, Mapping) else qrels_dicts(qrels)
            judgements = Judgements(self.qrels)
            if not self.qrels:
                raise ValueError("there are no judgements")
            _check_unicode(self.qrels)
        #: The size of each topic's collection, if it is known.
        self.n_docs: Ints | None = n_docs
        #: The ids of each topic's relevant documents.
        self.doc_ids: dict[str, list[str]] = judgements.at_least(1)
        self.topics: tuple[str, ...] = tuple(self.doc_ids)
        #: The number of relevant documents per topic.
        self.n: Ints = np.array(list(map(len, self.doc_ids.values())), dtype=np.int64)
        #: The relevance of each document: at least 1.
        self.relevance: Ints = judgements.relevance[judgements.relevance >= 1]

    @classmethod
    def of(cls, qrels: Any) -> RelevantDocuments:
        """Return the relevant documents of judgements, which may be found already."""
        return qrels if isinstance(qrels, cls) else cls(qrels)

    @cached_property
    def by_id(self) -> list[Ints]:
        """The positions of each topic's documents among all D, in the order of their ids."""
        starts = running_sum(self.n)
        return [
            start + np.array(sorted(range(len(doc_ids)), key=doc_ids.__getitem__), dtype=np.int64)
            for start, doc_ids in zip(starts, self.doc_ids.values(), strict=False)
        ]

    def rank(self, name: str, run: Run) -> RunRanks:
        """Find the ranks of all relevant documents in a run."""
        # Topics without relevant documents need not be ranked.
        judged = {topic: run.get(topic, {}) for topic, doc_ids in self.doc_ids.items() if doc_ids}
        ranks = rank_each(judged, self.doc_ids)
        retrieved = np.array([len(run.get(topic, ())) for topic in self.topics], dtype=np.int64)
        index = {topic: i for i, topic in enumerate(self.topics)}
        order = np.array([index[topic] for topic in run if topic in index], dtype=np.int64)
        return RunRanks(name, ranks, retrieved, order)

    def ranked(self, run: RunRanks, rel: int = 1, keep: Keep | bool = True) -> RankedView:
        """Return a ranked run, ready to be scored.

        Only documents with at least the relevance `rel` count as relevant. `keep` contains S
        samples of the documents, in an array of shape (S, D). With samples, the result contains
        the topics S times, once per sample.
        """
        # Sort each topic's documents by rank once, so that samples do not have to be sorted.
        order = np.lexsort((run.ranks, np.repeat(np.arange(len(self.topics)), self.n)))
        relevant = np.atleast_2d((self.relevance >= rel) & keep)[:, order]
        n_samples = len(relevant)
        ranks = np.tile(run.ranks[order], n_samples)
        starts = running_sum(np.tile(self.n, n_samples))
        return RankedView(
            RelevantRanks.of_documents(ranks, starts, relevant.ravel()),
            np.tile(run.retrieved, n_samples),
            lambda i: f"topic {self.topics[i % len(self.topics)]!r}",
            None if self.n_docs is None else np.tile(self.n_docs, n_samples),
        )


def _check_unicode(topics: Qrels) -> None:
    """Raise a ValueError if an id cannot be written in UTF-8, as tables and seeds require."""
    for topic, docs in topics.items():
        try:
            "".join((topic, *docs)).encode()
        except UnicodeEncodeError as error:
            raise ValueError(
                f"topic {topic!r}: an id contains {error.object[error.start]!r}, which cannot be "
                "written in UTF-8; remove the surrogates from the ids"
            ) from None


AnyQrels: TypeAlias = Qrels | RelevantDocuments
"""Judgements as studies accept them: as dicts, or with the relevant documents found already."""

AnyRuns: TypeAlias = Mapping[str, Run] | Iterable[tuple[str, Run] | RunRanks]
"""Runs as studies accept them: a mapping of name to run, or an iterable of pairs of name and run.

An iterable may instead contain runs that are ranked already, as those that are read from files.
"""


def ranked_runs(relevant: RelevantDocuments, runs: Any) -> Iterator[tuple[RunRanks, Any]]:
    """Check and rank each run, one at a time; warn if its ids have another form than the qrels'.

    Parameters
    ----------
    relevant : RelevantDocuments
        The judgements.
    runs : AnyRuns
        The runs; those that were ranked from files are passed on as they are.

    Yields
    ------
    RunRanks
        The ranks of the relevant documents.
    dict of dicts, or None
        The run itself, for measures that need more than ranks; None if only ranks are known.
    """
    from pres_plugin.adapters.ir_measures.native.inputs import run_dicts

    seen = set()
    for item in runs.items() if isinstance(runs, Mapping) else checked_items("runs", runs):
        docs: Any = None
        match item:
            case RunRanks(name=name):
                ranked = item
            case (str(name), run):
                with problems_of(name):
                    docs = run if isinstance(run, Mapping) else run_dicts(run)
                    # Ranking checks the other topics.
                    check_scores({t: docs[t] for t in docs if not relevant.doc_ids.get(t)})
                    ranked = relevant.rank(name, docs)
                    if docs and (problem := no_common_topic(docs, relevant.qrels)):
                        raise ValueError(problem)
                warn(unmatched_in_dicts(name, docs, relevant.qrels))
            case _:
                raise StudyError(
                    "runs must be a dict of name to run, or pairs of name and run; "
                    f"got {item!r:.60}"
                )
        if name in seen:
            raise StudyError(f"two runs are called {name}; give each run its own name")
        seen.add(name)
        yield ranked, docs
    if not seen:
        raise StudyError("no run is given")
