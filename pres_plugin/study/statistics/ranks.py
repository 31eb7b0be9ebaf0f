"""Rank the values in each row of an array.

``scipy.stats.rankdata`` does the same, but neither Wilcoxon's test nor the correlations import
``scipy.stats``, because that takes 0.6 s: half as long as a comparison of 17 runs.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from pres_plugin.kernel.topics import Floats


def average_ranks(values: Floats) -> Floats:
    """Return the rank of each value in its row, from 1 for the lowest; ties share the average.

    >>> import numpy as np
    >>> from pres_plugin.study.statistics.ranks import average_ranks
    >>> average_ranks(np.array([[0.3, 0.1, 0.3, 0.2]])).tolist()
    [[3.5, 1.0, 3.5, 2.0]]
    """
    row, _ = np.indices(values.shape)
    frame = pl.DataFrame({"row": row.ravel(), "value": values.ravel()})
    ranks = frame.select(pl.col("value").rank().over("row")).to_series()
    return ranks.to_numpy().reshape(values.shape)
