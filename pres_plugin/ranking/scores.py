"""Compute scores from ranks, for every interface that stores ranks in arrays.

Every interface calls this module to reject an N that is smaller than a topic's documents.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pres_plugin.kernel import statistics
from pres_plugin.kernel.topics import RelevantRanks, running_sum
from pres_plugin.measures import Measure, MeasureError
from pres_plugin.measures.measure import View
from pres_plugin.ranking.dicts import rank_each
from pres_plugin.ranking.inputs import Judgements, Scores

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RunRanks:
    """The ranks of all D judged documents of a run, whatever their relevance."""

    name: str
    #: The rank of each document; 0 if it was not retrieved.
    ranks: Ints
    #: The number of documents retrieved per topic.
    retrieved: Ints
    #: The indices of the judged topics that the run contains, in the run's own order.
    order: Ints


@dataclass(frozen=True, eq=False)
class RankedView:
    """The ranks of the relevant documents of a run for one view, ready to be scored."""

    ranks: RelevantRanks
    #: The number of documents retrieved per topic, judged or not. Shape (T,).
    retrieved: Ints
    #: Takes the index of a topic; returns its name for error messages.
    name_of: Callable[[int], str]
    #: The size of each topic's collection, for measures without N. If only judged documents are
    #: ranked, this is their number. Shape (T,).
    n_docs: Ints | None = None

    def score(
        self, measure: Measure, cutoff: int | Ints | None = None, *, label: str | None = None
    ) -> Floats:
        """Return the score of each topic; 0 if nothing was retrieved or nothing is relevant.

        `cutoff` overrides the measure's cutoff. With C ascending cutoffs in an array of shape
        (C, 1), the result has the shape (C, T). `label` is the measure as the user wrote it,
        for error messages. Raise a MeasureError if a topic has more documents than N.
        """
        n = self.ranks.n
        known = self.retrieved + n - self.ranks.n_found
        check_collection(measure, known, self.name_of, label, self.n_docs)
        n_docs = self.n_docs if measure.N is None else measure.N
        n_max = measure.cutoff if cutoff is None else cutoff
        formula = measure.declaration.formula
        scores = statistics.score(formula, self.ranks, n_max, n_docs, measure.goal)
        return np.where(self.retrieved == 0, 0.0, scores)


def check_collection(
    measure: Measure,
    known: Ints,
    name_of: Callable[[int], str],
    label: str | None = None,
    n_docs: Ints | None = None,
) -> None:
    """Raise a MeasureError if a topic has more `known` documents than N.

    Known documents are those that were retrieved or are relevant. If the measure lacks N, `n_docs`
    contains the N of each topic.
    """
    most = n_docs if measure.lacks_size else measure.N
    if most is not None:
        for i in np.flatnonzero(known > most).tolist():
            problem = collection_problem(label or measure, name_of(i), known[i])
            raise MeasureError(problem)


def collection_problem(measure: object, topic: str, known: object) -> str:
    """Return the error message for a topic with more `known` documents than the measure's N."""
    return (
        f"{measure}: {topic} has {known} documents that were retrieved or are relevant, "
        f"more than N; set N to the number of documents in the collection"
    )


class Judged:
    """Judgements, to rank runs given as dicts.

    `views` contains the view of each measure to compute. A document's rank does not depend on
    the minimum relevance, so each document is ranked once for all views.
    """

    def __init__(self, judgements: Judgements, views: Collection[View]) -> None:
        self._views = views
        # As in trec_eval, documents with negative relevance are unjudged.
        least = min((0 if view.judged_only else view.rel for view in views), default=1)
        self._documents = judgements.at_least(least)
        relevance = judgements.relevance[judgements.relevance >= least]
        starts = running_sum([len(docs) for docs in self._documents.values()]).tolist()
        self._relevance = {
            topic: relevance[start:end]
            for topic, (start, end) in zip(self._documents, pairwise(starts), strict=True)
        }

    def check_collection(self, measure: Measure) -> None:
        """Raise a MeasureError if a topic has more relevant documents than the measure's N."""
        if measure.N is None:
            return
        n = [np.count_nonzero(values >= measure.rel) for values in self._relevance.values()]
        check_collection(measure, np.array(n), _names(list(self._relevance)))

    def rank(self, run: Mapping[str, Scores]) -> dict[View, RankedView]:
        """Rank the documents of a run for each view. All its topics must have judgements."""
        ranks = rank_each(run, self._documents)
        retrieved = np.array([len(docs) for docs in run.values()], dtype=np.int64)
        starts = running_sum([len(self._documents[topic]) for topic in run])
        none = np.zeros(0, dtype=np.int64)
        relevance = np.concatenate([none, *(self._relevance[topic] for topic in run)])
        return ranked_by_view(self._views, ranks, starts, relevance, retrieved, _names(list(run)))


def ranked_by_view(
    views: Collection[View],
    ranks: Ints,
    starts: Ints,
    relevance: Ints,
    retrieved: Ints,
    name_of: Callable[[int], str],
    n_docs: Ints | None = None,
) -> dict[View, RankedView]:
    """Return the relevant documents of T topics for each view.

    The documents of topic t are ``starts[t]`` up to, but not including, ``starts[t + 1]``. They
    include all judged documents if a view needs them. A rank of 0 means that the document was not
    retrieved. `retrieved` contains the number of documents retrieved per topic, and `n_docs` the
    size of each topic's collection, if it is known.
    """
    judged_only = any(view.judged_only for view in views)
    among_judged = _among_retrieved(ranks, starts) if judged_only else ranks
    ranked = {}
    for view in views:
        of_view = among_judged if view.judged_only else ranks
        found = RelevantRanks.of_documents(of_view, starts, relevance >= view.rel)
        of_topics = np.diff(starts) if view.judged_only else n_docs
        ranked[view] = RankedView(found, retrieved, name_of, of_topics)
    return ranked


def _among_retrieved(ranks: Ints, starts: Ints) -> Ints:
    """Return the ranks that documents would have if all others were removed from the rankings.

    A rank of 0 means that the document was not retrieved.
    """
    n = np.diff(starts)
    missing = ranks == 0
    n_missing = np.diff(running_sum(missing)[starts])
    # Within each topic, missing documents come first.
    order = np.lexsort((ranks, np.repeat(np.arange(len(n)), n)))
    among = np.empty_like(ranks)
    among[order] = np.arange(1, len(ranks) + 1) - np.repeat(starts[:-1] + n_missing, n)
    among[missing] = 0
    return among


def _names(topics: Sequence[str]) -> Callable[[int], str]:
    return lambda i: f"topic {topics[i]!r}"
