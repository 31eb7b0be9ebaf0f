"""Test whether measures order runs the same way when few relevant documents are known."""

from __future__ import annotations

import math
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from typing import Any

import ir_measures
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pres_plugin.adapters.ir_measures.any_measure import from_ranks
from pres_plugin.measures import Measure
from pres_plugin.study.inputs import (
    Qrels,
    Runs,
    StudyError,
    items,
    judgements,
    named_runs,
    problems_of,
    real,
    whole,
)
from pres_plugin.study.inputs import (
    measures as checked_measures,
)
from pres_plugin.study.orderings import kendall_tau
from pres_plugin.study.ranks import RankedRun, RelevantDocuments

__all__ = ["Robustness", "robustness", "sample"]

Progress = Callable[[Iterable[Any], int], Iterable[Any]]


@dataclass(frozen=True, eq=False)
class Robustness:
    """The result of :func:`robustness`.

    Attributes
    ----------
    runs, measures : tuple of str
        Their names.
    fractions : tuple of float
        The fractions, ascending.
    n_topics : int
        The number of topics that the scores are averaged over.
    means : ndarray of float64, shape (R, M)
        The mean scores with all judgements.
    taus : DataFrame
        One row per fraction, sample and measure, with the `kendall_tau` between the
        orders of the runs with that sample and with all judgements.
    """

    runs: tuple[str, ...]
    measures: tuple[str, ...]
    fractions: tuple[float, ...]
    n_topics: int
    means: NDArray[np.float64]
    taus: pd.DataFrame

    def table(self) -> pd.DataFrame:
        """Return a table as in the papers, with Kendall's τ for each sample and on average.

        There is one row per fraction and sample, one for the average of each fraction and
        one for the average of all; and one column per measure.
        """
        rows = []
        for fraction in self.fractions:
            of_fraction = self.taus[self.taus["fraction"] == fraction]
            for number, of_sample in of_fraction.groupby("sample"):
                values = of_sample.set_index("measure")["kendall_tau"]
                rows.append((f"{fraction:g}", str(number), *values.reindex(self.measures)))
            rows.append((f"{fraction:g}", "average", *self._by_measure(of_fraction, "mean")))
        rows.append(("all", "average", *self._by_measure(self.taus, "mean")))
        return pd.DataFrame(rows, columns=["fraction", "sample", *self.measures])

    def lowest(self) -> pd.DataFrame:
        """Return the lowest τ: one row per fraction, one column per measure."""
        rows = [
            self._by_measure(self.taus[self.taus["fraction"] == fraction], "min")
            for fraction in self.fractions
        ]
        return pd.DataFrame(
            rows, index=pd.Index(self.fractions, name="fraction"), columns=list(self.measures)
        )

    def _by_measure(self, taus: pd.DataFrame, how: str) -> list[float]:
        values = taus.groupby("measure")["kendall_tau"].agg(how)
        return [float(values[measure]) for measure in self.measures]


def sample(relevant: RelevantDocuments, fraction: float, seed: Sequence[int]) -> NDArray[np.bool_]:
    """Choose, at random, which relevant documents of each topic stay known.

    The choice depends only on the seed and on the ids of the topic and its documents. It
    does not depend on their order or on other topics.

    Parameters
    ----------
    relevant : RelevantDocuments
        All relevant documents.
    fraction : float
        The fraction of each topic's documents to keep. Their number is rounded half up,
        and at least one is kept.
    seed : sequence of int
        Non-negative whole numbers.

    Returns
    -------
    ndarray of bool, shape (D,)
        Whether each document is kept.

    Examples
    --------
    >>> from pres_plugin.study.ranks import RelevantDocuments
    >>> from pres_plugin.study.robustness import sample
    >>> relevant = RelevantDocuments({"q": dict.fromkeys("abcde", 1), "r": {"a": 1}})
    >>> int(sample(relevant, 0.4, seed=[0]).sum())
    3
    """
    keep = np.zeros(len(relevant.relevance), dtype=np.bool_)
    for topic, start in zip(relevant.topics, relevant.starts.tolist(), strict=False):
        doc_ids = relevant.doc_ids[topic]
        if doc_ids:
            generator = np.random.default_rng([*seed, zlib.crc32(topic.encode())])
            by_id = np.array(sorted(range(len(doc_ids)), key=doc_ids.__getitem__))
            in_random_order = by_id[np.argsort(generator.random(len(doc_ids)), kind="stable")]
            size = max(1, math.floor(fraction * len(doc_ids) + 0.5))
            keep[start + in_random_order[:size]] = True
    return keep


