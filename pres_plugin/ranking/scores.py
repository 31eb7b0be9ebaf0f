"""Compute scores from ranks, for every interface that stores ranks in arrays.

Every interface calls this module to reject an N that is smaller than a topic's documents.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

import numpy as np

from pres_plugin.kernel import statistics
from pres_plugin.kernel.topics import Floats, Ints, RelevantRanks
from pres_plugin.measures import Measure, MeasureError
from pres_plugin.unmatched import UnmatchedIdsWarning


@dataclass(frozen=True, eq=False)
class RunRanks:
    """The ranks of the D documents of :class:`.judgements.Judgements` in a run."""

    name: str
    #: The rank of each document; 0 if it was not retrieved.
    ranks: Ints
    #: The number of documents retrieved per topic.
    retrieved: Ints
    #: The indices of the judged topics that the run contains, in the run's own order.
    order: Ints
    #: How messages name the run.
    where: str
    #: The topics of the run that are not judged.
    extra: Collection[str] = ()
    #: The warning if its ids have another form than those judged.
    unmatched: UnmatchedIdsWarning | None = None
    #: The run itself, for measures of other packages; empty if it is not needed.
    docs: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    #: The number of judged topics with several documents that all have the same score, so that only
    #: ids decide their order. Only runs in tables are counted.
    n_tied: int = 0


@dataclass(frozen=True, eq=False)
class RankedTopics:
    """The ranks of a run's relevant documents, for one :class:`.measure.DocumentChoice`."""

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
        """Return the score of each topic; 0 if nothing is relevant.

        `cutoff` overrides the measure's cutoff. With C ascending cutoffs in an array of shape
        (C, 1), the result has the shape (C, T). `label` is the measure as the user wrote it,
        for error messages. Raise a MeasureError if a topic has more documents than N.
        """
        known = self.retrieved + self.ranks.n - self.ranks.n_found
        check_collection(measure, known, self.name_of, label, self.n_docs)
        n_docs = self.n_docs if measure.N is None else measure.N
        n_max = measure.cutoff if cutoff is None else cutoff
        formula = measure.declaration.formula
        scores: Floats = statistics.score(formula, self.ranks, n_max, n_docs, measure.goal)
        return scores


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
            raise MeasureError(
                f"{label or measure}: {name_of(i)} has {known[i]} documents that were retrieved or "
                "are relevant, more than N; set N to the number of documents in the collection"
            )


def among_retrieved(ranks: Ints, topic_of: Ints) -> Ints:
    """Return the ranks that documents would have if all others were removed from the rankings.

    A rank of 0 means that the document was not retrieved. `topic_of` contains the number of each
    document's topic, ascending.
    """
    found = np.flatnonzero(ranks)
    topics = topic_of[found]
    among = np.zeros_like(ranks)
    in_order = found[np.lexsort((ranks[found], topics))]
    among[in_order] = np.arange(len(found)) - topics.searchsorted(topics) + 1
    return among


@np.errstate(invalid="ignore")
def mean(scores: Floats, order: Ints) -> Floats:
    """Return the mean over all T topics, which are the last axis of `scores`; NaN without topics.

    `order` contains the numbers of the topics that the run contains, in the run's order. The scores
    are added in this order, as in trec_eval, and then those of the other topics; sum() rounds
    differently.
    """
    n_topics = scores.shape[-1]
    topics = np.append(order, np.setdiff1d(np.arange(n_topics), order))
    means: Floats = scores[..., topics].cumsum(axis=-1)[..., -1:].sum(axis=-1) / n_topics
    return means
