"""What docs/explained/edge-cases.md says about the scale of PRES, for all small rankings."""

from itertools import combinations

import pytest

from pres_plugin import pres

SMALL = [(n, n_max) for n_max in range(2, 9) for n in range(1, n_max + 2)]


def rankings(n, n_max):
    """Yield the ranks found within `n_max`, for each possible ranking."""
    for n_found in range(min(n, n_max) + 1):
        yield from combinations(range(1, n_max + 1), n_found)


def steps(ranks, n, n_max):
    """Return PRES as a number of steps of 1/(n·Nmax)."""
    value = pres(ranks, n, n_max) * n * n_max
    assert value == pytest.approx(round(value), abs=1e-9)
    return round(value)


@pytest.mark.parametrize(("n", "n_max"), SMALL)
def test_one_rank_is_one_step_and_a_loss_at_the_cutoff_is_one_for_each_document_found(n, n_max):
    for ranks in rankings(n, n_max):
        for i, rank in enumerate(ranks):
            if rank < n_max and rank + 1 not in ranks:
                later = (*ranks[:i], rank + 1, *ranks[i + 1 :])
                assert steps(ranks, n, n_max) - steps(later, n, n_max) == 1
        if n_max in ranks:
            assert steps(ranks, n, n_max) - steps(ranks[:-1], n, n_max) == len(ranks)


@pytest.mark.parametrize(("n", "n_max"), SMALL)
def test_the_values_are_equally_spaced_if_n_is_below_n_max(n, n_max):
    values = {steps(ranks, n, n_max) for ranks in rankings(n, n_max)}
    assert (values == set(range(n * n_max + 1))) == (n < n_max)
