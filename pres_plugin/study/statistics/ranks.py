"""Rank the values in each row of an array.

``scipy.stats.rankdata`` does the same, but neither Wilcoxon's test nor the correlations import
``scipy.stats``, because that takes 0.6 s: half as long as a comparison of 17 runs.
"""

from __future__ import annotations

import numpy as np

from pres_plugin.kernel.topics import Floats


def average_ranks(values: Floats) -> Floats:
    """Return the rank of each value in its row, from 1 for the lowest; ties share the average.

    >>> import numpy as np
    >>> from pres_plugin.study.statistics.ranks import average_ranks
    >>> average_ranks(np.array([[0.3, 0.1, 0.3, 0.2]])).tolist()
    [[3.5, 1.0, 3.5, 2.0]]
    """
    order = np.argsort(values, axis=1)
    ascending = np.take_along_axis(values, order, axis=1)
    is_new = np.ones(values.shape, dtype=bool)
    is_new[:, 1:] = ascending[:, 1:] != ascending[:, :-1]
    starts = np.flatnonzero(is_new)
    sizes = np.diff(starts, append=values.size)
    # These averages continue from one row to the next.
    averages = np.repeat(starts + (sizes + 1) / 2, sizes).reshape(values.shape)
    averages -= values.shape[1] * np.arange(len(values))[:, None]
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, averages, axis=1)
    return ranks
