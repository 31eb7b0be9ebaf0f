"""Correlations computed without SciPy are those of SciPy."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pres_plugin.study.statistics.orderings import correlations, kendall_tau

ORDERS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=60)


@given(ORDERS)
def test_correlations_are_those_of_scipy(pairs):
    means = np.array(pairs, dtype=np.float64) / 7
    rho, tau = (math.nan, math.nan)
    if all(len(np.unique(column)) > 1 for column in means.T):
        rho, tau = stats.spearmanr(*means.T).statistic, stats.kendalltau(*means.T).statistic
    found = correlations(means, ("AP", "PRES@10")).frame.row(0, named=True)
    np.testing.assert_array_equal([found["kendall_tau"], kendall_tau(*means.T)], [tau, tau])
    np.testing.assert_allclose(found["spearman_rho"], rho, rtol=1e-15, atol=1e-15)
