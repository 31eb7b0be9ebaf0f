"""Explain the PRES of a run on one topic, document by document."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import mul
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pres_plugin.kernel.topic import pres, recall
from pres_plugin.ranking.inputs import Judgements
from pres_plugin.remedy import some
from pres_plugin.study.inputs import (
    Qrels,
    Runs,
    StudyError,
    checked_n_max,
    checked_qrels,
    named_runs,
    whole,
)
from pres_plugin.study.limits import LARGEST_LEVEL
from pres_plugin.study.ranks import RelevantDocuments
from pres_plugin.study.sentences.explanation import explanation_sentences

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Curves:
    """The number of relevant documents found up to each rank, as three step functions.

    Attributes
    ----------
    rank : ndarray of int64
        0 and each rank at which a curve rises (at most 3n), ascending. The last one is
        Nmax + n. Between consecutive ranks, all curves are flat.
    best, this, worst : ndarray of int64
        The number of relevant documents found up to each rank: in the best case (all ranked
        first), in this ranking, and in the worst case (all ranked right after Nmax). In this
        ranking, missed documents are assigned the worst possible ranks.
    """

    rank: Ints
    best: Ints
    this: Ints
    worst: Ints

    @property
    def a1(self) -> int:
        """The area between the best case and this ranking, in documents × ranks."""
        return self._area(self.best, self.this)

    @property
    def a2(self) -> int:
        """The area between this ranking and the worst case; PRES = A2 / (A1 + A2)."""
        return self._area(self.this, self.worst)

    def _area(self, upper: Ints, lower: Ints) -> int:
        heights = (upper - lower)[:-1].tolist()
        # Python's integers, because the area may not fit into 64 bits.
        return sum(map(mul, heights, np.diff(self.rank).tolist()))


@dataclass(frozen=True, eq=False)
class Explanation:
    """The PRES of one run on one topic, with its parts.

    Attributes
    ----------
    run, query_id : str
        The name of the run, and the id of the topic.
    n_max : int
        Nmax.
    doc_ids : sequence of str
        The ids of the relevant documents.
    retrieved_at : ndarray of int64
        The rank of each document of `doc_ids`, or 0 if it was not retrieved.
    """

    run: str
    query_id: str
    n_max: int
    doc_ids: Sequence[str]
    retrieved_at: Ints

    @property
    def n(self) -> int:
        """The number of relevant documents."""
        return len(self.doc_ids)

    @property
    def ranks(self) -> tuple[int, ...]:
        """The ranks of the relevant documents found within Nmax, ascending."""
        return tuple(self._found().tolist())

    @property
    def documents(self) -> pd.DataFrame:
        """One row per relevant document, in order of rank; computed anew each time.

        The columns are `doc_id`, `rank` (None if not retrieved), `counted_rank` (the rank
        used for PRES; more than Nmax if missed), `ideal_rank`, `cost` (how much the document
        reduces PRES; PRES is 1 minus all costs) and `why` (the cost in words).
        """
        rows = self.rows(range(1, self.n + 1))
        columns = ["doc_id", "rank", "counted_rank", "ideal_rank", "cost", "why"]
        documents = pd.DataFrame(rows, columns=columns)
        documents["rank"] = pd.Series([row[1] for row in rows], dtype=object)  # keep None, not NaN
        return documents

    def rows(
        self, ideal_ranks: Iterable[int]
    ) -> list[tuple[str, int | None, int, int, float, str]]:
        """Return some rows of :attr:`documents`, by the documents' ideal ranks."""
        ranks = self.retrieved_at.tolist()
        # Order by rank, with documents that were not retrieved at the end.
        order = sorted(range(self.n), key=lambda i: (ranks[i] or math.inf, self.doc_ids[i]))
        all_counted = self._counted().tolist()
        rows = []
        for ideal in ideal_ranks:
            i, counted = order[ideal - 1], all_counted[ideal - 1]
            cost = (counted - ideal) / (self.n * self.n_max)
            why = _why(ranks[i], counted, ideal, self.n_max, cost)
            rows.append((self.doc_ids[i], ranks[i] or None, counted, ideal, cost, why))
        return rows

    def _found(self) -> Ints:
        at = self.retrieved_at
        return np.sort(at[(at > 0) & (at <= self.n_max)])

    def _counted(self) -> Ints:
        """Return the ranks used for PRES, ascending."""
        found = self._found()
        # Missed documents are assigned the ranks Nmax + n_found + 1 to Nmax + n.
        return np.concatenate([found, self.n_max + np.arange(len(found) + 1, self.n + 1)])

    @property
    def recall(self) -> float:
        """Recall at Nmax."""
        return recall(self.ranks, self.n, self.n_max)

    @property
    def pres(self) -> float:
        """PRES at Nmax."""
        return pres(self.ranks, self.n, self.n_max)

    @property
    def rank_sum(self) -> int:
        """Σr, the sum of the ranks of all relevant documents, as counted."""
        return sum(self._counted().tolist())

    @property
    def bounds(self) -> tuple[float, float]:
        """The lowest and the highest PRES at this recall: nR²/Nmax and R."""
        return self.n * self.recall**2 / self.n_max, self.recall

    def curves(self) -> Curves:
        """Return the number of relevant documents found up to each rank."""
        counted, places = self._counted(), np.arange(self.n + 1)
        rank = np.unique(np.concatenate([places, counted, self.n_max + places[1:]]))
        return Curves(
            rank,
            best=np.minimum(rank, self.n),
            this=np.searchsorted(counted, rank, side="right"),
            worst=np.maximum(rank - self.n_max, 0),
        )

    def _repr_html_(self) -> str:
        """Return the sentences, the relevant documents and the picture for a notebook."""
        from pres_plugin.study.html.notebook import in_notebook
        from pres_plugin.study.reports.explain import parts_of_one

        return in_notebook(self.sentences(), parts_of_one(self))

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the curves of the best case, this ranking and the worst case.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            The axes to draw into, in your style. By default, pyplot makes a new figure.

        Returns
        -------
        matplotlib.axes.Axes
        """
        from pres_plugin.study.pictures.explain import plot_areas

        return plot_areas(self, ax)

    def caption(self) -> str:
        """Describe the numbers behind the picture in a few sentences."""
        low, high = self.bounds
        ranks = ", ".join(map(str, self.ranks[:20])) + ", …" * (len(self.ranks) > 20)
        found = f"{len(self.ranks)} of them found" if self.ranks else "none of them found"
        within = f"{found} within Nmax = {self.n_max}"
        if self.ranks:
            within += f", at {'rank' if len(self.ranks) == 1 else 'ranks'} {ranks}"
        documents = "document" if self.n == 1 else "documents"
        return (
            f"{self.run}, topic {self.query_id}: n = {self.n} relevant {documents}, "
            f"{within}: R = {self.recall:.4f}. With missed documents ranked after Nmax, "
            f"Σr = {self.rank_sum} and PRES = {self.pres:.4f}, between nR²/Nmax = {low:.4f} "
            f"and R = {high:.4f}."
        )

    def sentences(self) -> list[str]:
        """Describe in three to six sentences what PRES is made of, and what lowers it most."""
        return explanation_sentences([self])

    def summary(self) -> dict[str, Any]:
        """Return the numbers of the caption, by name."""
        low, high = self.bounds
        return {
            "run": self.run,
            "query_id": self.query_id,
            "n": self.n,
            "n_max": self.n_max,
            "found": len(self.ranks),
            "recall": self.recall,
            "rank_sum": self.rank_sum,
            "pres": self.pres,
            "lowest": low,
            "highest": high,
        }


class Explanations(list[Explanation]):
    """The explanations of several runs on the same topic: a list that notebooks can show."""

    def sentences(self) -> list[str]:
        """Describe in three to six sentences what PRES is made of, and what lowers it most."""
        return explanation_sentences(self)

    def _repr_html_(self) -> str:
        """Return the sentences, the scores and the picture for a notebook."""
        from pres_plugin.study.html.notebook import in_notebook
        from pres_plugin.study.reports.explain import parts

        return in_notebook(self.sentences(), parts(self))


def explain(qrels: Qrels, runs: Runs, query_id: str, n_max: int, *, rel: int = 1) -> Explanations:
    """Explain the PRES of each run on a topic.

    Parameters
    ----------
    qrels : Qrels
        The judgements; see :func:`pres_plugin.study.scoring.score`.
    runs : Runs
        The runs by name; see :func:`pres_plugin.study.scoring.score`.
    query_id : str
        The id of the topic.
    n_max : int
        Nmax, the number of results that the user is willing to check.
    rel : int, default 1
        The lowest relevance that counts as relevant.

    Returns
    -------
    Explanations
        A list with one :class:`Explanation` per run. A run without the topic misses all
        relevant documents.

    Raises
    ------
    StudyError
        If the topic is not in the qrels or has no relevant documents, if `n_max` or
        `rel` is not a positive whole number, or if the judgements or a run are invalid.

    Examples
    --------
    >>> from pres_plugin.study.explain import explain
    >>> qrels = {"q": {"a": 1, "b": 1, "c": 0}}
    >>> (found,) = explain(qrels, {"mine": {"q": {"c": 3.0, "a": 2.0}}}, "q", n_max=10)
    >>> found.pres, found.curves().a1, found.curves().a2
    (0.45, 11, 9)
    >>> found.documents[["doc_id", "rank", "counted_rank", "cost"]].values.tolist()
    [['a', 2, 2, 0.05], ['b', None, 12, 0.5]]
    """
    n_max = checked_n_max("n_max", n_max)
    rel = whole("rel", rel, 1, LARGEST_LEVEL)
    qrels = checked_qrels(qrels)
    if not isinstance(query_id, str):
        raise StudyError(f"query_id must be the id of a topic, a string, got {query_id!r:.60}")
    if query_id not in qrels:
        raise StudyError(f"topic {query_id!r} is not in the qrels, which contain {some(qrels)}")
    doc_ids = Judgements({query_id: qrels[query_id]}).at_least(rel)[query_id]
    if not doc_ids:
        documents = "relevant documents" if rel == 1 else f"documents of relevance {rel} or higher"
        raise StudyError(f"topic {query_id!r} has no {documents}, so it has no PRES")
    relevant = RelevantDocuments({query_id: dict.fromkeys(doc_ids, 1)})
    return Explanations(
        Explanation(name, query_id, n_max, doc_ids, relevant.rank(name, run).ranks)
        for name, run in named_runs(runs, qrels, check=True)
    )


def _why(rank: int, counted: int, ideal: int, n_max: int, cost: float) -> str:
    if rank == 0:
        return f"not retrieved, counts as rank {counted} and costs {cost:.4f}"
    if rank > n_max:
        return (
            f"at rank {rank}, beyond Nmax = {n_max}, counts as rank {counted} and costs {cost:.4f}"
        )
    if rank == ideal:
        return f"at rank {rank}, as early as possible, costs nothing"
    return f"at rank {rank} instead of {ideal}, costs {cost:.4f}"
