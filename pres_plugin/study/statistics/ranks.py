"""Rank the values in each row of an array."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def average_ranks(values: Floats) -> Floats:
    """Return the rank of each value in its row, from 1 for the lowest; ties share the average.

    >>> import numpy as np
    >>> from pres_plugin.study.statistics.ranks import average_ranks
    >>> average_ranks(np.array([[0.3, 0.1, 0.3, 0.2]])).tolist()
    [[3.5, 1.0, 3.5, 2.0]]
    """
    order = np.argsort(values, axis=1)
    ascending = np.take_along_axis(values, order, axis=1)
    is_new = np.ones((values.shape[0], values.shape[1] + 1), dtype=bool)
    is_new[:, 1:-1] = ascending[:, 1:] != ascending[:, :-1]
    at = np.arange(values.shape[1])
    first = np.maximum.accumulate(np.where(is_new[:, :-1], at, 0), axis=1)
    last = np.minimum.accumulate(np.where(is_new[:, 1:], at, at[-1])[:, ::-1], axis=1)[:, ::-1]
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=1)
    return ranks
