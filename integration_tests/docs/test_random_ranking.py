"""The value of a random ranking in docs/which-measure.md."""

from itertools import combinations
from statistics import fmean

import pytest
from random_ranking import random_pres

from pres_plugin import pres


def test_the_expectation_is_the_mean_over_all_rankings_of_small_collections():
    for n_docs in range(1, 8):
        for n in range(1, n_docs + 1):
            for n_max in range(1, n_docs + 3):
                rankings = combinations(range(1, n_docs + 1), n)
                mean = fmean(pres(ranks, n, n_max) for ranks in rankings)
                assert random_pres(n, n_docs, n_max) == pytest.approx(mean, abs=1e-12)
