"""Explain the PRES of a run on one topic, document by document."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

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

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Curves:
    """The number of relevant documents found up to each rank.

    Attributes
    ----------
    rank : ndarray of int64
        0 … Nmax + n.
    best, this, worst : ndarray of int64
        The number of relevant documents up to each rank: if they come first, in this
        ranking, and if they all come right after Nmax. In this ranking, missed documents
        are assigned the worst possible ranks.
    """

    rank: Ints
    best: Ints
    this: Ints
    worst: Ints

    @property
    def a1(self) -> int:
        """The area between the best case and this ranking, in documents × ranks."""
        return int((self.best - self.this).sum())

    @property
    def a2(self) -> int:
        """The area between this ranking and the worst case; PRES = A2 / (A1 + A2)."""
        return int((self.this - self.worst).sum())


@dataclass(frozen=True, eq=False)
class Explanation:
    """The PRES of one run on one topic, with its parts.

    Attributes
    ----------
    run, query_id : str
        The name of the run, and the id of the topic.
    n, n_max : int
        The number of relevant documents, and Nmax.
    ranks : tuple of int
        The ranks of the relevant documents found within Nmax, ascending.
    documents : DataFrame
        One row per relevant document, in order of rank: `doc_id`, `rank` (None if not
        retrieved), `counted_rank` (the rank used for PRES; more than Nmax if missed),
        `ideal_rank`, `cost` (how much the document reduces PRES; PRES is 1 minus all
        costs) and `why` (the cost in words).
    """

    run: str
    query_id: str
    n: int
    n_max: int
    ranks: tuple[int, ...]
    documents: pd.DataFrame

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
        return int(self.documents["counted_rank"].sum())

    @property
    def bounds(self) -> tuple[float, float]:
        """The lowest and the highest PRES at this recall: nR²/Nmax and R."""
        return self.n * self.recall**2 / self.n_max, self.recall

    def curves(self) -> Curves:
        """Return the numbers of relevant documents found, up to each rank."""
        rank = np.arange(self.n_max + self.n + 1)
        counted = np.sort(self.documents["counted_rank"].to_numpy(dtype=np.int64))
        return Curves(
            rank,
            best=np.minimum(rank, self.n),
            this=np.searchsorted(counted, rank, side="right"),
            worst=np.maximum(rank - self.n_max, 0),
        )

    def caption(self) -> str:
        """Describe the numbers behind the picture in a few sentences."""
        low, high = self.bounds
        ranks = ", ".join(map(str, self.ranks[:20])) + ", …" * (len(self.ranks) > 20)
        where = f"at ranks {ranks}" if self.ranks else "nowhere"
        return (
            f"{self.run}, topic {self.query_id}: n = {self.n} relevant documents, "
            f"Nmax = {self.n_max}, {len(self.ranks)} of them found, {where}: "
            f"R = {self.recall:.4f}. With missed documents ranked after Nmax, Σr = {self.rank_sum} "
            f"and PRES = {self.pres:.4f}, between nR²/Nmax = {low:.4f} and R = {high:.4f}."
        )

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


def explain(
    qrels: Qrels, runs: Runs, query_id: str, n_max: int, *, rel: int = 1
) -> list[Explanation]:
    """Explain the PRES of each run on a topic.

    Parameters
    ----------
    qrels, runs : Qrels, Runs
        The judgements, and the runs by name; see :func:`pres_plugin.study.scoring.score`.
    query_id : str
        The id of the topic.
    n_max : int
        Nmax, the number of results that the user is willing to check.
    rel : int, default 1
        The lowest relevance that counts as relevant.

    Returns
    -------
    list of Explanation
        One per run. A run without the topic misses all relevant documents.

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
        raise StudyError(f"topic {query_id!r} has no relevant documents, so it has no PRES")
    relevant = RelevantDocuments({query_id: dict.fromkeys(doc_ids, 1)})
    return [
        _explanation(name, query_id, n_max, doc_ids, relevant.rank(name, run).ranks.tolist())
        for name, run in named_runs(runs, qrels, check=True)
    ]


def _explanation(
    run: str, query_id: str, n_max: int, doc_ids: list[str], ranks: list[int]
) -> Explanation:
    n = len(doc_ids)
    # Order by rank, with documents that were not retrieved at the end.
    order = sorted(range(n), key=lambda i: (ranks[i] or math.inf, doc_ids[i]))
    found = tuple(ranks[i] for i in order if 0 < ranks[i] <= n_max)
    rows = []
    for place, i in enumerate(order, start=1):
        # The m missed documents are assigned the ranks Nmax + n - m + 1 to Nmax + n.
        counted = ranks[i] if place <= len(found) else n_max + place
        cost = (counted - place) / (n * n_max)
        why = _why(ranks[i], counted, place, n_max, cost)
        rows.append((doc_ids[i], ranks[i] or None, counted, place, cost, why))
    columns = ["doc_id", "rank", "counted_rank", "ideal_rank", "cost", "why"]
    documents = pd.DataFrame(rows, columns=columns)
    documents["rank"] = pd.Series([row[1] for row in rows], dtype=object)  # keep None, not NaN
    return Explanation(run, query_id, n, n_max, found, documents)


def _why(rank: int, counted: int, ideal: int, n_max: int, cost: float) -> str:
    if rank == 0:
        return f"not retrieved, counts as rank {counted} and costs {cost:.4f}"
    if rank > n_max:
        return (
            f"at rank {rank}, beyond Nmax = {n_max}, counts as rank {counted} and costs {cost:.4f}"
        )
    if rank == ideal:
        return f"at rank {rank}, as early as possible, costs nothing"
    return f"at rank {rank}, {rank - ideal} later than possible, costs {cost:.4f}"
