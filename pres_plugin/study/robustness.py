"""Test whether measures order runs the same way when fewer relevant documents are known."""

from __future__ import annotations

import math
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pres_plugin.adapters.ir_measures.any_measure import ours_from_ranks
from pres_plugin.adapters.ir_measures.scoring import Evaluator
from pres_plugin.measures import Measure
from pres_plugin.study.columns import Columns, from_rows
from pres_plugin.study.directions import check_directed
from pres_plugin.study.evaluators import for_each_run
from pres_plugin.study.inputs import (
    Qrels,
    Runs,
    StudyError,
    ascending,
    checked_measures,
    checked_qrels,
    named_runs,
    problems_of,
    real,
    whole,
)
from pres_plugin.study.limits import LARGEST_SEED, MOST_SAMPLES
from pres_plugin.study.orderings import kendall_tau
from pres_plugin.study.processes import in_processes
from pres_plugin.study.ranks import RankedRun, RelevantDocuments
from pres_plugin.study.sentences.robustness import robustness_sentences

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

Progress = Callable[[Iterable[Any], int], Iterable[Any]]
Key = tuple[float, int]
Means = NDArray[np.float64]
Keep = NDArray[np.bool_]

#: If all samples together contain more ranks, scoring takes longer than starting processes.
_WORTH_PROCESSES = 20_000_000

#: The number of ranks to score together; this limits the number of samples in a block.
_AT_ONCE = 200_000


