"""Known variants of PRES: what other implementations compute under the name of PRES.

A :class:`Way` describes how values are computed, from the order of the documents to the mean.
The table :data:`VARIANTS` contains one way per variant.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from ctypes import c_float
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter
from typing import Any, ClassVar, Literal

import numpy as np

from pres_plugin.kernel.statistics import Formula
from pres_plugin.kernel.topics import Floats, Ints, RelevantRanks, running_sum
from pres_plugin.measures import declared
from pres_plugin.ranking.scores import RankedView
from pres_plugin.study.inputs import Run, problems_of
from pres_plugin.study.ranks import RelevantDocuments, ranked_runs

#: The documents and scores of each topic, in the order of the file, with all repetitions.
Rows = Mapping[str, Sequence[tuple[str, float]]]


@dataclass(frozen=True, eq=False)
class Counts:
    """What the formulas use: arrays with one element per topic, or one number for all topics."""

    n: Any
    found: Ints
    rank_sum: Ints
    n_max: Any
    n_docs: Any
    #: The number of documents in the ranking.
    length: Ints
    # Functions that the measures' own formulas use.
    minimum: ClassVar[Any] = staticmethod(np.minimum)
    where: ClassVar[Any] = staticmethod(np.where)


_pres, _pres_est, _rnorm = (
    measure.declaration.formula for measure in (declared.PRES, declared.PRES_est, declared.Rnorm)
)


def _missed_at(topic: Counts, rank: Any) -> Any:
    """PRES if all missed documents were found at one rank."""
    rank_sum = topic.rank_sum + (topic.n - topic.found) * rank
    return _pres(replace(topic, found=topic.n, rank_sum=rank_sum))


@dataclass(frozen=True)
class Way:
    """How values are computed. The defaults are those of PRES."""

    formula: Formula = _pres
    #: How documents are ordered: as in trec_eval, by scores in 64 bits, with equal scores by
    #: ascending id or in the order of the file, or with all repetitions of a document.
    order: Literal["trec_eval", "64 bits", "ascending", "file", "repeats"] = "trec_eval"
    #: Whether relevant documents after Nmax are missed.
    cutoff: bool = True
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
    way : Way
        How the variant computes its values.
    """

    name: str
    does: str
    wrong: str
    way: Way


VARIANTS: tuple[Variant, ...] = (
    Variant(
        "missed-at-n-max",
        "All missed documents are placed at rank Nmax, instead of Nmax+n_found+1 to Nmax+n.",
        "Topics with missed documents score too high: above 0 if nothing is found.",
        Way(lambda topic: _missed_at(topic, topic.n_max)),
    ),
    Variant(
        "missed-after-n-max",
        "All missed documents are placed at rank Nmax+1, instead of Nmax+n_found+1 to Nmax+n.",
        "Topics with missed documents score too high unless n = 1: above 0 if nothing is found, "
        "and possibly above 1 if a topic has more relevant documents than Nmax.",
        Way(lambda topic: _missed_at(topic, topic.n_max + 1)),
    ),
    Variant(
        "divided-by-n-max-less-n",
        "The excess of the rank sum is divided by n(Nmax-n) instead of n × Nmax.",
        "Scores are too low, may be negative, and are undefined for n = Nmax.",
        Way(lambda topic: 1 - (1 - _pres(topic)) * topic.n_max / (topic.n_max - topic.n)),
    ),
    Variant(
        "only-found-in-n",
        "n counts only the relevant documents that were found.",
        "Missed documents cost nothing: one document at rank 1 scores 1.",
        Way(lambda topic: _pres(replace(topic, n=topic.found))),
    ),
    Variant(
        "no-cutoff",
        "Relevant documents after Nmax count as found, at their ranks.",
        "Scores depend on results that the user does not check.",
        Way(cutoff=False),
    ),
    Variant(
        "n-max-retrieved",
        "Nmax is the number of documents retrieved for the topic.",
        "Nmax differs between topics and runs, so their scores cannot be compared.",
        Way(lambda topic: _pres(replace(topic, n_max=topic.length)), cutoff=False),
    ),
    Variant(
        "64-bit-scores",
        "Scores are compared as 64-bit floats, while pytrec_eval compares 32-bit floats.",
        "Documents that pytrec_eval treats as tied may be in a different order.",
        Way(order="64 bits"),
    ),
    Variant(
        "ties-by-ascending-id",
        "Documents with equal scores are ordered by ascending id, instead of descending.",
        "The order differs from that of trec_eval.",
        Way(order="ascending"),
    ),
    Variant(
        "ties-by-file-order",
        "Documents with equal scores stay in the order of the file.",
        "The order differs from that of trec_eval and depends on how the run was written.",
        Way(order="file"),
    ),
    Variant(
        "repeats-counted",
        "A document that is repeated in a topic gets a rank each time and is found each time.",
        "Later documents move down, and one relevant document counts as several.",
        Way(order="repeats"),
    ),
    Variant(
        "pres-est",
        "These are values of PRES_est, which is PRES divided by the highest possible recall.",
        "Topics with more relevant documents than Nmax score higher than with PRES.",
        Way(_pres_est),
    ),
    Variant(
        "rnorm",
        "These are values of Rnorm, with missed documents at the end of the collection.",
        "Scores depend on the size of the collection.",
        Way(_rnorm),
    ),
    Variant(
        "rnorm-of-n-max",
        "These are values of Rnorm for a collection of N = Nmax documents.",
        "Missed documents get ranks within Nmax, and n(Nmax-n) is the divisor.",
        Way(lambda topic: _rnorm(replace(topic, n_docs=topic.n_max))),
    ),
    Variant(
        "rnorm-of-the-list",
        "These are values of Rnorm for the ranking alone: N is the number of documents in it, "
        "and n counts only the relevant ones that were found. This is the area under its ROC "
        "curve.",
        "Missed documents cost nothing, and the score depends on the length of the ranking.",
        Way(
            lambda topic: _rnorm(
                replace(topic, n=topic.found, n_docs=topic.length.clip(1, topic.n_max))
            )
        ),
    ),
    Variant(
        "topics-without-results-left-out",
        "The mean leaves out the topics without results.",
        "The mean is too high, and means of different runs are over different topics.",
        Way(topics="retrieved"),
    ),
    Variant(
        "topics-without-relevant-left-out",
        "The mean leaves out the topics without relevant documents.",
        "Such topics score 0, so the mean is too high.",
        Way(topics="relevant"),
    ),
    Variant(
        "percentages",
        "The values are percentages, 100 times as large.",
        "Other programs expect values from 0 to 1.",
        Way(scale=100),
    ),
)


