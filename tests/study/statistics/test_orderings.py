"""τ_AP between orderings of runs."""

from fractions import Fraction
from itertools import pairwise, permutations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pres_plugin.study.statistics.orderings import tau_ap

PAIRS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=5)


def by_definition(order, scores, truth):
    """τ_AP of one order of the runs; a pair that ties in only one ordering is half correct."""
    total = Fraction(0)
    for position, run in enumerate(order[1:], start=1):
        for above in order[:position]:
            ties = (scores[above] == scores[run]) + (truth[above] == truth[run])
            # A pair that ties by `scores` has no fixed order, which the mean over orders counts.
            right = truth[above] > truth[run] or (truth[above] == truth[run] and ties == 2)
            half = truth[above] == truth[run] and ties == 1
            total += (Fraction(right) + Fraction(half, 2)) / position
    return 2 * total / (len(order) - 1) - 1


@given(PAIRS)
def test_tau_ap_is_the_mean_over_all_orders_of_tied_runs(pairs):
    scores, truth = zip(*pairs, strict=True)
    assume(len(set(scores)) > 1 and len(set(truth)) > 1)
    orders = [
        order
        for order in permutations(range(len(scores)))
        if all(scores[a] >= scores[b] for a, b in pairwise(order))
    ]
    expected = sum(by_definition(order, scores, truth) for order in orders) / len(orders)
    assert tau_ap(scores, truth) == pytest.approx(float(expected), abs=1e-12)