@dataclass(frozen=True, eq=False)
class Robustness:
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
    """

    runs: tuple[str, ...]
    measures: tuple[str, ...]
    fractions: tuple[float, ...]
    n_topics: int
    means: NDArray[np.float64]
    kendall_tau: NDArray[np.float64]

    @cached_property
    def taus(self) -> pd.DataFrame:
        """One row per `fraction`, `sample` and `measure`, with its `kendall_tau`."""
        return self.tau_columns().frame()

    def table(self) -> pd.DataFrame:
        """Return a table like those in the papers, with Kendall's τ for each sample and on average.

        There is one row per fraction and sample, one for the average of each fraction and
        one for the average of all. There is one column per measure.
        """
        import pandas as pd

        taus = self._by_sample()
        rows = []
        for fraction, average in taus.groupby("fraction").mean().iterrows():
            for number, of_sample in taus.loc[fraction].iterrows():
                rows.append((f"{fraction:g}", str(number), *of_sample))
            rows.append((f"{fraction:g}", "average", *average))
        rows.append(("all", "average", *taus.mean()))
        return pd.DataFrame(rows, columns=["fraction", "sample", *self.measures])

    def lowest(self) -> pd.DataFrame:
        """Return the lowest τ: one row per fraction, one column per measure."""
        return self._by_sample().groupby("fraction").min()

    def by_fraction(self) -> pd.DataFrame:
        """Return the range and the mean of τ over the samples: one row per fraction and measure.

        The columns are `fraction`, `measure`, `lowest_tau`, `mean_tau` and `highest_tau`.
        """
        return self.fraction_columns().frame()

    def tau_columns(self) -> Columns:
        """Return the columns of :attr:`taus`."""
        _, n_samples, n_measures = self.kendall_tau.shape
        fractions = np.repeat(self.fractions, n_samples * n_measures)
        samples = np.repeat(np.arange(1, n_samples + 1), n_measures)
        return Columns(
            {
                "fraction": fractions,
                "sample": np.tile(samples, len(self.fractions)),
                "measure": list(self.measures) * (len(self.fractions) * n_samples),
                "kendall_tau": self.kendall_tau.ravel(),
            }
        )

    def fraction_columns(self) -> Columns:
        """Return the columns of :meth:`by_fraction`."""
        rows = [
            (fraction, measure, *_range(self.kendall_tau[f, :, m].tolist()))
            for f, fraction in enumerate(self.fractions)
            for m, measure in enumerate(self.measures)
        ]
        return from_rows(["fraction", "measure", "lowest_tau", "mean_tau", "highest_tau"], rows)

    def by_sample(self) -> pd.DataFrame:
        """Return τ for each sample: one row per fraction and sample, one column per measure."""
        return self._by_sample().reset_index()

    def _repr_html_(self) -> str:
        """Return the sentences, the main table and the picture for a notebook."""
        from pres_plugin.study.html.notebook import in_notebook
        from pres_plugin.study.reports.robustness import parts

        return in_notebook(self.sentences(), parts(self))

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
        from pres_plugin.study.pictures.robustness import plot_lowest_tau

        return plot_lowest_tau(self, ax)

    def sentences(self) -> list[str]:
        """Describe in three to six sentences how well each measure keeps the order of the runs."""
        return robustness_sentences(self)

    def _by_sample(self) -> pd.DataFrame:
        # Not with pivot(), which in pandas 2.0.0 changes the index of its own frame.
        by_key = self.taus.set_index(["fraction", "sample", "measure"])["kendall_tau"]
        taus = by_key.unstack("measure")
        return taus[list(self.measures)].rename_axis(columns=None)


def _range(taus: Sequence[float]) -> tuple[float, float, float]:
    """Return the lowest, the mean and the highest of the values that are not NaN."""
    defined = [tau for tau in taus if not math.isnan(tau)]
    if not defined:
        return math.nan, math.nan, math.nan
    return min(defined), fmean(defined), max(defined)


def sample(relevant: RelevantDocuments, fraction: float, seed: Sequence[int]) -> NDArray[np.bool_]:
    """Choose at random which relevant documents of each topic stay known.

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
    starts = relevant.starts.tolist()
    for topic, start, by_id in zip(relevant.topics, starts, relevant.by_id, strict=False):
        if n := len(by_id):
            generator = np.random.default_rng([*seed, zlib.crc32(topic.encode())])
            size = max(1, math.floor(fraction * n + 0.5))
            chosen = generator.random(n).argsort(kind="stable")[:size]
            keep[start + by_id[chosen]] = True
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
    """Test whether runs keep their order if fewer relevant documents are known [1]_.

    Kendall's τ compares the order of the runs given a random sample of the relevant
    documents with their order given all of them. Relevant documents outside the sample
    become unjudged. Ranks do not change, so each run is ranked once.

    Parameters
    ----------
    qrels : Qrels
        The judgements; see :func:`pres_plugin.study.scoring.score`.
    runs : Runs
        The runs by name; see :func:`pres_plugin.study.scoring.score`.
    measures : iterable of str or ir_measures.Measure
        Anything ir-measures can parse. PRES, PRES_est, AP, R, and Rnorm, WSS and
        TNR with N are computed from ranks, which is fast. For other measures, each run is
        scored once per sample.
    fractions : iterable of float
        The fractions of each topic's relevant documents to keep: above 0, at most 1.
    samples : int, default 3
        The number of samples per fraction; at most 10,000 in total.
    seed : int, default 0
        The same seed gives the same samples on any machine. It may have up to 128 bits.
    processes : int or None, default 1
        The number of processes that score samples; at most one per processor is started.
        None starts one per processor if there is enough work. Unless `processes` is 1, the
        main part of your script must be under ``if __name__ == "__main__":``.
    progress : callable, optional
        Called with an iterator over the scored samples and their number; must return an
        iterable of the same items. Use it to show a progress bar.

    Returns
    -------
    Robustness

    Raises
    ------
    StudyError
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
    >>> found.lowest().to_dict("index")
    {0.5: {'PRES@10': 1.0}}
    """
    asked = checked_measures(measures)
    check_directed(asked)
    plan = Samples(fractions, samples, seed, processes)
    qrels = checked_qrels(qrels)
    relevant = RelevantDocuments(qrels)
    by_ranks = ours_from_ranks(asked)
    others = [measure for measure in asked if measure not in by_ranks]
    make = partial(_evaluators, others, qrels, relevant, plan)
    evaluators = for_each_run(make, len(plan.keys), qrels)
    ranked, of_others = [], []
    for name, run in named_runs(runs, qrels):
        ranked.append(relevant.rank(name, run))
        with problems_of(name):
            results = [evaluator.calc_aggregate(run) for evaluator in evaluators()]
        of_others.append([[result[measure] for measure in others] for result in results])
    means = _all_means(relevant, ranked, list(by_ranks.values()), plan, progress)
    if others:
        # Arrange the columns in the order of the requested measures.
        together = [*by_ranks, *others]
        order = [together.index(measure) for measure in asked]
        means_by_others = np.array(of_others, dtype=np.float64).swapaxes(0, 1)
        means = np.concatenate([means, means_by_others], axis=2)[:, :, order]
    return _compared(relevant, ranked, asked, plan, means)


def robustness_of_ranks(
    relevant: RelevantDocuments,
    runs: Iterable[RankedRun],
    measures: Mapping[Any, Measure],
    plan: Samples,
    progress: Progress,
) -> Robustness:
    """Return the result of :func:`robustness` for runs that have already been ranked.

    `measures` maps each requested measure to ours.
    """
    check_directed(measures)
    ranked = list(runs)
    means = _all_means(relevant, ranked, list(measures.values()), plan, progress)
    return _compared(relevant, ranked, list(measures), plan, means)


