"""Ranks, tests and correlations computed without SciPy are those of SciPy."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy import stats

from pres_plugin.study.statistics import tests
from pres_plugin.study.statistics.orderings import correlations, kendall_tau
from pres_plugin.study.statistics.ranks import average_ranks
from pres_plugin.study.statistics.resampling import Resampling

TABLES = arrays.arrays(
    np.float64,
    arrays.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=60),
    elements=st.sampled_from([-1.0, -0.5, -0.25, 0.0, 0.125, 0.5, 0.75]) | st.floats(-1, 1),
)
ORDERS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=60)


@given(TABLES)
def test_tied_values_share_the_average_rank(table):
    assert average_ranks(table).tolist() == stats.rankdata(table, axis=1).tolist()


# SciPy 1.13 warns that the approximation is poor for few topics.
@pytest.mark.filterwarnings("ignore:Sample size too small:UserWarning")
@given(TABLES)
def test_wilcoxons_statistics_are_those_of_scipy(table):
    table = table[table.any(axis=1)]
    if len(table):
        p_values, higher_sum, n, ties = tests._normal_p_values(table)
        for row, differences in enumerate(table):
            changed = differences[differences != 0]
            found = stats.wilcoxon(changed, method="approx", alternative="greater")
            assert (higher_sum[row], n[row]) == (found.statistic, len(changed))
            expected = 2 * stats.norm.sf(abs(found.zstatistic))
            # SciPy's own normal distribution is exact to 13 digits.
            assert math.isclose(p_values[row], expected, rel_tol=1e-13)
            assert ties[row] == (len(np.unique(abs(changed))) < len(changed))


def test_exact_p_values_are_those_of_scipy():
    rng = np.random.default_rng(0)
    for n in range(1, 51):
        differences = rng.permutation(np.arange(1, n + 1)) * rng.choice([-1.0, 1.0], n)
        expected = stats.wilcoxon(differences, method="exact").pvalue
        assert tests.wilcoxon(differences[None], Resampling())[0].tolist() == [expected]


@given(ORDERS)
def test_correlations_are_those_of_scipy(pairs):
    means = np.array(pairs, dtype=np.float64) / 7
    rho, tau = (math.nan, math.nan)
    if all(len(np.unique(column)) > 1 for column in means.T):
        rho, tau = stats.spearmanr(*means.T).statistic, stats.kendalltau(*means.T).statistic
    found = correlations(means, ("AP", "PRES@10")).frame.row(0, named=True)
    np.testing.assert_array_equal([found["kendall_tau"], kendall_tau(*means.T)], [tau, tau])
    np.testing.assert_allclose(found["spearman_rho"], rho, rtol=1e-15, atol=1e-15)
