"""The randomization test: by definition, by published numbers, and by scipy."""

import itertools
import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pres_plugin.study.statistics import resampling
from pres_plugin.study.statistics.resampling import Resampling
from pres_plugin.study.statistics.tests import randomization

# Darwin's maize: how much taller the crossed plant of each of 15 pairs was, in eighths of an
# inch. Fisher 1935, section 21: of 32,768 choices of signs, 863 have a sum of at least 314.
DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]


def p_value(differences, resamples=9999, seed=0):
    (found,), _ = randomization(np.array([differences], float), Resampling(resamples, seed))
    return found


def by_definition(differences):
    """The share of all choices of signs whose sum is at least as far from 0."""
    observed = abs(sum(differences))
    sums = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(differences))
    ]
    return sum(s >= observed - 1e-9 for s in sums) / len(sums)


def test_the_p_value_is_that_of_fishers_example():
    assert p_value(DARWIN, resamples=2**15) == 2 * 863 / 2**15
    # Topics without a difference do not matter.
    assert p_value(DARWIN + [0] * 300, resamples=2**15) == p_value(DARWIN, resamples=2**15)
    # With fewer resamples it is drawn: within four standard errors.
    assert abs(p_value(DARWIN) - 0.0527) < 4 * math.sqrt(0.0527 / 9999)


@given(
    st.lists(st.integers(-6, 6), min_size=1, max_size=8),
    st.sampled_from([1.0, 1 / 3, 1e-4, 1e4]),
)
def test_the_p_value_of_few_topics_is_that_of_all_signs(differences, factor):
    # Most of these have ties, topics without a difference, and sums that repeat.
    expected = by_definition(differences)
    scaled = (np.array(differences) * factor).round(12)
    assert p_value(scaled, resamples=1024) == expected
    assert p_value(-scaled, resamples=1024) == expected


def test_blocks_do_not_matter(monkeypatch):
    rng = np.random.default_rng(5)
    # Half of the pairs have few topics with a difference, so that all signs are tried.
    few = rng.integers(-3, 4, (20, 40)) * (rng.random((20, 40)) < 0.2)
    differences = np.concatenate([few, rng.random((20, 40)) - 0.4])
    alone = [p_value(row, resamples=999) for row in differences]
    assert len(set(alone)) > 30
    assert randomization(differences, Resampling(999, 0))[0].tolist() == alone
    monkeypatch.setattr(resampling, "_FEWEST_ROWS", 3)
    monkeypatch.setattr(resampling, "_COMPUTED_AT_ONCE", 1)
    monkeypatch.setattr(resampling, "_DRAWN_AT_ONCE", 11 * 40)
    assert randomization(differences, Resampling(999, 0))[0].tolist() == alone


def test_no_p_value_is_below_what_the_resamples_can_show():
    # No draw flips all 60 signs or none. The observed choice of signs counts as one more draw.
    assert p_value(np.full(60, 0.5)) == 1 / 10_000
    assert p_value(np.full(60, -0.5), resamples=999) == 1 / 1_000
    # With all choices of signs, two are as far from 0: all positive and all negative.
    assert p_value(np.full(13, 0.5)) == 2 / 2**13


def test_random_draws_count_both_directions():
    differences = np.random.default_rng(1).normal(0.3, 1, 25)
    signs = np.random.default_rng(2).choice([1, -1], (200_000, 25))
    share = (abs(signs @ differences) >= abs(differences.sum())).mean()
    # The standard error of 9,999 draws is that of a share, not of twice a share.
    found = [p_value(differences, seed=seed) for seed in range(40)]
    error = math.sqrt(share * (1 - share) / 9999)
    assert abs(np.mean(found) - share) < 4 * error / math.sqrt(40)
    assert 0.7 * error < np.std(found) < 1.3 * error
