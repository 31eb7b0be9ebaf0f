"""Find which runs are better by each measure, and how often the measures agree."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from itertools import combinations
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from pres_plugin.remedy import Remedy, some
from pres_plugin.study.inputs import (
    Qrels,
    Runs,
    StudyError,
    checked_choice,
    checked_items,
    checked_measures,
    real,
)
from pres_plugin.study.orderings import correlations
from pres_plugin.study.scoring import Scores, best_first, score

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Indices = NDArray[np.intp]
Test = Literal["wilcoxon", "t"]
Correction = Literal["none", "holm"]

VERDICTS = ("first better", "second better", "no difference")

#: The largest number of tests in a comparison. There is one test per measure and pair of runs,
#: so this is enough for all pairs of 1,000 runs by three measures.
MOST_TESTS = 1_500_000

#: The ways in which two measures can agree or disagree about a pair of runs.
AGREEMENTS = (
    "same run better",
    "no difference by both",
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
    correlations : DataFrame
        The result of :func:`pres_plugin.study.orderings.correlations`.
    pairs : DataFrame
        One row per measure and pair of runs: `first`, `second`, `measure`, `p_value`
        (corrected, if requested) and `verdict`, one of :data:`VERDICTS`. The first run of
        a pair has the higher mean score by the first measure. If there are baselines, the
        second run is a baseline instead.
    verdicts : DataFrame
        One row per measure: the number of pairs with each verdict.
    agreement : DataFrame
        One row per pair of measures: the number of pairs of runs with each of :data:`AGREEMENTS`.
    baselines : tuple of str
        The runs that all others were compared with; empty if all pairs were compared.
    """

    scores: Scores
    correlations: pd.DataFrame
    pairs: pd.DataFrame
    verdicts: pd.DataFrame
    agreement: pd.DataFrame
    baselines: tuple[str, ...]