class Samples:
    """The samples of the judgements, and how many processes score them.

    Raise a StudyError if an argument is out of range; see :func:`robustness`.
    """

    def __init__(
        self, fractions: Iterable[float], samples: int, seed: int, processes: int | None
    ) -> None:
        in_range = partial(real, above=0, below=1, inclusive=True)
        self.fractions: tuple[float, ...] = ascending("fraction", fractions, in_range, MOST_SAMPLES)
        samples = whole("samples", samples, 1)
        self.seed: int = whole("seed", seed, 0, LARGEST_SEED)
        if len(self.fractions) * samples > MOST_SAMPLES:
            raise StudyError(
                f"the number of fractions times samples must be at most {MOST_SAMPLES}, "
                f"got {len(self.fractions)} x {samples}"
            )
        self.processes: int | None = None if processes is None else whole("processes", processes, 1)
        #: The fraction and the number of each sample.
        self.keys: list[Key] = [
            (fraction, number) for fraction in self.fractions for number in range(1, samples + 1)
        ]


def _compared(
    relevant: RelevantDocuments,
    ranked: Sequence[RankedRun],
    measures: Sequence[Any],
    plan: Samples,
    means: Means,
) -> Robustness:
    """Compare the order of the runs given each sample with their order given all judgements."""
    by_all, *by_samples = means
    taus = [
        kendall_tau(by_sample[:, m], by_all[:, m])
        for by_sample in by_samples
        for m in range(len(measures))
    ]
    return Robustness(
        tuple(run.name for run in ranked),
        tuple(map(str, measures)),
        plan.fractions,
        len(relevant.topics),
        by_all,
        np.reshape(taus, (len(plan.fractions), -1, len(measures))),
    )


def _all_means(
    relevant: RelevantDocuments,
    ranked: Sequence[RankedRun],
    measures: Sequence[Measure],
    plan: Samples,
    progress: Progress,
) -> Means:
    """Return the means with all judgements, then those with each sample: (1 + S, R, M)."""
    by_all = _means(relevant, ranked, measures, None)
    processes = plan.processes
    if processes is None:
        work = len(plan.keys) * len(ranked) * len(relevant.relevance)
        processes = MOST_SAMPLES if work > _WORTH_PROCESSES else 1
    processes = min(processes, len(plan.keys), os.cpu_count() or 1)
    size = max(1, _AT_ONCE // max(1, len(relevant.relevance)))
    size = min(size, math.ceil(len(plan.keys) / processes))
    blocks = [plan.keys[i : i + size] for i in range(0, len(plan.keys), size)]
    score = partial(_sampled, relevant, ranked, measures, plan.seed)
    scored = map(score, blocks) if processes == 1 else in_processes(score, blocks, processes)
    by_samples = progress(chain.from_iterable(scored), len(plan.keys))
    return np.array([*by_all, *by_samples])


def _sampled(
    relevant: RelevantDocuments,
    ranked: Sequence[RankedRun],
    measures: Sequence[Measure],
    seed: int,
    keys: Sequence[Key],
) -> Means:
    keep = np.array([_keep(relevant, seed, key) for key in keys])
    return _means(relevant, ranked, measures, keep)


def _keep(relevant: RelevantDocuments, seed: int, key: Key) -> Keep:
    fraction, number = key
    # A seed consists of whole numbers, so fractions that agree to six decimals share one.
    return sample(relevant, fraction, [seed, number, round(fraction * 1_000_000)])


def _means(
    relevant: RelevantDocuments,
    ranked: Sequence[RankedRun],
    measures: Sequence[Measure],
    keep: Keep | None,
) -> Means:
    """Return the means with each of S samples, or once with all judgements: (S, R, M)."""
    n_samples = 1 if keep is None else len(keep)
    means = np.zeros((n_samples, len(ranked), len(measures)))
    for r, run in enumerate(ranked):
        by_rel = {rel: relevant.ranked(run, rel, keep) for rel in {m.rel for m in measures}}
        with problems_of(run.name):
            for m, measure in enumerate(measures):
                scores = by_rel[measure.rel].score(measure)
                means[:, r, m] = scores.reshape(n_samples, -1).mean(axis=1)
    return means


def _evaluators(
    measures: list[Any], qrels: Qrels, relevant: RelevantDocuments, plan: Samples
) -> Iterator[Evaluator]:
    """Yield an evaluator with all judgements, and one with each sample of them."""
    if not measures:
        return
    for key in (None, *plan.keys):
        known = qrels
        if key is not None:
            known = _without(qrels, relevant, _keep(relevant, plan.seed, key))
        with problems_of("qrels"):
            evaluator = Evaluator(measures, known)
        yield evaluator


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
