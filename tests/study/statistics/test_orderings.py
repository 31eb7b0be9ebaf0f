"""Correlations of two orderings of the same runs."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pres_plugin.study.statistics.orderings import correlations

ORDERS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=60)


@given(ORDERS)
def test_correlations_are_those_of_scipy_and_undefined_without_an_order(pairs):
    means = np.array(pairs) / 7
    expected = [math.nan, math.nan]
    if all(np.ptp(means, axis=0)):
        expected = [each(*means.T).statistic for each in (stats.kendalltau, stats.spearmanr)]
    _, _, *found = correlations(means, ("AP", "PRES@10")).frame.row(0)
    np.testing.assert_allclose(found, expected, rtol=1e-15, atol=1e-15)