def robustness(
    qrels: Qrels,
    runs: Runs,
    measures: Any,
    fractions: Iterable[float] = (0.2, 0.4, 0.6, 0.8),
    *,
    samples: int = 3,
    seed: int = 0,
    processes: int | None = 1,
    progress: Progress = lambda items, length: items,
) -> Robustness:
    """Compare the order of runs by samples of the relevant documents with that by all [1]_.

    Relevant documents that a sample leaves out become unjudged. The ranks of the others
    do not change, so each run is ranked once.

    Parameters
    ----------
    qrels : dict of str to dict of str to int
        The relevance of each judged document, by topic.
    runs : dict of str to run, or iterable of (str, run)
        The runs, by name; each contains the score of each document, by topic.
    measures : iterable of str or ir_measures.Measure
        Anything ir-measures can parse. PRES, PRES_est, Rnorm with N, AP and R follow from
        ranks that are found once. For other measures, each run is scored once per sample.
    fractions : iterable of float
        The fractions of each topic's relevant documents to keep: above 0, at most 1.
    samples : int, default 3
        The number of samples per fraction.
    seed : int, default 0
        The same seed gives the same samples on any machine.
    processes : int or None, default 1
        The number of processes that score samples; None for one per processor, if there
        is enough work. A script that asks for more than one must keep its main part under
        ``if __name__ == "__main__":``.
    progress : callable, optional
        Takes the samples as they are scored, and their number; returns the samples. Use
        it for a progress bar.

    Returns
    -------
    Robustness

    Raises
    ------
    StudyError
        If a measure, the judgements or a run cannot be scored, or an argument is out
        of range.

    References
    ----------
    .. [1] W. Magdy and G. J. F. Jones. Examining the robustness of evaluation
       metrics for patent retrieval with incomplete relevance judgements. CLEF
       2010, 82-93.

    Examples
    --------
    >>> from pres_plugin.study.robustness import robustness
    >>> qrels = {"q": dict.fromkeys("abcd", 1)}
    >>> good = {"q": {"a": 9.0, "b": 8.0, "c": 7.0, "d": 6.0}}
    >>> bad = {"q": {"x": 5.0, "y": 4.0}}
    >>> found = robustness(qrels, {"good": good, "bad": bad}, ["PRES@10"], [0.5], samples=2)
    >>> found.lowest().to_dict("index")
    {0.5: {'PRES@10': 1.0}}
    """
    asked = checked_measures(measures)
    parts = _checked_fractions(fractions)
    samples, seed = whole("samples", samples, 1), whole("seed", seed, 0)
    if processes is not None:
        processes = whole("processes", processes, 1)
    qrels = judgements(qrels)
    relevant = RelevantDocuments(qrels)
    keys = [(fraction, number) for fraction in parts for number in range(1, samples + 1)]
    by_ranks = {measure: ours for measure in asked if (ours := from_ranks(measure)) is not None}
    own = list(by_ranks.values())
    others = None
    if rest := [measure for measure in asked if measure not in by_ranks]:
        kept = [_keep(relevant, seed, key) for key in keys]
        others = _ByIrMeasures(qrels, relevant, rest, kept)
    ranked = []
    for name, run in named_runs(runs, qrels):
        ranked.append(relevant.rank(name, run))
        if others is not None:
            others.add(name, run)
    means = _means(relevant, ranked, own, None)
    if processes is None:
        work = len(keys) * len(ranked) * len(relevant.relevance)
        processes = (os.cpu_count() or 1) if work > _WORTH_PROCESSES else 1
    score = partial(_sampled, relevant, ranked, own, seed)
    of_samples = list(progress(_map(score, keys, processes), len(keys)))
    if others is not None:
        means, *of_samples = (
            _side_by_side(asked, {tuple(by_ranks): by_us, tuple(rest): by_them})
            for by_us, by_them in zip([means, *of_samples], others.means(), strict=True)
        )
    taus = [
        (fraction, number, str(measure), kendall_tau(of_sample[:, m], means[:, m]))
        for (fraction, number), of_sample in zip(keys, of_samples, strict=True)
        for m, measure in enumerate(asked)
    ]
    return Robustness(
        tuple(run.name for run in ranked),
        tuple(map(str, asked)),
        parts,
        len(relevant.topics),
        means,
        pd.DataFrame(taus, columns=["fraction", "sample", "measure", "kendall_tau"]),
    )