def compare(
    qrels: Qrels,
    runs: Runs,
    measures: Any,
    *,
    test: Test = "wilcoxon",
    alpha: float = 0.05,
    correction: Correction = "none",
    baselines: Iterable[str] = (),
) -> Comparison:
    """Compare each pair of runs by several measures, or each run with a baseline.

    Parameters
    ----------
    qrels, runs : Qrels, Runs
        The judgements, and the runs by name; see :func:`pres_plugin.study.scoring.score`.
    measures : iterable of str or ir_measures.Measure
        Anything ir-measures can parse. The first measure orders the runs in a pair.
    test : {'wilcoxon', 't'}, default 'wilcoxon'
        Wilcoxon's signed-rank test or Student's t test, paired by topic, two-sided.
        Wilcoxon's test ignores topics without a difference. Its p-value is exact for up
        to 50 topics without ties; otherwise it uses the normal distribution.
    alpha : float, default 0.05
        The significance level: two runs differ if the p-value is below it.
    correction : {'none', 'holm'}, default 'none'
        Whether to correct the p-values of each measure for testing many pairs.
    baselines : iterable of str, optional
        Names of runs. If given, each run is compared with each of these, instead of with
        all other runs. A pair of two baselines is compared once, with the one named first
        as the baseline. The correction counts only these pairs.

    Returns
    -------
    Comparison

    Raises
    ------
    StudyError
        If a measure, the judgements or a run cannot be scored, if two runs have the same
        name, if `alpha` is not between 0 and 1, if another option or a baseline is unknown,
        or if more than 1.5 million tests are needed: one per measure and pair of runs.

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
    _check_options(test, alpha, correction)
    named = tuple(checked_items("baselines", baselines))
    asked = checked_measures(measures)
    if isinstance(runs, Mapping):
        check_pairs(runs, len(asked), named)
    scores = score(qrels, runs, asked)
    return compare_scores(scores, test=test, alpha=alpha, correction=correction, baselines=named)


def compare_scores(
    scores: Scores,
    *,
    test: Test = "wilcoxon",
    alpha: float = 0.05,
    correction: Correction = "none",
    baselines: Iterable[str] = (),
) -> Comparison:
    """Compare runs that have already been scored; see :func:`compare` for the options."""
    _check_options(test, alpha, correction)
    named = tuple(checked_items("baselines", baselines))
    check_pairs(scores.runs, len(scores.measures), named)
    baselines = tuple(dict.fromkeys(named))
    first, second = _pairs(scores, baselines)
    # For each measure and pair: 1 if the first run is better, -1 if the second one is.
    signs = np.zeros((len(scores.measures), len(first)), dtype=np.int64)
    p_values = np.ones(signs.shape)
    for m in range(len(scores.measures)):
        p_values[m], signs[m] = _tested(scores.values[:, :, m], first, second, test)
        if correction == "holm":
            p_values[m] = holm(p_values[m])
    signs[~(p_values < alpha)] = 0
    return Comparison(
        scores,
        correlations(scores.means, scores.measures),
        _pairs_table(scores, first, second, p_values, signs),
        _verdicts(scores.measures, signs),
        _agreement(scores.measures, signs),
        baselines,
    )


def check_pairs(runs: Collection[str], n_measures: int, baselines: Collection[str]) -> None:
    """Raise a StudyError if a baseline is not among the runs, or if there are too many pairs."""
    for baseline in baselines:
        if not isinstance(baseline, str) or baseline not in runs:
            problem = f"baseline {baseline!r:.60} is not among the runs ({some(runs)})"
            similar = get_close_matches(str(baseline), map(str, runs), n=1)
            raise StudyError(problem + (f"; did you mean {similar[0]!r}?" if similar else ""))
    n_baselines = len(set(baselines)) or len(runs)  # without baselines, each run is one
    n_tests = sum(range(len(runs) - n_baselines, len(runs))) * n_measures
    if n_tests > MOST_TESTS:
        raise StudyError(
            f"comparing {len(runs):,} runs by {n_measures} measures requires {n_tests:,} tests, "
            f"more than the limit of {MOST_TESTS:,}",
            Remedy(
                "compare each run with one baseline only ({}), or use fewer measures",
                "baselines",
                (("RUN",),),
            ),
        )


def _check_options(test: Any, alpha: Any, correction: Any) -> None:
    checked_choice("test", test, get_args(Test))
    real("alpha", alpha, above=0, below=1)
    checked_choice("correction", correction, get_args(Correction))


_EXACT_UP_TO = 50

#: The number of differences to test at once; arrays of this size stay in the processor's cache.
_AT_ONCE = 100_000


def holm(p_values: Floats) -> Floats:
    """Correct p-values for multiple testing with Holm's step-down method."""
    order = np.argsort(p_values)
    steps = p_values[order] * np.arange(len(p_values), 0, -1)
    corrected = np.empty_like(p_values)
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return corrected


def _pairs(scores: Scores, baselines: Collection[str]) -> tuple[Indices, Indices]:
    """Return the indices of the first and of the second run of each pair."""
    order = best_first(scores.means[:, 0])
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


