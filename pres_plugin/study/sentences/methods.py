"""How runs are compared, in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pres_plugin.study.sentences.words import count, percent, value_of

if TYPE_CHECKING:
    from pres_plugin.study.statistics.method import Method


def tested(how: Method, n_pairs: int) -> str:
    """Return how differences are tested, with everything needed to repeat the tests.

    >>> from pres_plugin.study.statistics.method import Method
    >>> from pres_plugin.study.sentences.methods import tested
    >>> tested(Method("t", correction="holm"), n_pairs=6)
    "Student's paired t test at α = 0.05 with Holm's correction for 6 pairs"
    """
    pairs = ", not corrected for the number of pairs"
    if how.correction != "none":
        pairs = f" for {count(n_pairs, 'pair')}"
    at_random = f", {how.of_resamples()}" if how.test == "randomization" else ""
    return f"{how.of_tests()}{pairs}{at_random}"


def interval(how: Method) -> str:
    """Return what an interval is called, or nothing without intervals."""
    return "" if how.confidence is None else f"{percent(how.confidence)} interval"


def between(how: Method, measure: str, low: float, high: float) -> str:
    """Return an interval of a measure, or nothing if it is undefined, as with one topic."""
    if math.isnan(low) or math.isnan(high):
        return ""
    return f"{interval(how)} {value_of(measure, low)} to {value_of(measure, high)}"


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
    """Return the least factor by which the correction multiplies the smallest p-value of all pairs.

    Benjamini and Hochberg's correction leaves a p-value as it is if no other is larger.
    """
    return n_pairs if how.correction in {"bonferroni", "holm"} else 1
