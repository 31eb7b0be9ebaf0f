"""How runs are compared, in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pres_plugin.study.sentences.words import count, percent

if TYPE_CHECKING:
    from pres_plugin.study.statistics.method import Method

_TESTS = {
    "wilcoxon": "Wilcoxon's signed-rank test",
    "t": "a paired t test",
    "randomization": "Fisher's randomization test",
}
_CORRECTIONS = {
    "none": "no correction",
    "bonferroni": "Bonferroni's correction",
    "holm": "Holm's correction",
    "bh": "Benjamini and Hochberg's correction",
}


def test_and_level(how: Method) -> str:
    """Return the test, the significance level and the correction.

    >>> from pres_plugin.study.statistics.method import Method
    >>> from pres_plugin.study.sentences.methods import test_and_level
    >>> test_and_level(Method(correction="holm"))
    "Wilcoxon's signed-rank test, α = 0.05, Holm's correction"
    """
    return f"{_TESTS[how.test]}, α = {how.alpha:g}, {_CORRECTIONS[how.correction]}"


def tested(how: Method, n_pairs: int) -> str:
    """Return how the differences are tested, with everything needed to repeat the test.

    >>> from pres_plugin.study.statistics.method import Method
    >>> from pres_plugin.study.sentences.methods import tested
    >>> tested(Method("t", correction="bonferroni"), n_pairs=6)
    "a paired t test, α = 0.05, Bonferroni's correction for 6 pairs"
    """
    at_random = f", {_resamples(how)}" if how.test == "randomization" else ""
    pairs = "" if how.correction == "none" else f" for {count(n_pairs, 'pair')}"
    return f"{test_and_level(how)}{pairs}{at_random}"


def intervals_by(how: Method) -> str:
    """Return how the confidence intervals are computed; there must be some."""
    level = percent(1.0 if how.confidence is None else how.confidence)
    return f"{level} confidence intervals (BCa bootstrap, {_resamples(how)})"


def _resamples(how: Method) -> str:
    return f"{count(how.resamples, 'resample')}, seed {how.seed}"


def correction(how: Method) -> str:
    """Return the correction for the number of pairs."""
    return _CORRECTIONS[how.correction]


def interval(how: Method) -> str:
    """Return what an interval is called, or nothing without intervals."""
    return "" if how.confidence is None else f"{percent(how.confidence)} interval"


def smallest_p_value(how: Method, n_topics: int) -> float:
    """Return a bound that no p-value of the test can be below, before correction.

    >>> from pres_plugin.study.statistics.method import Method
    >>> from pres_plugin.study.sentences.methods import smallest_p_value
    >>> smallest_p_value(Method("randomization"), 5)
    0.0625
    """
    if n_topics == 1:
        return 1.0
    if how.test == "t":
        return 0.0
    exact: float = 2.0 ** (1 - n_topics)  # all topics differ in the same direction
    if how.test == "wilcoxon":
        # With ties, the p-value is that of a normal distribution. The statistic is the sum of
        # the signed ranks divided by the root of the sum of their squares, so at most √n.
        return min(exact, math.erfc(math.sqrt(n_topics / 2)))
    # With more topics, random signs are drawn.
    all_signs = 2.0 ** (1 - int(math.log2(how.resamples)))
    return max(exact, min(all_signs, 2 / (how.resamples + 1)))


def times(how: Method, n_pairs: int) -> int:
    """Return what the correction multiplies the smallest p-value of all pairs by, at least.

    Benjamini and Hochberg's correction leaves a p-value as it is if no other is larger.
    """
    return n_pairs if how.correction in {"bonferroni", "holm"} else 1
