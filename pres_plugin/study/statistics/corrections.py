"""Correct p-values for the number of tests."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import stats

from pres_plugin.kernel.topics import Floats


def bonferroni(p_values: Floats) -> Floats:
    """Multiply each p-value by the number of tests."""
    return np.minimum(p_values * len(p_values), 1.0)


def holm(p_values: Floats) -> Floats:
    """Correct p-values with Holm's step-down method."""
    order = np.argsort(p_values)
    steps = p_values[order] * np.arange(len(p_values), 0, -1)
    corrected = np.empty_like(p_values)
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return corrected


#: The functions by the name of the correction. Benjamini and Hochberg's method controls the false
#: discovery rate: the expected fraction of the significant differences that are not real.
CORRECTIONS: dict[str, Callable[[Floats], Floats]] = {
    "none": np.copy,
    "bonferroni": bonferroni,
    "holm": holm,
    "bh": stats.false_discovery_control,
}
