"""Find which runs are better by each measure, and how often the measures agree."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from pres_plugin.study.inputs import Qrels, Runs, checked_choice, real
from pres_plugin.study.orderings import correlations
from pres_plugin.study.scoring import Scores, best_first, score

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Test = Literal["wilcoxon", "t"]
Correction = Literal["none", "holm"]

VERDICTS = ("first better", "second better", "no difference")

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
        One row per pair of runs and measure: `first`, `second`, `measure`, `p_value`
        (corrected, if requested) and `verdict`, one of :data:`VERDICTS`. The first run of
        a pair has the higher mean score by the first measure.
    verdicts : DataFrame
        One row per measure: the number of pairs with each verdict.
    agreement : DataFrame
        One row per pair of measures: the number of pairs of runs with each of :data:`AGREEMENTS`.
    """

    scores: Scores
    correlations: pd.DataFrame
    pairs: pd.DataFrame
    verdicts: pd.DataFrame
    agreement: pd.DataFrame


def compare(
    qrels: Qrels,
    runs: Runs,
    measures: Any,
    *,
    test: Test = "wilcoxon",
    alpha: float = 0.05,
    correction: Correction = "none",
) -> Comparison:
    """Compare each pair of runs by several measures.

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

    Returns
    -------
    Comparison

    Raises
    ------
    StudyError
        If a measure, the judgements or a run cannot be scored, if two runs have the same
        name, if `alpha` is not between 0 and 1, or if another option is unknown.

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
    return compare_scores(
        score(qrels, runs, measures), test=test, alpha=alpha, correction=correction
    )


def compare_scores(
    scores: Scores,
    *,
    test: Test = "wilcoxon",
    alpha: float = 0.05,
    correction: Correction = "none",
) -> Comparison:
    """Compare runs that have already been scored; see :func:`compare` for the options."""
    _check_options(test, alpha, correction)
    order = best_first(scores.means[:, 0]).tolist()
    pairs = list(combinations(order, 2))
    # For each measure and pair: 1 if the first run is better, -1 if the second one is.
    first, second = ([pair[side] for pair in pairs] for side in (0, 1))
    signs = np.zeros((len(scores.measures), len(pairs)), dtype=np.int64)
    p_values = np.ones(signs.shape)
    for m in range(len(scores.measures) if pairs else 0):
        of_measure = scores.values[:, :, m]
        # Round, so that differences tie if they are equal except for rounding errors.
        differences = (of_measure[first] - of_measure[second]).round(12)
        p_values[m], signs[m] = _TESTS[test](differences)
        if correction == "holm":
            p_values[m] = holm(p_values[m])
    signs[~(p_values < alpha)] = 0
    return Comparison(
        scores,
        correlations(scores.means, scores.measures),
        _pairs(scores, pairs, p_values, signs),
        _verdicts(scores.measures, signs),
        _agreement(scores.measures, signs),
    )


def _check_options(test: Any, alpha: Any, correction: Any) -> None:
    checked_choice("test", test, get_args(Test))
    real("alpha", alpha, above=0, below=1)
    checked_choice("correction", correction, get_args(Correction))


_EXACT_UP_TO = 50


def holm(p_values: Floats) -> Floats:
    """Correct p-values for multiple testing with Holm's step-down method."""
    order = np.argsort(p_values)
    steps = p_values[order] * np.arange(len(p_values), 0, -1)
    corrected = np.empty_like(p_values)
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return corrected


def _wilcoxon(differences: Floats) -> tuple[Floats, Ints]:
    magnitudes = np.sort(np.abs(differences), axis=1)
    changed = (magnitudes > 0).sum(axis=1)
    tied = ((np.diff(magnitudes) == 0) & (magnitudes[:, 1:] > 0)).any(axis=1)
    p_values = np.ones(len(differences))
    # Choose the method, because for small samples with ties scipy would use permutations, which
    # take a thousand times as long.
    exact = (changed > 0) & ~tied & (changed <= _EXACT_UP_TO)
    for row in np.flatnonzero(exact):
        of_pair = differences[row]
        p_values[row] = stats.wilcoxon(of_pair[of_pair != 0], method="exact").pvalue
    normal = (changed > 0) & ~exact
    if normal.any():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # scipy warns about small samples
            p_values[normal] = stats.wilcoxon(differences[normal], method="approx", axis=1).pvalue
    # Topics without a difference have the lowest ranks. The test ignores them.
    n_topics = differences.shape[1]
    ranks = stats.rankdata(np.abs(differences), axis=1) - (n_topics - changed)[:, None]
    return p_values, _signs(ranks * np.sign(differences))


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

_VERDICT_OF = {1: VERDICTS[0], -1: VERDICTS[1], 0: VERDICTS[2]}


def _pairs(
    scores: Scores, pairs: list[tuple[int, int]], p_values: Floats, signs: Ints
) -> pd.DataFrame:
    rows = [
        (scores.runs[i], scores.runs[j], measure, p_values[m, k], _VERDICT_OF[int(signs[m, k])])
        for k, (i, j) in enumerate(pairs)
        for m, measure in enumerate(scores.measures)
    ]
    return pd.DataFrame(rows, columns=["first", "second", "measure", "p_value", "verdict"])


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