@dataclass(frozen=True, eq=False)
class ScoredRun:
    """One run, to be scored in different ways.

    Attributes
    ----------
    relevant : RelevantDocuments
        The judgements.
    run : dict of dict
        The score of each retrieved document, by topic, in the order of the file.
    n_max : int
        Nmax.
    rel : int, default 1
        The lowest relevance that counts as relevant.
    n_docs : int, optional
        The number of documents in the collection, for Rnorm.
    rows : mapping of str to sequence of (str, float), optional
        The documents and scores of each topic, with all repetitions.
    """

    relevant: RelevantDocuments
    run: Run
    n_max: int
    rel: int = 1
    n_docs: int | None = None
    rows: Rows | None = None

    @property
    def variants(self) -> list[Variant]:
        """The variants that can be computed from what is known."""
        needed = {"rnorm": self.n_docs, "repeats-counted": self.rows}
        return [variant for variant in VARIANTS if needed.get(variant.name, ()) is not None]

    @cached_property
    def ranked(self) -> RankedView:
        """The run, ranked as for PRES."""
        [(run, _)] = ranked_runs(self.relevant, {"run": self.run})
        ranked = self.relevant.ranked(run, self.rel)
        with problems_of():  # a topic may have too many documents
            ranked.score(declared.PRES @ self.n_max)
            if self.n_docs is not None:
                ranked.score(declared.Rnorm(N=self.n_docs))
        return ranked

    def scores(self, way: Way = PRES) -> Floats:
        """Return the score of each topic, and last the mean of the topics that `way` averages.

        Scores that the formula does not define are 0, as for a topic without relevant documents.
        """
        ranked = self.ranked if way.order == PRES.order else self._ranked(way.order)
        n, cutoff = ranked.ranks.n, self.n_max if way.cutoff else None
        found, rank_sum = (ranked.ranks.statistic(each, cutoff) for each in ("found", "rank_sum"))
        counts = Counts(n, found, rank_sum, self.n_max, self.n_docs, ranked.retrieved)
        with np.errstate(divide="ignore", invalid="ignore"):
            scores = way.formula(counts) * way.scale
        scores = np.where((n > 0) & np.isfinite(scores), scores, 0.0)
        least = {"judged": n >= 0, "retrieved": counts.length > 0, "relevant": n > 0}
        averaged = scores[least[way.topics]]
        return np.append(scores, math.fsum(averaged) / max(len(averaged), 1))

    def _ranked(self, order: str) -> RankedView:
        """Return the run, ranked in another order."""
        ranks, found, retrieved = [], [], []
        for topic, relevance in self.relevant.qrels.items():
            docs: Any = self.run.get(topic, {}).items()
            if order == "repeats" and self.rows:
                docs = self.rows.get(topic, ())
            if order != "64 bits":
                docs = [(doc_id, c_float(score).value) for doc_id, score in docs]
            if order != "file":
                docs = sorted(docs, reverse=order != "ascending")
            docs = sorted(docs, key=itemgetter(1), reverse=True)
            at = [i for i, (doc, _) in enumerate(docs, 1) if relevance.get(doc, 0) >= self.rel]
            ranks += at
            found.append(len(at))
            retrieved.append(len(docs))
        starts = running_sum(found)
        of_found = RelevantRanks(self.ranked.ranks.n, np.array(ranks, dtype=np.int64), starts)
        return replace(self.ranked, ranks=of_found, retrieved=np.array(retrieved))
