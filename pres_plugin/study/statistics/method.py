"""The settings of a comparison, and of the methods that draw topics or signs at random.

A method draws once per block of rows, and each block starts from the same seed. So each row,
which is a run or a pair of runs, sees the same resamples, whatever the other rows are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pres_plugin.messages import InputError
from pres_plugin.output.words import count, percent
from pres_plugin.study.arguments import (
    FEWEST_RESAMPLES,
    LARGEST_SEED,
    MOST_RESAMPLES,
    checked_choice,
    positive,
    whole,
)

Test = Literal["t", "randomization", "wilcoxon"]
Correction = Literal["holm", "bonferroni", "bh", "none"]
Indices = NDArray[np.intp]

#: The number of values to draw at once, and of results to keep for a block of rows.
_DRAWN_AT_ONCE = 1_000_000
_COMPUTED_AT_ONCE = 4_000_000

_TESTS = {
    "t": "Student's paired t test",
    "randomization": "Fisher's randomization test",
    "wilcoxon": "Wilcoxon's signed-rank test",
}
_CORRECTIONS = {
    "holm": "with Holm's correction",
    "bonferroni": "with Bonferroni's correction",
    "bh": "with Benjamini and Hochberg's correction",
    "none": "without correction",
}


@dataclass(frozen=True, kw_only=True)
class Method:
    """How runs are compared; see :func:`pres_plugin.study.compare.compare`.

    .. versionadded:: 0.2.0

    Attributes
    ----------
    test : {'t', 'randomization', 'wilcoxon'}
        The test of the difference between two runs.
    alpha : float
        The significance level.
    correction : {'holm', 'bonferroni', 'bh', 'none'}
        How the p-values of each measure are corrected for the number of pairs.
    confidence : float or None
        The level of the confidence intervals; None if there are none.
    resamples, seed : int
        The number of resamples of the confidence intervals and of the randomization test,
        and the seed from which they are drawn.

    Raises
    ------
    InputError
        If a setting is invalid.
    """

    test: Test = "t"
    alpha: float = 0.05
    correction: Correction = "holm"
    confidence: float | None = None
    resamples: int = 9999
    seed: int = 0

    def __post_init__(self) -> None:
        checked_choice("test", self.test, _TESTS)
        positive("alpha", self.alpha)
        checked_choice("correction", self.correction, _CORRECTIONS)
        whole("resamples", self.resamples, FEWEST_RESAMPLES, MOST_RESAMPLES)
        if self.confidence is not None:
            positive("confidence", self.confidence)
            # Expect at least one resample beyond each bound of an interval.
            if (1 - self.confidence) * self.resamples < 2:
                most = math.floor((1 - 2 / self.resamples) * 10_000) / 10_000
                raise InputError(
                    f"confidence must be at most {most:g} with {self.resamples:,} resamples, got "
                    f"{self.confidence!r}; a higher level needs more resamples"
                )
        whole("seed", self.seed, 0, LARGEST_SEED)

    def options(self, n_values: int) -> dict[str, Any]:
        """Return keyword arguments for SciPy's resampling, with a newly seeded generator.

        Each resample draws this number of values.
        """
        return {
            "n_resamples": self.resamples,
            "batch": max(1, _DRAWN_AT_ONCE // n_values),
            "vectorized": True,
            "rng": np.random.default_rng(self.seed),
        }

    def blocks(self, rows: Indices) -> Iterator[Indices]:
        """Yield the indices of rows in blocks whose resamples fit into memory."""
        size = _COMPUTED_AT_ONCE // self.resamples
        for start in range(0, len(rows), size):
            yield rows[start : start + size]

    @property
    def is_random(self) -> bool:
        """Whether the results depend on the seed."""
        return self.confidence is not None or self.test == "randomization"

    @property
    def level(self) -> str:
        """The level of the confidence intervals in words; empty if there are none.

        No correction applies to intervals.
        """
        return "" if self.confidence is None else f"uncorrected {percent(self.confidence)}"

    def of_tests(self, n_pairs: int) -> str:
        """Return the test, its level, the correction and the number of pairs in words.

        A single pair needs no correction, so none is named.
        """
        test = f"{_TESTS[self.test]} at α = {self.alpha:g}"
        if n_pairs == 1:
            return test
        return f"{test}, {_CORRECTIONS[self.correction]} for {count(n_pairs, 'pair')}"

    def of_intervals(self) -> str:
        """Return the level and the kind of the confidence intervals in words."""
        return (
            f"{self.level} confidence intervals by the BCa bootstrap over topics, "
            "adjusted for the number of topics"
        )

    def of_resamples(self) -> str:
        """Return the number of resamples and their seed in words."""
        return f"{self.resamples:,} resamples, seed {self.seed}"
