"""Confidence intervals of means over topics, by the bootstrap."""

from __future__ import annotations

import numpy as np
from scipy import stats

from pres_plugin.kernel.topics import Floats
from pres_plugin.study.statistics.method import Method

# The number of decimals to which means of standardised values are rounded. Because the values are
# standardised, it suits measures of any scale.
_DECIMALS = 10

# At higher levels, BCa can put both bounds on one side of the mean if the values are very skewed.
_HIGHEST = 1 - 1e-6


def intervals(rows: Floats, confidence: float, how: Method) -> Floats:
    """Return the lower and upper bounds of the confidence interval of each row's mean.

    The intervals are bias-corrected and accelerated (BCa) [1]_. Each resample draws as many
    topics as there are, with replacement; all rows use the same resamples. For few topics,
    such intervals are too narrow, so their level is raised [2]_.

    Parameters
    ----------
    rows : ndarray of float64, shape (N, T)
        A value per topic: the scores of a run, or the differences of two runs.
    confidence : float
        Between 0 and 1.
    how : Method
        The number of resamples, and their seed.

    Returns
    -------
    ndarray of float64, shape (2, N)
        The lower bounds and the upper bounds. Both equal the mean if all values of a row are equal.
        NaN if there is only one topic.

    References
    ----------
    .. [1] B. Efron. Better bootstrap confidence intervals. JASA 82(397), 1987, 171-185.
    .. [2] T. C. Hesterberg. What teachers should know about the bootstrap. The American
       Statistician 69(4), 2015, 371-386.
    """
    n_topics = rows.shape[1]
    if n_topics < 2:
        return np.full((2, len(rows)), np.nan)
    mean = rows.mean(axis=1)
    bounds = np.array([mean, mean])
    level = _raised(confidence, n_topics)
    for some in how.blocks(np.flatnonzero(np.ptp(rows, axis=1))):
        deviation = rows[some].std(axis=1)
        standardised = (rows[some] - mean[some, None]) / deviation[:, None]
        found = stats.bootstrap(
            (standardised,),
            _rounded_mean,
            axis=1,
            confidence_level=level,
            method="BCa",
            **how.options(standardised.size),
        )
        bounds[:, some] += deviation * np.array(found.confidence_interval)
    return bounds


def _raised(confidence: float, n_topics: int) -> float:
    """Return the nominal level at which intervals over few topics have the requested coverage.

    The bootstrap takes quantiles of the normal distribution instead of Student's t, and its
    standard deviation divides by n instead of n - 1. This level makes up for both: for
    symmetric values, the interval is about that of the t test.
    """
    t = stats.t.ppf((1 + confidence) / 2, n_topics - 1)
    raised: float = 1 - 2 * stats.norm.sf(t * np.sqrt(n_topics / (n_topics - 1)))
    return min(raised, _HIGHEST)


def _rounded_mean(values: Floats, axis: int) -> Floats:
    """Return means of standardised values, whose mean over all topics is 0.

    BCa counts the resamples with the same mean, so their means must be exactly 0 in any order of
    summation. Rounding ensures that.
    """
    means: Floats = values.mean(axis=axis).round(_DECIMALS)
    return means