#: From this many ranks in all samples on, scoring takes longer than starting processes.
_WORTH_PROCESSES = 20_000_000

Key = tuple[float, int]
Means = NDArray[np.float64]
Keep = NDArray[np.bool_]


def _map(score: Callable[[Key], Means], keys: list[Key], processes: int) -> Iterator[Means]:
    if processes <= 1:
        yield from map(score, keys)
        return
    # Spawned, because numpy's threads do not survive a fork.
    with ProcessPoolExecutor(min(processes, len(keys)), get_context("spawn")) as pool:
        yield from pool.map(score, keys, chunksize=math.ceil(len(keys) / processes))


def _sampled(
    relevant: RelevantDocuments,
    ranked: Sequence[RankedRun],
    measures: Sequence[Measure],
    seed: int,
    key: Key,
) -> Means:
    return _means(relevant, ranked, measures, _keep(relevant, seed, key))


def _keep(relevant: RelevantDocuments, seed: int, key: Key) -> Keep:
    fraction, number = key
    # Seeds must be whole numbers. Fractions that agree to six decimals share a seed.
    return sample(relevant, fraction, [seed, number, round(fraction * 1_000_000)])


def _means(
    relevant: RelevantDocuments,
    ranked: Sequence[RankedRun],
    measures: Sequence[Measure],
    keep: NDArray[np.bool_] | None,
) -> Means:
    means = np.zeros((len(ranked), len(measures)))
    for r, run in enumerate(ranked):
        by_rel = {rel: relevant.ranked(run, rel, keep) for rel in {m.rel for m in measures}}
        with problems_of(run.name):
            for m, measure in enumerate(measures):
                means[r, m] = by_rel[measure.rel].score(measure).mean()
    return means


class _ByIrMeasures:
    """Means by measures that need more than ranks; each run is scored with each sample."""

    def __init__(
        self, qrels: Qrels, relevant: RelevantDocuments, measures: list[Any], samples: list[Keep]
    ) -> None:
        self.measures = measures
        all_judgements = [qrels, *(_without(qrels, relevant, keep) for keep in samples)]
        with problems_of():
            self._evaluators = [ir_measures.evaluator(measures, of) for of in all_judgements]
        self._of_runs: list[list[list[float]]] = []

    def add(self, name: str, run: Any) -> None:
        with problems_of(name):
            results = [evaluator.calc_aggregate(run) for evaluator in self._evaluators]
        self._of_runs.append([[result[m] for m in self.measures] for result in results])

    def means(self) -> Iterable[Means]:
        """Return the means with all judgements, then those with each sample."""
        return np.array(self._of_runs, dtype=np.float64).swapaxes(0, 1)


def _without(qrels: Qrels, relevant: RelevantDocuments, keep: Keep) -> Qrels:
    """Return the judgements without the relevant documents that a sample leaves out."""
    flags = iter(keep.tolist())
    left_out = {
        topic: {doc_id for doc_id in doc_ids if not next(flags)}
        for topic, doc_ids in relevant.doc_ids.items()
    }
    return {
        topic: {doc_id: rel for doc_id, rel in docs.items() if doc_id not in left_out[topic]}
        for topic, docs in qrels.items()
    }


def _side_by_side(asked: list[Any], means: dict[tuple[Any, ...], Means]) -> Means:
    """Join the means of several groups of measures, in the order of the requested measures."""
    columns = {
        measure: of_group[:, i]
        for group, of_group in means.items()
        for i, measure in enumerate(group)
    }
    return np.column_stack([columns[measure] for measure in asked])


def _checked_fractions(fractions: Iterable[float]) -> tuple[float, ...]:
    parts = {
        real("a fraction", part, above=0, below=1, inclusive=True)
        for part in items("fractions", fractions)
    }
    if not parts:
        raise StudyError("no fraction is given")
    return tuple(sorted(parts))
