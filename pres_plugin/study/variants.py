"""Known variants of PRES: what other implementations compute under the name of PRES.

A :class:`Way` describes how values are computed, from the order of the documents to the mean.
Each :class:`Variant` changes some of its fields. Two variants can be combined if they change
different fields.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain, combinations
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pres_plugin.kernel import formulas
from pres_plugin.kernel.topics import TopicRanks, running_sum
from pres_plugin.measures import declared
from pres_plugin.ranking.dicts import rank
from pres_plugin.ranking.scores import Ranked
from pres_plugin.remedy import quoted
from pres_plugin.study.inputs import StudyError, problems_of

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

#: The documents and scores of one topic, in the order of the file.
Rows = Sequence[tuple[str, float]]


class Counts(NamedTuple):
    """What the formulas use, with one element per topic."""

    n: Ints
    found: Ints
    rank_sum: Ints
    n_max: Ints
    n_docs: Any
    #: The number of documents in the ranking.
    length: Ints


Formula = Callable[[Counts], Any]


def _pres(topic: Counts) -> Any:
    return formulas.pres(topic.n, topic.found, topic.rank_sum, topic.n_max)


def _pres_est(topic: Counts) -> Any:
    fit = np.minimum(topic.n, topic.n_max)
    return formulas.pres_est(topic.n, topic.found, topic.rank_sum, topic.n_max, fit)


def _by_n_max_less_n(topic: Counts) -> Any:
    return 1 - (1 - _pres(topic)) * topic.n_max / (topic.n_max - topic.n)


def _rnorm(topic: Counts) -> Any:
    return _rnorm_of(topic, topic.n_docs)


def _rnorm_of_n_max(topic: Counts) -> Any:
    return _rnorm_of(topic, topic.n_max)


def _rnorm_of_the_list(topic: Counts) -> Any:
    return _rnorm_of(topic, topic.length)


def _rnorm_of(topic: Counts, n_docs: Any) -> Any:
    score = formulas.rnorm(topic.n, topic.found, topic.rank_sum, n_docs)
    return np.where(topic.n == n_docs, 1.0, score)


@dataclass(frozen=True)
class Way:
    """How values are computed. The defaults are those of PRES."""

    #: How many bits of each score are compared.
    bits: Literal[32, 64] = 32
    #: The order of documents with equal scores.
    ties: Literal["descending", "ascending", "file"] = "descending"
    #: Whether a document that a run repeats is ranked each time.
    repeats: bool = False
    #: Whether relevant documents after Nmax are missed.
    cutoff: bool = True
    #: Whether Nmax is the number that the user gave, or the length of each ranking.
    n_max: Literal["given", "retrieved"] = "given"
    #: Whether n counts all relevant documents, or those that were found.
    n: Literal["relevant", "found"] = "relevant"
    #: How far after Nmax all missed documents are placed; None for their ranks in the formula.
    missed: int | None = None
    formula: Formula = _pres
    #: Which topics are averaged.
    topics: Literal["judged", "retrieved", "relevant"] = "judged"
    #: What scores are multiplied by.
    scale: int = 1


#: How PRES is computed.
PRES: Way = Way()


@dataclass(frozen=True)
class Variant:
    """One known way to compute something other than PRES.

    Attributes
    ----------
    name : str
        A short name, unique among the variants.
    does : str
        What the variant does, as a sentence.
    wrong : str
        What is wrong with its values, as a sentence.
    changes : mapping of str to object
        The steps of the computation in which the variant differs from PRES, as fields of
        :class:`Way`. If a variant works only with PRES's own value of a field, it lists that
        field and value, too.
    """

    name: str
    does: str
    wrong: str
    changes: Mapping[str, Any] = field(repr=False)


VARIANTS: tuple[Variant, ...] = (
    Variant(
        "missed-at-n-max",
        "All missed documents are placed at rank Nmax, instead of Nmax+n_found+1 to Nmax+n.",
        "Topics with missed documents score too high: above 0 if nothing is found.",
        {"missed": 0},
    ),
    Variant(
        "missed-after-n-max",
        "All missed documents are placed at rank Nmax+1, instead of Nmax+n_found+1 to Nmax+n.",
        "Topics with several missed documents score too high: above 0 if nothing is found, and "
        "above 1 if a topic has more relevant documents than Nmax and most results are relevant.",
        {"missed": 1},
    ),
    Variant(
        "divided-by-n-max-less-n",
        "The excess of the rank sum is divided by n(Nmax-n) instead of n × Nmax.",
        "Scores are too low, may be negative, and are undefined for n = Nmax.",
        {"formula": _by_n_max_less_n},
    ),
    Variant(
        "only-found-in-n",
        "n counts only the relevant documents that were found.",
        "Missed documents cost nothing: one document at rank 1 scores 1.",
        {"n": "found", "missed": None},
    ),
    Variant(
        "no-cutoff",
        "Relevant documents after Nmax count as found, at their ranks.",
        "Scores depend on results that the user does not check.",
        {"cutoff": False},
    ),
    Variant(
        "n-max-retrieved",
        "Nmax is the number of documents retrieved for the topic.",
        "Nmax differs between topics and runs, so their scores cannot be compared.",
        {"cutoff": False, "n_max": "retrieved"},
    ),
    Variant(
        "64-bit-scores",
        "Scores are compared as 64-bit floats, while trec_eval compares 32-bit floats.",
        "Documents that trec_eval treats as tied may be in a different order.",
        {"bits": 64},
    ),
    Variant(
        "ties-by-ascending-id",
        "Documents with equal scores are ordered by ascending id, instead of descending.",
        "The order differs from that of trec_eval.",
        {"ties": "ascending"},
    ),
    Variant(
        "ties-by-file-order",
        "Documents with equal scores stay in the order of the file.",
        "The order differs from that of trec_eval and depends on how the run was written.",
        {"ties": "file"},
    ),
    Variant(
        "repeats-counted",
        "A document that is repeated in a topic gets a rank each time and is found each time.",
        "Later documents move down, and one relevant document counts as several.",
        {"repeats": True},
    ),
    Variant(
        "pres-est",
        "These are values of PRES_est, which is PRES divided by the highest possible recall.",
        "Topics with more relevant documents than Nmax score higher than with PRES.",
        {"formula": _pres_est},
    ),
    Variant(
        "rnorm",
        "These are values of Rnorm, with missed documents at the end of the collection.",
        "Scores depend on the size of the collection.",
        {"formula": _rnorm, "missed": None, "n_max": "given"},
    ),
    Variant(
        "rnorm-of-n-max",
        "These are values of Rnorm for a collection of N = Nmax documents.",
        "Missed documents get ranks within Nmax, and n(Nmax-n) is the divisor.",
        {"formula": _rnorm_of_n_max, "missed": None, "n_max": "given"},
    ),
    Variant(
        "rnorm-of-the-list",
        "These are values of Rnorm for the ranking alone: N is the number of documents in it, "
        "and n counts only the relevant ones that were found. This is the area under its ROC "
        "curve.",
        "Missed documents cost nothing, and the score depends on the length of the ranking.",
        {"formula": _rnorm_of_the_list, "missed": None, "n": "found", "n_max": "given"},
    ),
    Variant(
        "topics-without-results-left-out",
        "The mean leaves out the topics without results.",
        "The mean is too high, and means of different runs are over different topics.",
        {"topics": "retrieved"},
    ),
    Variant(
        "topics-without-relevant-left-out",
        "The mean leaves out the topics without relevant documents.",
        "Such topics score 0, so the mean is too high.",
        {"topics": "relevant"},
    ),
    Variant(
        "percentages",
        "The values are percentages, 100 times as large.",
        "Other programs expect values from 0 to 1.",
        {"scale": 100},
    ),
)


def combined(variants: Sequence[Variant]) -> Way:
    """Return the :class:`Way` that results from combining several variants."""
    return replace(PRES, **dict(chain.from_iterable(v.changes.items() for v in variants)))


def combinations_of(variants: Sequence[Variant], size: int) -> Iterator[tuple[Variant, ...]]:
    """Iterate over the combinations of `size` variants that change different fields."""
    for chosen in combinations(variants, size):
        changed = [name for variant in chosen for name in variant.changes]
        if len(changed) == len(set(changed)):
            yield chosen


class ScoredRun:
    """One run, to be scored in different ways.

    Parameters
    ----------
    relevant : dict of str to list of str
        The relevant documents of each judged topic.
    run : mapping of str to mapping of str to float
        The score of each retrieved document, by topic, in the order of the file.
    n_max : int
        Nmax.
    n_docs : int, optional
        The number of documents in the collection, for Rnorm.
    rows : mapping of str to sequence, optional
        The documents and scores of each topic with all repetitions, if there are any.
    """

    def __init__(
        self,
        relevant: Mapping[str, Sequence[str]],
        run: Mapping[str, Mapping[str, float]],
        n_max: int,
        n_docs: int | None = None,
        rows: Mapping[str, Rows] | None = None,
    ) -> None:
        self.topics: tuple[str, ...] = tuple(relevant)
        self.variants: tuple[Variant, ...] = tuple(
            variant
            for variant in VARIANTS
            if (variant.name != "rnorm" or n_docs is not None)
            and (variant.name != "repeats-counted" or rows is not None)
        )
        self._relevant = relevant
        self._run = {topic: run.get(topic, {}) for topic in relevant}
        self._rows = rows or {}
        self._n_max = n_max
        self._n_docs = n_docs
        #: Whether anything was retrieved, per topic.
        self.has_results: NDArray[np.bool_] = np.array([bool(self._run[t]) for t in relevant])
        self._ranks = cache(self._ranks_uncached)
        self._check_sizes()

    def scores(self, way: Way = PRES) -> Floats:
        """Return the score of each topic, in the order of `topics`.

        Scores that the formula does not define are 0, as for a topic without relevant documents.
        """
        ranks, length = self._ranks(way.bits, way.ties, way.repeats)
        cutoff = self._n_max if way.cutoff else None
        found, rank_sum = ranks.statistic("found", cutoff), ranks.statistic("rank_sum", cutoff)
        n = found if way.n == "found" else ranks.n
        n_max = length if way.n_max == "retrieved" else np.full_like(n, self._n_max)
        if way.missed is not None:
            rank_sum = rank_sum + (n - found) * (n_max + way.missed)
            found = n
        if cutoff is not None:
            length = np.minimum(length, cutoff)
        with np.errstate(divide="ignore", invalid="ignore"):
            scores = way.formula(Counts(n, found, rank_sum, n_max, self._n_docs, length))
        return np.where((n > 0) & np.isfinite(scores), scores, 0.0) * way.scale

    def mean(self, way: Way = PRES) -> float:
        """Return the mean score of the topics that `way` averages."""
        averaged = {
            "judged": np.ones_like(self.has_results),
            "retrieved": self.has_results,
            "relevant": np.array([bool(doc_ids) for doc_ids in self._relevant.values()]),
        }
        scores = self.scores(way)[averaged[way.topics]]
        return math.fsum(scores.tolist()) / max(len(scores), 1)

    def _check_sizes(self) -> None:
        ranks, length = self._ranks(PRES.bits, PRES.ties, PRES.repeats)
        ranked = Ranked(ranks, length, lambda i: f"topic {quoted(self.topics[i])}")
        measures = [declared.PRES @ self._n_max]
        if self._n_docs is not None:
            measures.append(declared.Rnorm(N=self._n_docs))
        for measure in measures:
            for _, problem in ranked.problems(measure):
                raise StudyError(str(problem))

    def _ranks_uncached(self, bits: int, ties: str, repeats: bool) -> tuple[TopicRanks, Ints]:
        """Return the ranks of the relevant documents, and the length of each ranking."""
        docs = [self._rows.get(t, ()) if repeats else self._run[t].items() for t in self.topics]
        length = np.array([len(of_topic) for of_topic in docs], dtype=np.int64)
        if (bits, ties, repeats) == (PRES.bits, PRES.ties, PRES.repeats):
            with problems_of():
                return rank(self._run, self._relevant), length
        ranks = [
            _ranks_of(list(of_topic), set(self._relevant[t]), bits, ties)
            for t, of_topic in zip(self.topics, docs, strict=True)
        ]
        n = np.array([len(self._relevant[t]) for t in self.topics], dtype=np.int64)
        starts = running_sum([len(of_topic) for of_topic in ranks])
        return TopicRanks(n, np.concatenate([*ranks, np.zeros(0, dtype=np.int64)]), starts), length


def _ranks_of(docs: Rows, relevant: set[str], bits: int, ties: str) -> Ints:
    """Return the ranks at which relevant documents occur, in any order of equal scores."""
    scores = np.array([score for _, score in docs], dtype=np.float64)
    if bits == 32:
        with np.errstate(over="ignore"):  # larger scores become infinite, as in trec_eval
            scores = scores.astype(np.float32)
    order = np.arange(len(docs))
    if ties != "file" and len(np.unique(scores)) < len(docs):
        by_id = sorted(range(len(docs)), key=lambda i: docs[i][0], reverse=ties == "descending")
        order = np.array(by_id, dtype=np.int64)
    order = order[np.argsort(-scores[order], kind="stable")]
    is_relevant = np.array([docs[i][0] in relevant for i in order.tolist()], dtype=bool)
    return np.flatnonzero(is_relevant) + 1
