"""Mean scores with their confidence intervals."""

from __future__ import annotations

import math

import pandas as pd

from pres_plugin.study.cells import Estimate
from pres_plugin.study.directions import is_sum
from pres_plugin.study.scoring import Scores


def estimates(scores: Scores, m: int, intervals: pd.DataFrame | None) -> list[Estimate]:
    """Return the means of all runs by the measure at index `m`, with their bounds.

    `intervals` is the table of a Comparison. Without it, all bounds are NaN. So are those of
    sums, because an interval is that of a mean.
    """
    measure = scores.measures[m]
    bounds: dict[str, tuple[float, float]] = {}
    if intervals is not None and not is_sum(measure):
        of_measure = intervals[intervals["measure"] == measure]
        low_high = zip(of_measure["low"], of_measure["high"], strict=True)
        bounds = dict(zip(of_measure["run"], low_high, strict=True))
    unknown = (math.nan, math.nan)
    return [
        Estimate(mean, *bounds.get(run, unknown))
        for run, mean in zip(scores.runs, scores.means[:, m].tolist(), strict=True)
    ]
