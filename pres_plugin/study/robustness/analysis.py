"""Score runs with samples of the judgements, and compare the orders of the runs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import compress, product
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from pres_plugin.kernel.topics import Floats
from pres_plugin.measures import Measure
from pres_plugin.measures.parsing import ours_and_others
from pres_plugin.messages import problems_of
from pres_plugin.output.tables import Table, as_measure, as_percent
from pres_plugin.ranking.judgements import Judgements, Keep, Qrels
from pres_plugin.ranking.scores import RunRanks, mean
from pres_plugin.scoring import check_directed, evaluators
from pres_plugin.study.arguments import (
    LARGEST_SEED,
    MOST_SAMPLES,
    ascending,
    checked_measures,
    positive,
    whole,
)
from pres_plugin.study.result import Result, plot
from pres_plugin.study.runs import AnyQrels, AnyRuns, judged, ranked_runs
from pres_plugin.study.statistics.orderings import kendall_tau

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

#: About the number of ranks to score together; this limits the number of samples in a block.
_AT_ONCE = 200_000


@dataclass(frozen=True, eq=False)
class Robustness(Result):
    """The result of :func:`robustness`.

    Attributes
    ----------
    runs, measures : tuple of str
        The names of the runs and measures.
    fractions : tuple of float
        The fractions, ascending.
    n_topics : int
        The number of topics over which the scores are averaged.
    means : ndarray of float64, shape (R, M)
        The mean scores with all judgements.
    kendall_tau : ndarray of float64, shape (F, S, M)
        For each fraction, sample and measure: Kendall's τ between the order of the runs given
        the sample and their order given all judgements.
    seed : int
        The seed of the samples.
    """

    runs: tuple[str, ...]
    measures: tuple[str, ...]
    fractions: tuple[float, ...]
    n_topics: int
    means: Floats
    kendall_tau: Floats
    seed: int = 0

    @property
    def n_samples(self) -> int:
        """The number of samples per fraction."""
        return int(self.kendall_tau.shape[1])

    @cached_property
    def tables(self) -> dict[str, Table]:
        """The tables below, without pandas, by the name of their file: τ, and τ per fraction.

        `by-sample` is τ once more, with one column per measure.
        """
        keys = product(self.fractions, range(1, self.n_samples + 1), self.measures)
        taus = pl.DataFrame(list(keys), ["fraction", "sample", "measure"], orient="row")
        taus = taus.with_columns(kendall_tau=self.kendall_tau.ravel())
        tau = pl.col("kendall_tau").fill_nan(None)
        by_fraction = taus.group_by("fraction", "measure", maintain_order=True)
        ranges = by_fraction.agg(lowest_tau=tau.min(), mean_tau=tau.mean(), highest_tau=tau.max())
        table = Table(
            taus.to_dict(),
            {
                "fraction": "relevant documents kept",
                "kendall_tau": "Kendall's τ",
                "lowest_tau": "lowest τ",
                "mean_tau": "mean τ",
                "highest_tau": "highest τ",
            },
            measures=self.measures,
            fraction=as_percent,
            measure=as_measure(self.measures),
        )
        by_sample = table.frame.pivot("measure", index=["fraction", "sample"], values="kendall_tau")
        return {
            "tau": table,
            "by-sample": table.with_frame(by_sample),
            "tau-by-fraction": table.with_frame(ranges.fill_null(math.nan)),
        }

    @property
    def taus(self) -> pd.DataFrame:
        """One row per `fraction`, `sample` and `measure`, with its `kendall_tau`."""
        return self.tables["tau"].pandas()

    def by_sample(self) -> pd.DataFrame:
        """Return τ for each sample: one row per fraction and sample, one column per measure."""
        return self.tables["by-sample"].pandas()

    def by_fraction(self) -> pd.DataFrame:
        """Return the range and the mean of τ over the samples: one row per fraction and measure.

        The columns are `fraction`, `measure`, `lowest_tau`, `mean_tau` and `highest_tau`.
        """
        return self.tables["tau-by-fraction"].pandas()

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the lowest τ per fraction and measure as lines, and each sample as a faint dot.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            The axes to draw into, in your style. By default, pyplot makes a new figure.

        Returns
        -------
        matplotlib.axes.Axes
        """
        return plot(self, ax)