def _tested(values: Floats, first: Indices, second: Indices, test: Test) -> tuple[Floats, Ints]:
    """Return the p-value of each pair, and which run leads.

    The leader is 1 if the first run is better, -1 if the second one is, and 0 if neither is.
    `values` has one row per run and one column per topic.
    """
    p_values = np.empty(len(first))
    signs = np.empty(len(first), dtype=np.int64)
    # Process a block of pairs at a time, because all differences might not fit in memory.
    size = max(1, _AT_ONCE // values.shape[1])
    for start in range(0, len(first), size):
        block = slice(start, start + size)
        # Round, so that differences tie if they are equal except for rounding errors.
        differences = (values[first[block]] - values[second[block]]).round(12)
        p_values[block], signs[block] = _TESTS[test](differences)
    return p_values, signs


def _wilcoxon(differences: Floats) -> tuple[Floats, Ints]:
    p_values = np.ones(len(differences))
    signs = np.zeros(len(differences), dtype=np.int64)
    changed = np.count_nonzero(differences, axis=1)
    differ = changed > 0
    if not differ.any():
        return p_values, signs
    differences, changed = differences[differ], changed[differ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scipy warns about small samples
        # The statistic of the one-sided test is the sum of the positive differences' ranks.
        found = stats.wilcoxon(differences, method="approx", alternative="greater", axis=1)
    of_pairs = 2 * stats.norm.sf(np.abs(found.zstatistic))
    # Choose the method, because for small samples with ties scipy would use permutations, which
    # need a thousand times as long.
    exact = ~_any_tie(differences) & (changed <= _EXACT_UP_TO)
    for n in np.unique(changed[exact]).tolist():
        rows = exact & (changed == n)
        of_pairs[rows] = _exact_p_values(n)[found.statistic[rows].astype(np.intp)]
    p_values[differ] = of_pairs
    signs[differ] = np.sign(found.statistic - changed * (changed + 1) / 4)
    return p_values, signs


def _any_tie(differences: Floats) -> NDArray[np.bool_]:
    """Return whether any two differences of a pair, other than 0, have the same magnitude."""
    magnitudes = np.sort(np.abs(differences), axis=1)
    tied: NDArray[np.bool_] = (
        (magnitudes[:, 1:] == magnitudes[:, :-1]) & (magnitudes[:, 1:] > 0)
    ).any(axis=1)
    return tied


@cache
def _exact_p_values(n: int) -> Floats:
    """Return Wilcoxon's exact p-value of n differences for each sum of positive ranks.

    Without ties, the p-value depends only on n and this sum. So scipy computes it once per sum,
    for n made-up differences whose positive ranks have that sum: from the highest rank down,
    a difference is positive if its rank does not exceed what is left of the sum.
    """
    left = np.arange(n * (n + 1) // 2 + 1)
    differences = np.empty((len(left), n))
    for rank in range(n, 0, -1):
        fits = left >= rank
        differences[:, rank - 1] = np.where(fits, rank, -rank)
        left[fits] -= rank
    p_values: Floats = stats.wilcoxon(differences, method="exact", axis=1).pvalue
    return p_values


def _t(differences: Floats) -> tuple[Floats, Ints]:
    if differences.shape[1] < 2:
        return np.ones(len(differences)), _signs(differences)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scipy warns if all differences are equal
        p_values = stats.ttest_rel(differences, np.zeros_like(differences), axis=1).pvalue
    # Without any difference, t is undefined and the p-value is 1.
    return np.where(differences.any(axis=1), p_values, 1.0), _signs(differences)


def _signs(differences: Floats) -> Ints:
    signs: Ints = np.sign(differences.sum(axis=1)).astype(np.int64)
    return signs


_TESTS = {"wilcoxon": _wilcoxon, "t": _t}


def _pairs_table(
    scores: Scores, first: Indices, second: Indices, p_values: Floats, signs: Ints
) -> pd.DataFrame:
    runs, measures, verdicts = (
        np.array(names, dtype=object)
        for names in (scores.runs, scores.measures, [VERDICTS[2], VERDICTS[0], VERDICTS[1]])
    )
    return pd.DataFrame(
        {
            "first": np.repeat(runs[first], len(measures)),
            "second": np.repeat(runs[second], len(measures)),
            "measure": np.tile(measures, len(first)),
            "p_value": p_values.T.ravel(),
            "verdict": verdicts[signs.T.ravel()],  # -1 is the last one
        }
    )


def _verdicts(measures: tuple[str, ...], signs: Ints) -> pd.DataFrame:
    counts = [[int((of_measure == s).sum()) for s in (1, -1, 0)] for of_measure in signs]
    return pd.DataFrame(counts, index=pd.Index(measures, name="measure"), columns=list(VERDICTS))


def _agreement(measures: tuple[str, ...], signs: Ints) -> pd.DataFrame:
    rows = []
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
    return pd.DataFrame(rows, columns=["first", "second", *AGREEMENTS])
