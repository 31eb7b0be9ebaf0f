"""Mean scores with their confidence intervals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from pres_plugin.study.cells import Estimate
from pres_plugin.study.columns import Columns
from pres_plugin.study.scoring import Scores

if TYPE_CHECKING:
    import pandas as pd


def estimates(scores: Scores, m: int, intervals: Columns | pd.DataFrame | None) -> list[Estimate]:
    """Return the means of all runs by the measure at index `m`, with their bounds.

    `intervals` is the table of intervals of a Comparison. Without it, all bounds are NaN.
    """
    measure = scores.measures[m]
    bounds: dict[str, tuple[float, float]] = {}
    if intervals is not None:
        is_of_measure = np.asarray(intervals["measure"]) == measure
        run, low, high = (
            np.asarray(intervals[name])[is_of_measure].tolist() for name in ("run", "low", "high")
        )
        bounds = dict(zip(run, zip(low, high, strict=True), strict=True))
    unknown = (math.nan, math.nan)
    return [
        Estimate(mean, *bounds.get(run, unknown))
        for run, mean in zip(scores.runs, scores.means[:, m].tolist(), strict=True)
    ]
