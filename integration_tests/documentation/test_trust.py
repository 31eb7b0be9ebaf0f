"""A claim of docs/trust.md that no other test makes."""

import random

import pytest

from pres_plugin import rnorm


def test_rnorm_is_the_area_under_the_roc_curve():
    stats = pytest.importorskip("scipy.stats", reason="SciPy is not installed")
    rng = random.Random(0)
    for _ in range(200):
        n_docs = rng.randint(2, 300)
        n = rng.randint(1, n_docs - 1)
        ranks = rng.sample(range(1, n_docs + 1), n)
        others = sorted({*range(1, n_docs + 1)} - {*ranks})
        # U counts the pairs in which the relevant document comes first.
        u = stats.mannwhitneyu([-rank for rank in ranks], [-rank for rank in others]).statistic
        assert rnorm(ranks, n, n_docs) == pytest.approx(u / (n * len(others)), abs=1e-12)
