"""How runs are compared, in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pres_plugin.study.sentences.words import count, value_of

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


def between(how: Method, measure: str, low: float, high: float) -> str:
    """Return an interval of a measure, or nothing if it is undefined, as with one topic."""
    if math.isnan(low):
        return ""
    return f"{how.level} interval {value_of(measure, low)} to {value_of(measure, high)}"
