"""What a random order scores by each measure, against all orders of small collections."""

from itertools import combinations
from statistics import fmean

import measure_tables
import pytest
from random_ranking import random_pres

from pres_plugin import effort, last_rel, pres, recall, rnorm, tnr, wss

#: The size of a collection, and the number of its relevant documents.
SIZES = [(n_docs, n) for n_docs in range(1, 9) for n in range(1, n_docs + 1)]
RECALLS = [0.05, 0.5, 0.7, 0.95, 1.0]


def mean_of_all_orders(score, n_docs, n, *arguments):
    """Return the mean score of all sets of ranks that n relevant documents can have."""
    orders = combinations(range(1, n_docs + 1), n)
    return fmean(score(ranks, n, *arguments) for ranks in orders)


@pytest.mark.parametrize(("n_docs", "n"), SIZES)
def test_wss_tnr_and_effort_of_a_random_order(n_docs, n):
    for target in RECALLS:
        mean = mean_of_all_orders(wss, n_docs, n, n_docs, target)
        expected = measure_tables.expected_wss(n, n_docs, target)
        assert mean == pytest.approx(float(expected), abs=1e-12)
        mean = mean_of_all_orders(tnr, n_docs, n, n_docs, target)
        expected = measure_tables.expected_tnr(n, target) if n < n_docs else 1
        assert mean == pytest.approx(float(expected), abs=1e-12)
        mean = mean_of_all_orders(effort, n_docs, n, n_docs, target)
        assert mean == pytest.approx(measure_tables.goal(n, target) * (n_docs + 1) / (n + 1))


@pytest.mark.parametrize(("n_docs", "n"), SIZES)
def test_other_measures_of_a_random_order(n_docs, n):
    mean = mean_of_all_orders(last_rel, n_docs, n)
    assert mean == pytest.approx(n * (n_docs + 1) / (n + 1))
    mean = mean_of_all_orders(rnorm, n_docs, n, n_docs)
    assert mean == pytest.approx(0.5 if n < n_docs else 1)
    for k in range(1, n_docs + 1):
        assert mean_of_all_orders(recall, n_docs, n, k) == pytest.approx(k / n_docs)
    for n_max in range(1, n_docs + 3):
        mean = mean_of_all_orders(pres, n_docs, n, n_max)
        assert mean == pytest.approx(random_pres(n, n_docs, n_max), abs=1e-12)
