"""Confidence intervals: those of SciPy at a raised level, and what must not change them."""

import math

import numpy as np
import pytest
from beginnings import raises
from scipy import stats

from pres_plugin import InputError
from pres_plugin.study.statistics import method
from pres_plugin.study.statistics.intervals import intervals
from pres_plugin.study.statistics.method import Method

FEW = Method(resamples=999, seed=7)

#: Skewed scores, scores that are mostly 0, ranks in the thousands, and few topics. Whole numbers
#: have sums without rounding errors, so that SciPy finds all resamples whose mean is the same.
SAMPLES = [
    np.random.default_rng(0).beta(0.5, 2, 30),
    np.array([0.0] * 17 + [1, 2, 4]),
    np.random.default_rng(2).integers(1, 9000, 40).astype(float),
    np.array([1.0, 3.0]),
]


def test_numbers_out_of_range_are_refused():
    # One resample beyond each bound is enough.
    Method(confidence=1 - 2 / 1024, resamples=1024)
    with raises(InputError, "confidence must be at most 0.998 with 1,024 resamples"):
        Method(confidence=0.9981, resamples=1024)
    with raises(InputError, "seed must be"):
        Method(seed=2**128)


@pytest.mark.parametrize("values", SAMPLES)
@pytest.mark.parametrize("confidence", [0.8, 0.99])
def test_intervals_are_those_of_scipy_at_the_raised_level(values, confidence):
    # Hesterberg 2015 expands the level in this way.
    n = len(values)
    width = stats.t.ppf((1 + confidence) / 2, n - 1) * math.sqrt(n / (n - 1))
    level = min(math.erf(width / math.sqrt(2)), 1 - 1e-6)
    rng = np.random.default_rng(FEW.seed)
    options = {"n_resamples": FEW.resamples, "confidence_level": level, "rng": rng}
    expected = stats.bootstrap((values,), np.mean, method="BCa", **options).confidence_interval
    found = intervals(values[None], confidence, FEW)
    assert found[:, 0] == pytest.approx(expected, rel=1e-8, abs=1e-9)


def test_each_row_sees_the_same_resamples_whatever_the_others_are(monkeypatch):
    rows = np.random.default_rng(4).random((9, 20))
    expected = intervals(rows, 0.95, FEW)
    assert intervals(rows[[3]], 0.95, FEW)[:, 0] == pytest.approx(expected[:, 3])
    # Neither do blocks of rows or of resamples matter.
    for name, size in {"_COMPUTED_AT_ONCE": 2 * FEW.resamples, "_DRAWN_AT_ONCE": 140}.items():
        monkeypatch.setattr(method, name, size)
    assert intervals(rows, 0.95, FEW) == pytest.approx(expected)


def test_scores_that_are_all_equal_have_an_interval_of_one_point():
    low, high = intervals(np.array([[0.1] * 50, [0.0] * 50, [1 / 3] * 50]), 0.95, FEW)
    assert low == pytest.approx([0.1, 0, 1 / 3], abs=1e-15)
    assert low.tolist() == high.tolist()


def test_one_topic_and_no_rows_have_no_interval():
    for rows in (np.ones((3, 1)), np.ones((0, 5))):
        bounds = intervals(rows, 0.95, FEW)
        np.testing.assert_array_equal(bounds, np.full((2, len(rows)), np.nan))
