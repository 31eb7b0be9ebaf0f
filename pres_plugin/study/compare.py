"""Find which runs are better by each measure, and how often the measures agree."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pres_plugin.remedy import Remedy
from pres_plugin.study.columns import Columns, from_rows
from pres_plugin.study.directions import check_directed
from pres_plugin.study.inputs import (
    Qrels,
    Runs,
    StudyError,
    check_known,
    checked_items,
    checked_measures,
)
from pres_plugin.study.orderings import correlation_columns
from pres_plugin.study.paper.comparison import comparison_table
from pres_plugin.study.scoring import Scores, score
from pres_plugin.study.sentences.comparison import comparison_sentences
from pres_plugin.study.statistics.corrections import CORRECTIONS
from pres_plugin.study.statistics.effects import effects
from pres_plugin.study.statistics.intervals import intervals
from pres_plugin.study.statistics.method import Correction, Method, Test
from pres_plugin.study.statistics.resampling import Resampling
from pres_plugin.study.statistics.tests import TESTS

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Indices = NDArray[np.intp]

#: The outcomes of the test of a pair. In the last one, the difference is significant, but the run
#: that the test favours does not have the higher mean. This can happen with Wilcoxon's test, which
#: compares ranks of differences: a single large difference can turn the mean around.
VERDICTS = ("first better", "second better", "no difference", "test and mean disagree")

#: The largest number of tests in a comparison. There is one test per measure and pair of runs,
#: so this is enough for all pairs of 1,000 runs by three measures.
MOST_TESTS = 1_500_000

#: The limit of pairs of measures times (runs + 10), because correlating more runs takes longer:
#: about ten seconds. With two runs, this is enough for all pairs of 289 measures.
MOST_CORRELATED = 500_000

#: The largest number of scores to resample: about two minutes. With all pairs of 400 runs, three
#: measures and 9,999 resamples, this is enough for confidence intervals at 80 topics.
MOST_RESAMPLED = 200_000_000_000

#: Below this number of topics, resampling takes about the same time.
_FEW_TOPICS = 50

#: The ways in which two measures can agree or disagree about a pair of runs.
AGREEMENTS = (
    "same run better",
    "no difference by either",
    "a difference by the first only",
    "a difference by the second only",
    "opposite runs better",
)


@dataclass(frozen=True, eq=False)
class Comparison:
    """The result of :func:`compare`.

    Attributes
    ----------
    scores : Scores
        The scores of all runs, by topic and on average.
    baselines : tuple of str
        The runs that all others were compared with; empty if all pairs were compared.
    how : Method
        The test, the correction and the settings of the intervals.
    columns : dict of str to Columns
        The tables below, by name, without pandas. The table of intervals is missing unless
        confidence intervals were requested.
    """

    scores: Scores
    baselines: tuple[str, ...]
    how: Method
    columns: dict[str, Columns]

    @cached_property
    def correlations(self) -> pd.DataFrame:
        """The result of :func:`pres_plugin.study.orderings.correlations`."""
        return self.columns["correlations"].frame()

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """One row per measure and pair of runs: `first`, `second`, `measure`, and the result.

        - `difference`: the mean of the first run minus the mean of the second. With
          confidence intervals, `low` and `high` are its bounds.
        - `standardised`: the difference divided by the standard deviation of the topics'
          differences. NaN if these are all equal, or if there is only one topic.
        - `improved`, `worsened`, `equal`: the number of topics on which the first run scores
          higher, lower or the same.
        - `p_value`: corrected, if requested.
        - `verdict`: ``first better``, ``second better``, ``no difference``, or, if a difference
          is significant but the mean does not point the same way, ``test and mean disagree``.

        Without baselines, the first run of each pair precedes the second in :meth:`Scores.order`.
        With baselines, the second run is always a baseline.
        """
        return self.columns["pairs"].frame()

    @cached_property
    def intervals(self) -> pd.DataFrame | None:
        """One row per run and measure: `run`, `measure`, `mean`, and the bounds `low` and `high`.

        The bounds are those of the mean's confidence interval. Without confidence intervals, there
        is no table, and this attribute is None.
        """
        intervals = self.columns.get("intervals")
        return None if intervals is None else intervals.frame()

    @cached_property
    def verdicts(self) -> pd.DataFrame:
        """One row per measure: the number of pairs with each verdict.

        There is no column ``test and mean disagree`` if no pair has this verdict.
        """
        return self.columns["verdicts"].frame(index="measure")

    @cached_property
    def agreement(self) -> pd.DataFrame:
        """One row per pair of measures.

        Each column contains the number of pairs of runs for which the two measures agree or
        disagree in one way, such as ``same run better``.
        """
        return self.columns["agreement"].frame()

    @property
    def has_intervals(self) -> bool:
        """Whether there are confidence intervals. With a single topic, they are undefined."""
        return "intervals" in self.columns and len(self.scores.topics) > 1

    def _repr_html_(self) -> str:
        """Return the sentences, the main table and the picture for a notebook."""
        from pres_plugin.study.html.notebook import in_notebook
        from pres_plugin.study.reports.compare import means_of

        return in_notebook(self.sentences(), means_of(self))

    def plot(self, ax: Axes | None = None, *, measures: Iterable[str] | None = None) -> Axes:
        """Draw the mean scores with their intervals, if any; see :meth:`Scores.plot`.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            The axes to draw into, in your style. By default, pyplot makes a new figure.
        measures : iterable of str, optional
            The measures to draw. By default, those whose scores lie between -1 and 1.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        StudyError
            If a measure is unknown or none is given, or if `ax` is not axes.
        """
        from pres_plugin.study.pictures.compare import plot_scores

        return plot_scores(self.scores, ax, measures, self.baselines, self.columns.get("intervals"))

    def sentences(self) -> list[str]:
        """Describe the comparison in three to six sentences.

        The sentences name the best runs, report the significant differences, and say where
        PRES and AP disagree and what remains undecided. Means that are equal to four
        decimals count as ties.
        """
        return comparison_sentences(self)

    def to_latex(self, decimals: int = 4) -> str:
        """Return the mean scores as a LaTeX table for a paper; see :meth:`to_markdown`.

        The table needs the LaTeX package booktabs.
        """
        return comparison_table(self, decimals).to_latex()

    def to_markdown(self, decimals: int = 4) -> str:
        """Return the mean scores as a Markdown table for a paper.

        The best value by each measure is bold, and significant differences are marked. The
        caption names the test, the correction, the number of topics and the versions of the
        software.

        Parameters
        ----------
        decimals : int, default 4
            The number of decimals; -1 for full precision. Ranks and counts have at most one.

        Returns
        -------
        str
        """
        return comparison_table(self, decimals).to_markdown()


def compare(
    qrels: Qrels,
    runs: Runs,
    measures: Any,
    *,
    test: Test = "wilcoxon",
    alpha: float = 0.05,
    correction: Correction = "none",
    baselines: Iterable[str] = (),
    confidence: float | None = None,
    resamples: int = 9999,
    seed: int = 0,
) -> Comparison:
    """Compare each pair of runs by several measures, or each run with a baseline.

    Parameters
    ----------
    qrels : Qrels
        The judgements; see :func:`pres_plugin.study.scoring.score`.
    runs : Runs
        The runs by name; see :func:`pres_plugin.study.scoring.score`.
    measures : iterable of str or ir_measures.Measure
        Anything ir-measures can parse. The first measure orders the runs in a pair.
    test : {'wilcoxon', 't', 'randomization'}, default 'wilcoxon'
        Wilcoxon's signed-rank test, Student's t test or Fisher's randomization test,
        paired by topic, two-sided. Wilcoxon's test ignores topics without a difference.
        Its p-value is exact for up to 50 topics without ties, and for up to 13 with ties;
        otherwise it uses the normal distribution. The randomization test flips the signs of
        the topics' differences. It is exact if there are no more than `resamples`
        combinations of signs: by default, for up to 13 topics with a difference. Otherwise,
        it draws `resamples` random combinations.
    alpha : float, default 0.05
        The significance level: two runs differ if the p-value is below it.
    correction : {'none', 'bonferroni', 'holm', 'bh'}, default 'none'
        How to correct the p-values of each measure for testing many pairs. Bonferroni's and
        Holm's methods limit the probability of any false difference to `alpha`; Holm's
        finds at least as many differences. Benjamini and Hochberg's method limits the
        expected fraction of false differences among those found.
    baselines : iterable of str, optional
        Names of runs. If given, each run is compared with each of these, instead of with
        all other runs. A pair of two baselines is compared once, with the one named first
        as the baseline. The correction counts only these pairs.
    confidence : float, optional
        If given, the level of confidence intervals of each mean and of each difference, such
        as 0.95. They are bias-corrected and accelerated bootstrap intervals (BCa) over topics,
        widened for few topics; see the page "How runs are compared".
    resamples : int, default 9999
        The number of resamples for intervals and the randomization test, 999 to 100,000.
    seed : int, default 0
        The seed of the resamples. The same seed draws the same topics and signs for all
        runs, pairs and measures.

    Returns
    -------
    Comparison

    Raises
    ------
    StudyError
        If a measure, the judgements or a run cannot be scored, if neither higher nor lower
        values of a measure are better, as for LastRel, if two runs have the same
        name, if an option is invalid, if a baseline is unknown, or if the comparison would
        take too long: more than 1.5 million tests, one per measure and pair of runs, or too
        many pairs of measures.

    Examples
    --------
    >>> from pres_plugin.study.compare import compare
    >>> qrels = {f"q{i}": {"a": 1, "b": 1} for i in range(8)}
    >>> good = {topic: {"a": 2.0, "b": 1.0} for topic in qrels}
    >>> late = {topic: {"x": 3.0, "a": 2.0, "b": 1.0} for topic in qrels}
    >>> found = compare(qrels, {"late": late, "good": good}, ["PRES@10", "R@10"])
    >>> found.pairs[["first", "second", "measure", "verdict"]].values.tolist()
    [['good', 'late', 'PRES@10', 'first better'], ['good', 'late', 'R@10', 'no difference']]
    """
    how = Method(test, alpha, correction, confidence, resamples, seed)
    named = tuple(checked_items("baselines", baselines))
    asked = checked_measures(measures)
    if isinstance(runs, Mapping):
        n_topics = len(qrels) if isinstance(qrels, Mapping) else 1
        check_size(runs, asked, n_topics, named, how)
    return _compared(score(qrels, runs, asked), named, how)


def compare_scores(
    scores: Scores,
    *,
    test: Test = "wilcoxon",
    alpha: float = 0.05,
    correction: Correction = "none",
    baselines: Iterable[str] = (),
    confidence: float | None = None,
    resamples: int = 9999,
    seed: int = 0,
) -> Comparison:
    """Compare runs that have already been scored; see :func:`compare` for the options."""
    how = Method(test, alpha, correction, confidence, resamples, seed)
    return _compared(scores, tuple(checked_items("baselines", baselines)), how)


def _compared(scores: Scores, baselines: Sequence[str], how: Method) -> Comparison:
    check_size(scores.runs, scores.measures, len(scores.topics), baselines, how)
    baselines = tuple(dict.fromkeys(baselines))
    first, second = _pairs(scores, baselines)
    columns = _columns(scores, first, second, how)
    # One row per measure and one column per pair: the index of each verdict.
    verdicts = columns.pop("verdict").reshape(len(first), len(scores.measures)).T
    tables = {
        "correlations": correlation_columns(scores.means, scores.measures),
        "pairs": _pairs_table(scores, first, second, columns, verdicts),
        "verdicts": _verdicts(scores.measures, verdicts),
        "agreement": _agreement(scores.measures, verdicts),
    }
    if how.confidence is not None:
        tables["intervals"] = _intervals_table(scores, how, how.confidence)
    return Comparison(scores, baselines, how, tables)


def check_size(
    runs: Collection[str],
    measures: Collection[Any],
    n_topics: int,
    baselines: Collection[str],
    how: Method,
) -> None:
    """Raise a StudyError if runs cannot be compared in this way, or if that takes too long."""
    check_directed(measures)
    for baseline in baselines:
        check_known("baseline", baseline, runs, "runs")
    n_baselines = len(set(baselines)) or len(runs)  # without baselines, each run is one
    n_tests = sum(range(len(runs) - n_baselines, len(runs))) * len(measures)
    comparing = f"comparing {len(runs):,} runs by {len(measures)} measures"
    with_one = "compare each run with one baseline only ({}), or use fewer measures"
    if n_tests > MOST_TESTS:
        raise StudyError(
            f"{comparing} requires {n_tests:,} tests, more than the limit of {MOST_TESTS:,}",
            Remedy(with_one, "baselines", (("RUN",),)),
        )
    n_pairs = comb(len(measures), 2)
    if n_pairs > (most := MOST_CORRELATED // (len(runs) + 10)):
        raise StudyError(
            f"{comparing} requires {n_pairs:,} pairs of measures, more than the limit of {most:,} "
            "for this number of runs; use fewer measures (a sweep shows measures at many cutoffs)"
        )
    n_resampled = n_tests if how.test == "randomization" else 0
    if how.confidence is not None:
        n_resampled += n_tests + len(runs) * len(measures)
    n_values = n_resampled * how.resamples * max(n_topics, _FEW_TOPICS)
    if n_values > MOST_RESAMPLED:
        raise StudyError(
            f"{comparing} with {how.resamples:,} resamples requires about "
            f"{n_values / MOST_RESAMPLED:.1f} times as much time as the limit permits",
            Remedy(f"{with_one} or resamples", "baselines", (("RUN",),)),
        )


#: The number of differences to test at once. Arrays of this size stay in the processor's cache.
#: Resampling draws topics once per block, and larger blocks save more time.
_AT_ONCE = 100_000
_RESAMPLED_AT_ONCE = 2_000_000


def _pairs(scores: Scores, baselines: Collection[str]) -> tuple[Indices, Indices]:
    """Return the indices of the first and of the second run of each pair."""
    order = scores.order()
    if not baselines:
        above, below = np.triu_indices(len(order), 1)
        return order[above], order[below]
    others = order.tolist()
    first: list[int] = []
    second: list[int] = []
    for baseline in map(scores.runs.index, baselines):
        others.remove(baseline)
        first += others
        second += [baseline] * len(others)
    return np.array(first, dtype=np.intp), np.array(second, dtype=np.intp)


def _columns(
    scores: Scores, first: Indices, second: Indices, how: Method
) -> dict[str, NDArray[Any]]:
    """Return the columns of the table of pairs, and the index of each `verdict`.

    All columns have one row per pair and measure. The rows of a pair are adjacent.
    """
    by_topic = _by_topic(scores)
    at_once = _RESAMPLED_AT_ONCE if how.is_random else _AT_ONCE
    # Process a block of pairs at a time, because all differences might not fit in memory.
    size = max(1, at_once // by_topic[0].size)
    blocks = []
    for start in range(0, max(1, len(first)), size):
        block = slice(start, start + size)
        differences = by_topic[first[block]] - by_topic[second[block]]
        # Round, so that differences tie if they are equal except for rounding errors.
        blocks.append(_described(differences.reshape(-1, len(scores.topics)).round(12), how))
    found = {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
    if len(first):
        p_values = found["p_value"].reshape(len(first), len(scores.measures))
        found["p_value"] = np.apply_along_axis(CORRECTIONS[how.correction], 0, p_values).ravel()
    found["verdict"] = _indices_of_verdicts(found, how)
    return found


def _indices_of_verdicts(found: dict[str, NDArray[Any]], how: Method) -> Ints:
    """Return the index in :data:`VERDICTS` of each row, given what the test and the mean favour."""
    by_test, by_mean = found.pop("sign"), np.sign(found["difference"].round(12))
    which = [by_test * by_mean <= 0, by_test > 0, by_test < 0]
    better_first, better_second, neither, disagree = range(len(VERDICTS))
    favoured = np.select(which, [disagree, better_first, better_second])
    verdicts: Ints = np.where(found["p_value"] < how.alpha, favoured, neither)
    return verdicts


def _by_topic(scores: Scores) -> Floats:
    """Return the scores as an array of shape (R, M, T).

    The topics are sorted, so that a seed draws the same ones whatever their order in the qrels.
    """
    by_name = sorted(range(len(scores.topics)), key=scores.topics.__getitem__)
    return np.ascontiguousarray(np.moveaxis(scores.values[:, by_name], 2, 1))


def _described(differences: Floats, how: Method) -> dict[str, NDArray[Any]]:
    """Describe and test differences with one row per pair and one column per topic."""
    resampling = Resampling(how.resamples, how.seed)
    size = effects(differences)
    columns: dict[str, NDArray[Any]] = {"difference": size.difference}
    if how.confidence is not None:
        columns["low"], columns["high"] = intervals(differences, how.confidence, resampling)
    columns |= {name: getattr(size, name) for name in size._fields[1:]}
    columns["p_value"], columns["sign"] = TESTS[how.test](differences, resampling)
    return columns


def _pairs_table(
    scores: Scores,
    first: Indices,
    second: Indices,
    columns: Mapping[str, NDArray[Any]],
    verdicts: Ints,
) -> Columns:
    runs, measures = (np.array(names, dtype=object) for names in (scores.runs, scores.measures))
    return Columns(
        {
            "first": np.repeat(runs[first], len(measures)),
            "second": np.repeat(runs[second], len(measures)),
            "measure": np.tile(measures, len(first)),
            **columns,
            "verdict": np.array(VERDICTS, dtype=object)[verdicts].T.ravel(),
        }
    )


def _intervals_table(scores: Scores, how: Method, confidence: float) -> Columns:
    resampling = Resampling(how.resamples, how.seed)
    rows = _by_topic(scores).reshape(-1, len(scores.topics))
    low, high = intervals(rows, confidence, resampling)
    return Columns(
        {
            "run": np.repeat(np.array(scores.runs, dtype=object), len(scores.measures)),
            "measure": np.tile(np.array(scores.measures, dtype=object), len(scores.runs)),
            "mean": rows.mean(axis=1),
            "low": low,
            "high": high,
        }
    )


def _verdicts(measures: tuple[str, ...], verdicts: Ints) -> Columns:
    counts = {name: (verdicts == i).sum(axis=1) for i, name in enumerate(VERDICTS)}
    if not counts[VERDICTS[-1]].any():
        del counts[VERDICTS[-1]]
    return Columns({"measure": measures, **counts})


def _agreement(measures: tuple[str, ...], verdicts: Ints) -> Columns:
    rows = []
    # 1 if the first run is better, -1 if the second one is, 0 if neither is.
    signs = np.array([1, -1, 0, 0])[verdicts]
    for i, j in combinations(range(len(measures)), 2):
        a, b = signs[i], signs[j]
        counts = (
            (a == b) & (a != 0),
            (a == 0) & (b == 0),
            (a != 0) & (b == 0),
            (a == 0) & (b != 0),
            a * b == -1,
        )
        rows.append((measures[i], measures[j], *(int(c.sum()) for c in counts)))
    return from_rows(["first", "second", *AGREEMENTS], rows)
