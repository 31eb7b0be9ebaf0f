"""Describe how large the differences between two runs are, and in how many topics they differ."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Effects(NamedTuple):
    """The effects of P pairs of runs; each array has shape (P,).

    Attributes
    ----------
    difference : ndarray of float64
        The mean difference.
    standardised : ndarray of float64
        The mean difference divided by the standard deviation of the differences; NaN if
        all differences are equal or if there is only one topic.
    improved, worsened, equal : ndarray of int64
        The number of topics for which the first run is higher, lower or equal.
    """

    difference: Floats
    standardised: Floats
    improved: Ints
    worsened: Ints
    equal: Ints


def effects(differences: Floats) -> Effects:
    """Describe differences with one row per pair of runs and one column per topic."""
    n_topics = differences.shape[1]
    difference = differences.mean(axis=1)
    standardised = np.full(len(differences), np.nan)
    # Rounding errors would give equal differences a tiny standard deviation.
    varied = np.ptp(differences, axis=1) > 0
    if varied.any():
        standardised[varied] = difference[varied] / differences[varied].std(axis=1, ddof=1)
    improved = np.count_nonzero(differences > 0, axis=1)
    worsened = np.count_nonzero(differences < 0, axis=1)
    return Effects(difference, standardised, improved, worsened, n_topics - improved - worsened)
