"""Find which runs are better by each measure, and how often the measures agree."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pres_plugin.groups import group_means
from pres_plugin.messages import InputError, check_known
from pres_plugin.output.tables import Table, as_measure, as_p_value, bounded, column
from pres_plugin.output.words import labels
from pres_plugin.ranking.scores import RunRanks
from pres_plugin.scoring import check_directed, directions
from pres_plugin.study.arguments import checked_items, checked_measures
from pres_plugin.study.compare.two_runs import TwoRuns, two_runs
from pres_plugin.study.result import Result, plot, report
from pres_plugin.study.runs import AnyQrels, AnyRuns, judged, ranked_runs
from pres_plugin.study.scoring import Scores, score
from pres_plugin.study.statistics.corrections import CORRECTIONS
from pres_plugin.study.statistics.intervals import intervals
from pres_plugin.study.statistics.method import Correction, Method, Test
from pres_plugin.study.statistics.orderings import correlations
from pres_plugin.study.statistics.tests import TESTS, effects

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

Array = NDArray[Any]

VERDICTS = ("first better", "second better", "not significant", "test and mean disagree")
"""The outcomes of the test of a pair.

In the last one, the difference is significant, but the run that the test favours does not have the
better mean. This can happen with Wilcoxon's test, which compares ranks of differences: a single
large difference can turn the mean around.
"""

AGREEMENTS = (
    "same run better",
    "not significant by either",
    "significant by the first only",
    "significant by the second only",
    "opposite runs better",
)
"""The ways in which two measures can agree or disagree about a pair of runs."""

#: The largest number of tests in a comparison; their results are in memory together. There is one
#: test per measure and pair of runs, so this is enough for all pairs of 1,000 runs by three
#: measures.
MOST_TESTS = 1_500_000

#: Two runs with at most this many topics have intervals by default: they take up to a second.
QUICK_TOPICS = 1_000

#: The number of runs or pairs of measures that pictures show, and the number of pairs of measures
#: up to which terminals show their tables. Tables are always complete.
MOST_DRAWN = 100

#: The headings of the tables' columns, where they differ from the name.
_HEADINGS = {
    "low": "lower bound",
    "high": "upper bound",
    "standardised": "standardised difference",
    "improved": "topics improved",
    "worsened": "topics worsened",
    "equal": "topics equal",
    "p_value": "p-value",
}

#: The number of differences per topic to test at once, because all of them might not fit in memory.
#: Resampling draws topics once per block, so larger blocks save time.
_AT_ONCE = 200_000


@dataclass(frozen=True, eq=False)
class Comparison(Result):
    """The result of :func:`compare`.

    Attributes
    ----------
    scores : Scores
        The scores of all runs, by topic and on average.
    baselines : tuple of str
        The runs that all others were compared with; empty if all pairs were compared.
    how : Method
        The test, the correction and the settings of the intervals.
    tables : dict of str to Table
        The tables below, by name, without pandas, and two tables of means: `scores`, and `means`
        with intervals. The tables of intervals and groups are missing unless they were requested.
    two : TwoRuns or None
        What each of two runs misses; None unless there are two.
    """

    scores: Scores
    baselines: tuple[str, ...]
    how: Method
    tables: dict[str, Table]
    two: TwoRuns | None = None

    @property
    def correlations(self) -> pd.DataFrame:
        """One row per pair of measures: how similarly they order the runs.

        `kendall_tau` is Kendall's τ-b and `spearman_rho` is Spearman's ρ. Both are NaN if a
        measure gives all runs the same score.
        """
        return self.tables["correlations"].pandas()

    @property
    def pairs(self) -> pd.DataFrame:
        """One row per measure and pair of runs: `first`, `second`, `measure`, and the result.

        - `difference`: the mean of the first run minus the mean of the second. With
          confidence intervals, `low` and `high` are its bounds, without correction.
        - `standardised`: the difference divided by the standard deviation of the topics'
          differences. NaN if these are all equal, or if there is only one topic.
        - `improved`, `worsened`, `equal`: the number of topics on which the first run is
          better, worse or equal.
        - `p_value`: corrected for the number of pairs, unless the correction is ``none``.
        - `verdict`: ``first better``, ``second better``, ``not significant``, or, if a difference
          is significant but the mean does not point the same way, ``test and mean disagree``.

        Without baselines, the first run of each pair precedes the second in :meth:`Scores.order`.
        With baselines, the second run is always a baseline.
        """
        return self.tables["pairs"].pandas()

    @property
    def intervals(self) -> pd.DataFrame | None:
        """One row per run and measure: `run`, `measure`, `mean`, and the bounds `low` and `high`.

        The bounds are those of the mean's confidence interval, without correction. This is None
        if there are no confidence intervals.
        """
        return self.tables["intervals"].pandas() if "intervals" in self.tables else None

    @property
    def groups(self) -> pd.DataFrame | None:
        """One row per run and group of topics: `run`, `group`, `topics`, and the means.

        `topics` is the number of topics in the group, and there is one column per measure. Without
        groups, there is no table, and this attribute is None.
        """
        return self.tables["groups"].pandas() if "groups" in self.tables else None

    @property
    def verdicts(self) -> pd.DataFrame:
        """One row per measure: the number of pairs with each verdict.

        There is no column ``test and mean disagree`` if no pair has this verdict.
        """
        return self.tables["verdicts"].pandas().set_index("measure")

    @property
    def agreement(self) -> pd.DataFrame:
        """One row per pair of measures.

        Each column contains the number of pairs of runs for which the two measures agree or
        disagree in one way, such as ``same run better``.
        """
        return self.tables["agreement"].pandas()

    @property
    def labels(self) -> dict[str, str]:
        """How reports call each measure."""
        return labels(self.scores.measures)

    @property
    def n_pairs(self) -> int:
        """The number of pairs of runs that were tested by each measure."""
        return len(self.tables["pairs"]) // len(self.scores.measures)

    @property
    def least_p_value(self) -> float:
        """The p-value if one run were better on each topic, by almost the same amount."""
        clear = np.linspace(1, 1 + 1e-9, len(self.scores.topics))
        least, _ = TESTS[self.how.test](clear[None], self.how)
        return float(CORRECTIONS[self.how.correction](np.repeat(least, self.n_pairs))[0])

    @property
    def is_tested(self) -> bool:
        """Whether differences are tested, which requires two runs and two topics."""
        return self.n_pairs > 0 and len(self.scores.topics) > 1

    @property
    def has_intervals(self) -> bool:
        """Whether there are confidence intervals. With a single topic, they are undefined."""
        return "intervals" in self.tables

    def plot(self, ax: Axes | None = None, *, measures: Iterable[str] | None = None) -> Axes:
        """Draw the mean scores with their intervals, if any.

        There is one row per run. The best run by the first measure is at the top.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            The axes to draw into, in your style. By default, pyplot makes a new figure.
        measures : iterable of str, optional
            The measures to draw. By default, or if this is empty, all of them.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        InputError
            If a measure is unknown, or if `ax` is not axes.
        """
        return plot(self, ax, measures)

    def to_latex(self, decimals: int = 4) -> str:
        """Return the mean scores as a LaTeX table for a paper; see :meth:`to_markdown`.

        The table needs the LaTeX package booktabs.
        """
        return report(self).paper("latex", decimals)

    def to_markdown(self, decimals: int = 4) -> str:
        """Return the mean scores as a Markdown table for a paper.

        The best value by each measure is bold, and significant differences are marked. The
        caption names the test, the correction, the number of topics and the versions of the
        software.

        Parameters
        ----------
        decimals : int, default 4
            The number of decimals; -1 for full precision.

        Returns
        -------
        str
        """
        return report(self).paper("markdown", decimals)


def compare(
    qrels: AnyQrels,
    runs: AnyRuns,
    measures: Any,
    *,
    test: Test = "t",
    alpha: float = 0.05,
    correction: Correction = "holm",
    baselines: Iterable[str] = (),
    confidence: float | None = None,
    resamples: int = 9999,
    seed: int = 0,
    groups: Mapping[str, str] | None = None,
) -> Comparison:
    """Compare each pair of runs by several measures, or each run with a baseline.

    Parameters
    ----------
    qrels : Qrels
        The judgements; see :func:`pres_plugin.study.scoring.score`.
    runs : AnyRuns
        The runs by name; see :func:`pres_plugin.study.scoring.score`.
    measures : iterable of str or ir_measures.Measure
        Anything ir-measures can parse. The first measure orders the runs in a pair.
    test : {'t', 'randomization', 'wilcoxon'}, default 't'
        Student's t test, Fisher's randomization test or Wilcoxon's signed-rank test,
        paired by topic, two-sided. The t test gives a p-value of 0 if all topics have the same
        difference, and of 1 if there is only one topic. The randomization test flips the
        signs of the topics' differences. It is exact if there are no more than `resamples`
        combinations of signs: by default, for up to 13 topics with a difference. Otherwise,
        it draws `resamples` random combinations, and no p-value is below
        1 / (`resamples` + 1). Wilcoxon's test ignores topics without a difference. Its
        p-value is exact for up to 50 topics without ties, and for up to 13 with ties;
        otherwise it uses the normal distribution.
    alpha : float, default 0.05
        The significance level: two runs differ significantly if the p-value is below it.
    correction : {'holm', 'bonferroni', 'bh', 'none'}, default 'holm'
        How to correct the p-values of each measure for testing many pairs. Holm's and
        Bonferroni's methods limit the probability of any false difference to `alpha`; Holm's
        finds at least as many differences. Benjamini and Hochberg's method limits the
        expected fraction of false differences among those found.
    baselines : iterable of str, optional
        Names of runs. If given, each run is compared with each of these, instead of with
        all other runs. A pair of two baselines is compared once, with the one named first
        as the baseline. The correction counts only these pairs.

        .. versionadded:: 0.2.0
    confidence : float, optional
        The level of the confidence intervals of each mean and of each difference, such as 0.95,
        which is the default for two runs and up to 1,000 topics. Otherwise, there are no intervals
        by default, and none with a single topic. Intervals are not corrected for the number of
        pairs. They are bias-corrected and accelerated bootstrap intervals (BCa) over topics,
        widened for few topics; see the page "Compare and report".

        .. versionadded:: 0.2.0
    resamples : int, default 9999
        The number of resamples for intervals and the randomization test, 999 to 100,000.

        .. versionadded:: 0.2.0
    seed : int, default 0
        The seed of the resamples. The same seed draws the same topics and signs for all
        runs, pairs and measures.

        .. versionadded:: 0.2.0
    groups : mapping of str to str, optional
        The group of each topic, such as a section of a classification or a type of query. If
        given, :attr:`Comparison.groups` contains the means over the topics of each group. Topics
        that the mapping lacks are in no group; topics that are not judged are ignored.

        .. versionadded:: 0.2.0

    Returns
    -------
    Comparison

    Raises
    ------
    InputError
        If a measure, the judgements or a run cannot be scored, if neither higher nor lower
        values of a measure are better, as for LastRel, if two runs have the same
        name, if an option is invalid, if a baseline is unknown, if `groups` contains no judged
        topic, or if there would be more than 1.5 million tests, one per measure and pair of runs.

    Examples
    --------
    >>> from pres_plugin.study.compare import compare
    >>> qrels = {f"q{i}": {"a": 1, "b": 1} for i in range(8)}
    >>> good = {topic: {"a": 2.0, "b": 1.0} for topic in qrels}
    >>> late = {topic: {"x": 3.0, "a": 2.0, "b": 1.0} for topic in qrels}
    >>> found = compare(qrels, {"late": late, "good": good}, ["PRES@10", "R@10"])
    >>> found.pairs[["first", "second", "measure", "verdict"]].values.tolist()
    [['good', 'late', 'PRES@10', 'first better'], ['good', 'late', 'R@10', 'not significant']]
    """
    how = Method(
        test=test,
        alpha=alpha,
        correction=correction,
        confidence=confidence,
        resamples=resamples,
        seed=seed,
    )
    named = tuple(checked_items("baselines", baselines))
    asked = checked_measures(measures)
    judgements = judged(qrels, asked)
    if isinstance(runs, Mapping):
        check_size(runs, asked, named)
    last: deque[RunRanks] = deque(maxlen=2)

    def kept(run: RunRanks) -> RunRanks:
        last.append(run)
        return run

    scores = score(judgements, map(kept, ranked_runs(judgements, runs)), asked)
    found = compared(scores, named, how, groups)
    if len(scores.runs) != 2:
        return found
    pair = _pairs(scores, found.baselines)[:, 0].tolist()
    return replace(found, two=two_runs(scores, judgements, last, asked[0], pair))


def compared(
    scores: Scores, baselines: Iterable[str], how: Method, groups: Mapping[str, str] | None
) -> Comparison:
    """Compare runs that have already been scored."""
    measures, n_topics, order = scores.measures, len(scores.topics), scores.order()
    if n_topics == 1:
        how = replace(how, confidence=None)
    elif how.confidence is None and len(scores.runs) == 2 and n_topics <= QUICK_TOPICS:
        how = replace(how, confidence=0.95)
    baselines = tuple(dict.fromkeys(baselines))
    check_size(scores.runs, measures, baselines)
    # The topics are sorted, so that a seed draws the same ones whatever their order in the qrels.
    by_topic = np.ascontiguousarray(scores.values[:, np.argsort(scores.topics)].swapaxes(1, 2))
    runs, pairs = column(scores.runs), _tested(scores, baselines, by_topic, how)
    tables = {
        "scores": scores.all_means(),
        "correlations": correlations(scores.means * directions(measures), measures),
        "pairs": pairs,
        **_counted(measures, pairs),
    }
    means = scores.means.ravel()
    low, high = np.full((2, len(means)), np.nan)
    if how.confidence is not None:
        low, high = intervals(by_topic.reshape(-1, n_topics), how.confidence, how)
        run, measure = np.indices(scores.means.shape).reshape(2, -1)
        columns = {"run": runs[run], "measure": column(measures)[measure]}
        tables["intervals"] = _table(measures, columns | {"mean": means, "low": low, "high": high})
    if groups is not None:
        called, sizes, of_groups = group_means(scores.topics, scores.values, groups)
        tables["groups"] = scores.rows(of_groups, order, group=called, topics=sizes)
    estimates = bounded(means, low, high)
    estimated = {each: estimates[m :: len(measures)] for m, each in enumerate(measures)}
    tables["means"] = _table(measures, {"run": runs} | estimated).rows(order)
    return Comparison(scores, baselines, how, tables)


def check_size(
    runs: Collection[str], measures: Collection[Any], baselines: Collection[str]
) -> None:
    """Raise an InputError if runs cannot be compared like this, or with too many tests."""
    check_directed(measures)
    for baseline in baselines:
        check_known("baseline", baseline, runs, "runs")
    n_baselines = len(set(baselines)) or len(runs)  # without baselines, each run is one
    n_tests = sum(range(len(runs) - n_baselines, len(runs))) * len(measures)
    if n_tests > MOST_TESTS:
        raise InputError(
            f"comparing {len(runs):,} runs by {len(measures)} measures requires {n_tests:,} tests, "
            f"more than the limit of {MOST_TESTS:,}; compare each run with one baseline only "
            "(baselines, --baseline), or use fewer measures"
        )


def _pairs(scores: Scores, baselines: Collection[str]) -> Array:
    """Return the indices of the first and of the second run of the P pairs, shape (2, P)."""
    others = scores.order().tolist()
    pairs: list[tuple[int, int]] = []
    # Without baselines, compare each run with those that follow it.
    for run in [*map(scores.runs.index, baselines)] or others.copy():
        others.remove(run)
        pairs += [(other, run) if baselines else (run, other) for other in others]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2).T


def _tested(scores: Scores, baselines: Collection[str], by_topic: Array, how: Method) -> Table:
    """Return the table of pairs; `by_topic` contains the scores in an array of shape (R, M, T)."""
    measures, pairs = scores.measures, _pairs(scores, baselines)
    sign = directions(measures)
    measure = np.tile(np.arange(len(measures)), pairs.shape[1])
    rows = np.vstack([np.repeat(pairs, len(measures), axis=1), measure])
    n_blocks = 1 + rows.shape[1] * len(scores.topics) // _AT_ONCE
    blocks = []
    for a, b, m in np.array_split(rows, n_blocks, axis=1):
        differences = (by_topic[a, m] - by_topic[b, m]).round(12)
        bounds = () if how.confidence is None else intervals(differences, how.confidence, how)
        better = differences * sign[m, np.newaxis]
        p_value, lead = TESTS[how.test](better, how)
        blocks.append(
            {
                "difference": differences.mean(axis=1),
                **dict(zip(("low", "high"), bounds, strict=False)),
                **effects(differences, better),
                "p_value": p_value,
                "lead": lead,
            }
        )
    found = {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
    p_values, lead = found["p_value"], found.pop("lead")
    for of_measure in p_values.reshape(-1, len(measures)).T:
        of_measure[:] = CORRECTIONS[how.correction](of_measure)
    disagree = lead * sign[measure] * found["difference"].round(12) <= 0
    outcome = np.select([p_values >= how.alpha, disagree, lead > 0], [2, 3, 0], default=1)
    runs, names = column(scores.runs), column(measures)
    columns = {"first": runs[rows[0]], "second": runs[rows[1]], "measure": names[measure]}
    return _table(measures, {**columns, **found, "verdict": column(VERDICTS)[outcome]})


def _counted(measures: Sequence[str], pairs: Table) -> dict[str, Table]:
    """Count the pairs with each verdict by one measure, and with each agreement of two."""
    names, verdicts = column(measures), pairs["verdict"].to_numpy().reshape(-1, len(measures))
    outcomes = {name: (verdicts == name).sum(axis=0) for name in VERDICTS}
    if not outcomes[VERDICTS[-1]].any():
        outcomes.popitem()
    # The better run of each pair: 1 for the first, -1 for the second, 0 for neither.
    better = np.select([verdicts == name for name in VERDICTS[:2]], [1, -1])
    one, other = np.triu_indices(len(measures), 1)
    a, b = better[:, one], better[:, other]
    # Each agreement has a number of its own; it is 2 or -2 if both measures find a run better.
    agree = 2 * a * b + abs(a) - abs(b)
    numbers = zip(AGREEMENTS, (2, 0, 1, -1, -2), strict=True)
    agreements = {name: (agree == number).sum(axis=0) for name, number in numbers}
    sides, named = {"first": names[one], "second": names[other]}, as_measure(measures)
    return {
        "verdicts": _table(measures, {"measure": names, **outcomes}),
        "agreement": _table(measures, {**sides, **agreements}, first=named, second=named),
    }


def _table(measures: Sequence[str], columns: Mapping[str, Any], **write: Any) -> Table:
    """Return a table with these columns."""
    write |= {"measure": as_measure(measures), "p_value": as_p_value}
    return Table(columns, _HEADINGS, measures=measures, **write)