def robustness(
    qrels: AnyQrels,
    runs: AnyRuns,
    measures: Any,
    fractions: Iterable[float] = (0.2, 0.4, 0.6, 0.8),
    *,
    samples: int = 100,
    seed: int = 0,
) -> Robustness:
    """Test whether runs keep their order if fewer relevant documents are known [1]_.

    Kendall's τ compares the order of the runs given a random sample of the relevant
    documents with their order given all of them. Relevant documents outside the sample
    become unjudged. Ranks do not change, so each run is ranked once.

    Parameters
    ----------
    qrels : Qrels
        The judgements; see :func:`pres_plugin.study.scoring.score`.
    runs : AnyRuns
        The runs by name; see :func:`pres_plugin.study.scoring.score`.
    measures : iterable of str or ir_measures.Measure
        Anything ir-measures can parse. PRES, PRES_est, AP, R, and Rnorm, WSS and
        TNR with N are computed from ranks, which is fast. For other measures, each run is
        scored once per sample.
    fractions : iterable of float
        The fractions of each topic's relevant documents to keep: above 0, at most 1.
    samples : int, default 100
        The number of samples per fraction; at most 10,000 in total.
    seed : int, default 0
        The same seed gives the same samples on any machine. It may have up to 128 bits.

    Returns
    -------
    Robustness

    Raises
    ------
    InputError
        If a measure, the judgements or a run cannot be scored, if neither higher nor lower
        values of a measure are better, as for LastRel, or if an argument is out of range.

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
    >>> found.by_fraction()[["fraction", "measure", "lowest_tau"]].to_dict("records")
    [{'fraction': 0.5, 'measure': 'PRES@10', 'lowest_tau': 1.0}]
    """
    asked = checked_measures(measures)
    check_directed(asked)
    fractions = ascending("fraction", fractions, partial(positive, inclusive=True), MOST_SAMPLES)
    samples = whole("samples", samples, 1, MOST_SAMPLES // len(fractions))
    seed = whole("seed", seed, 0, LARGEST_SEED)
    judgements = judged(qrels, asked)
    # A seed consists of whole numbers, so fractions that agree to six decimals share one.
    drawn = [
        sample(
            judgements, kept, [(seed, i, round(kept * 1_000_000)) for i in range(1, samples + 1)]
        )
        for kept in fractions
    ]
    # The first row keeps all judgements.
    keep = np.vstack([np.ones_like(judgements.relevance, dtype=bool), *drawn])
    ours, others = ours_and_others(asked)
    evaluator = evaluators(judgements, partial(_known, judgements, keep))
    blocks = np.array_split(keep, min(len(keep), 1 + keep.size // _AT_ONCE))
    names, values = [], []
    for run in ranked_runs(judgements, runs):
        with problems_of(run.where):
            of_ours = np.hstack([_means(judgements, run, ours, block) for block in blocks])
            means: dict[Any, Any] = dict(zip(ours, of_ours, strict=True))
            if others:
                found = [
                    evaluator(tuple(others), i).calc(run.docs).aggregated for i in range(len(keep))
                ]
                means |= {measure: [each[measure] for each in found] for measure in others}
        names.append(run.name)
        values.append([means[measure] for measure in asked])
    by_sample = np.array(values).T
    taus = [kendall_tau(of_sample, by_sample[0]) for of_sample in by_sample[1:]]
    return Robustness(
        tuple(names),
        tuple(map(str, asked)),
        fractions,
        len(judgements.topics),
        by_sample[0].T,
        np.reshape(taus, (len(fractions), samples, len(asked))),
        seed,
    )


def sample(judgements: Judgements, fraction: float, seeds: Iterable[Sequence[int]]) -> Keep:
    """Choose at random which relevant documents of each topic stay known, once per seed.

    The choice depends only on the seed and on the ids of the topics and their relevant documents,
    not on their order. All choices of as many documents of a topic are equally likely.

    Parameters
    ----------
    judgements : Judgements
        The judgements.
    fraction : float
        The fraction of each topic's relevant documents to keep. Their number is rounded half up,
        and at least one is kept.
    seeds : iterable of sequence of int
        The seed of each of S samples: non-negative whole numbers.

    Returns
    -------
    ndarray of bool, shape (S, D)
        Whether each document is kept. Documents that are not relevant are always kept.

    Examples
    --------
    >>> from pres_plugin.ranking.judgements import Judgements
    >>> from pres_plugin.study.robustness import sample
    >>> judged = Judgements.from_dicts({"q": dict.fromkeys("abcde", 1), "r": {"a": 1}})
    >>> sample(judged, 0.4, seeds=[[0], [1]]).sum(axis=1).tolist()
    [3, 3]
    """
    topics = pl.Series(judgements.topics, dtype=pl.String)[judgements.topic_of]
    documents = pl.DataFrame({"topic": topics, "doc_id": judgements.column}).with_row_index()
    relevant = documents.filter(judgements.relevance >= 1).sort("topic", "doc_id")
    # Each relevant document gets a random number. Per topic, those with the lowest ones stay.
    n_kept = (fraction * pl.len() + 0.5).floor().clip(1)
    stays = (pl.col("number").rank("ordinal") <= n_kept).over("topic")
    keeps = []
    for seed in seeds:
        numbers = np.random.default_rng(seed).random(len(relevant))
        keep = judgements.relevance < 1
        keep[relevant["index"]] = relevant.with_columns(number=numbers).select(stays).to_series()
        keeps.append(keep)
    return np.array(keeps)


def _means(
    judgements: Judgements, run: RunRanks, measures: Sequence[Measure], keep: Keep
) -> Floats:
    """Return the means of a run by M measures, with each of S samples. Shape (M, S)."""
    ranked = cache(partial(judgements.ranked, run, keep=keep))
    scores = [ranked(each.document_choice).score(each) for each in measures]
    return mean(np.reshape(scores, (len(scores), len(keep), len(judgements.topics))), run.order)


def _known(judgements: Judgements, keep: Keep, i: int) -> Qrels:
    """Return the judgements without the relevant documents that a sample leaves out."""
    left_out = compress(zip(judgements.topic_of.tolist(), judgements.doc_ids, strict=True), ~keep[i])
    unknown = {(judgements.topics[topic], doc_id) for topic, doc_id in left_out}
    return {
        topic: {doc_id: rel for doc_id, rel in docs.items() if (topic, doc_id) not in unknown}
        for topic, docs in judgements.qrels.items()
    }
