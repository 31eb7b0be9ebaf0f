"""Find what each relevant document of a topic costs, and the areas that PRES compares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pres_plugin.kernel.topics import Ints
from pres_plugin.measures.declared import PRES, pres, recall
from pres_plugin.messages import InputError, check_known
from pres_plugin.output.tables import Table
from pres_plugin.output.words import count as count_of
from pres_plugin.study.arguments import LARGEST_LEVEL, whole
from pres_plugin.study.result import Result, plot
from pres_plugin.study.runs import AnyQrels, AnyRuns, judged, ranked_runs

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


#: The number of runs that a picture shows.
PANELS = 24


class Curves(NamedTuple):
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
    a1, a2 : int
        The area between the best case and this ranking, and the area between this ranking and
        the worst case, in documents × ranks. PRES = A2 / (A1 + A2).
    """

    rank: Ints
    best: Ints
    this: Ints
    worst: Ints
    a1: int
    a2: int


@dataclass(frozen=True, eq=False)
class Explanation(Result):
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
    rel : int, default 1
        The lowest relevance that counts as relevant.
    n_retrieved : int, optional
        The number of documents that the run retrieved for the topic, relevant or not.
    """

    run: str
    query_id: str
    n_max: int
    doc_ids: Sequence[str]
    retrieved_at: Ints
    rel: int = 1
    n_retrieved: int | None = None

    @property
    def measure(self) -> str:
        """The measure that is explained, such as ``PRES@1000`` or ``PRES(rel=2)@1000``."""
        return str(PRES(cutoff=self.n_max, rel=self.rel))

    @property
    def n(self) -> int:
        """The number of relevant documents."""
        return len(self.doc_ids)

    @property
    def ranks(self) -> tuple[int, ...]:
        """The ranks of the relevant documents found within Nmax, ascending."""
        return tuple(sorted(at for at in self.retrieved_at.tolist() if 0 < at <= self.n_max))

    @property
    def counted(self) -> tuple[int, ...]:
        """The ranks used for PRES, ascending; those of missed documents are more than Nmax."""
        found, n_max = self.ranks, self.n_max
        # The i-th document is assigned the rank Nmax + i if it is missed.
        return *found, *range(n_max + len(found) + 1, n_max + self.n + 1)

    @property
    def documents(self) -> pd.DataFrame:
        """One row per relevant document, in order of rank; computed anew each time.

        The columns are `doc_id`, `rank` (None if not retrieved), `counted_rank` (the rank
        used for PRES; more than Nmax if missed), `ideal_rank`, `cost` (how much the document
        reduces PRES; PRES is 1 minus all costs) and `why` (the cost in words).
        """
        return self.costs().pandas()

    def costs(self) -> Table:
        """Return :attr:`documents` for reports and pictures."""
        at, n_max, rows = self.retrieved_at.tolist(), self.n_max, []
        missing = "not retrieved"
        if self.n_retrieved is not None and self.n_retrieved < n_max:
            missing = f"not among the {count_of(self.n_retrieved, 'document')} retrieved"
        # Order by rank, with documents that were not retrieved at the end.
        by_rank = sorted(zip(at, self.doc_ids, strict=True), key=lambda row: (row[0] == 0, row))
        for ideal, counted in enumerate(self.counted, start=1):
            rank, doc_id = by_rank[ideal - 1]
            cost = (counted - ideal) / (self.n * n_max)
            if not 0 < rank <= n_max:
                where = f"at rank {rank}, beyond Nmax = {n_max}" if rank else missing
                why = f"{where}, counts as rank {counted} and costs {cost:.4f}"
            elif rank == ideal:
                why = f"at rank {rank}, as early as possible, costs nothing"
            else:
                why = f"at rank {rank} instead of {ideal}, costs {cost:.4f}"
            rows.append((doc_id, rank or None, counted, ideal, cost, why))
        names = ("doc_id", "rank", "counted_rank", "ideal_rank", "cost", "why")
        return Table(
            dict(zip(names, zip(*rows, strict=True), strict=True)),
            {
                "doc_id": "document",
                "counted_rank": "counted as rank",
                "ideal_rank": "ideal rank",
            },
        )

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
        return sum(self.counted)

    @property
    def bounds(self) -> tuple[float, float]:
        """The lowest and the highest PRES at this recall: nR²/Nmax and R."""
        return self.n * self.recall**2 / self.n_max, self.recall

    def curves(self) -> Curves:
        """Return the number of relevant documents found up to each rank, and the areas."""
        n, n_max, counted = self.n, self.n_max, self.counted
        ideal = np.arange(1, n + 1)
        rank = np.unique(np.concatenate([[0], ideal, counted, n_max + ideal]))
        this = np.searchsorted(counted, rank, side="right")
        worst = np.maximum(rank - n_max, 0)
        a1 = self.rank_sum - int(ideal.sum())
        return Curves(rank, np.minimum(rank, n), this, worst, a1, n * n_max - a1)

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
        return plot(self, ax)


class Explanations(list[Explanation], Result):
    """The explanations of several runs on the same topic: a list that notebooks can show.

    .. versionadded:: 0.2.0

    Attributes
    ----------
    chosen_from : int
        The number of topics from which this one was chosen, because its scores tell most; 1 if
        there was no choice, or the user made it.
    """

    chosen_from: int = 1

    def scores(self) -> Table:
        """Return the numbers behind the pictures: one row per run."""

        def of(name: str) -> list[Any]:
            return [getattr(each, name) for each in self]

        low, high = np.array(of("bounds")).T
        return Table(
            {
                "run": of("run"),
                "query_id": of("query_id"),
                "n": of("n"),
                "n_max": of("n_max"),
                "found": list(map(len, of("ranks"))),
                "recall": high,
                "rank_sum": of("rank_sum"),
                "pres": of("pres"),
                "lowest": low,
                "highest": high,
            },
            {
                "query_id": "topic",
                "n_max": "Nmax",
                "rank_sum": "sum of ranks",
                "pres": self[0].measure,
                "lowest": "lowest possible",
                "highest": "highest possible",
            },
        )


def explain(
    qrels: AnyQrels,
    runs: AnyRuns,
    query_id: str | None = None,
    n_max: int = 100,
    *,
    rel: int = 1,
) -> Explanations:
    """Explain the PRES of each run on a topic.

    Parameters
    ----------
    qrels : Qrels
        The judgements; see :func:`pres_plugin.study.scoring.score`.
    runs : AnyRuns
        The runs by name; see :func:`pres_plugin.study.scoring.score`.
    query_id : str, optional
        The id of the topic. By default, it is the topic on which the PRES of two runs differs
        most. With more runs, it is the topic with the largest difference between the highest and
        the lowest PRES; with one run, the topic with its lowest PRES. If topics tie, it is the
        first of them in the judgements.
    n_max : int, default 100
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
    InputError
        If the topic is not in the qrels or no topic has relevant documents, if `n_max` or
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
    n_max = whole("n_max", n_max)
    rel = whole("rel", rel, 1, LARGEST_LEVEL)
    judgements = judged(qrels)
    if query_id is not None:
        check_known("topic", query_id, judgements.topics, "judged topics")
    topics, is_relevant = judgements.topics, judgements.relevance >= rel
    choice = [
        t for t in np.unique(judgements.topic_of[is_relevant]) if query_id in (None, topics[t])
    ]
    if not choice:
        which = "the judgements have" if query_id is None else f"topic {query_id!r} has"
        raise InputError(f"{which} no documents of relevance {rel} or higher, so there is no PRES")
    ranked = [*ranked_runs(judgements, runs)]
    measure = PRES(cutoff=n_max, rel=rel)
    scores = np.concatenate([judgements.scores(run, [measure]) for run in ranked])
    telling = np.ptp(scores, axis=0) if len(ranked) > 1 else -scores[0]
    chosen = choice[telling[choice].round(12).argmax()]
    kept = is_relevant & (judgements.topic_of == chosen)
    doc_ids = judgements.column.filter(kept).to_list()
    found = Explanations(
        Explanation(
            run.name,
            topics[chosen],
            n_max,
            doc_ids,
            run.ranks[kept],
            rel,
            int(run.retrieved[chosen]),
        )
        for run in ranked
    )
    found.chosen_from = len(choice)
    return found
