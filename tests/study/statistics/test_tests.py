"""The tests of two runs: by definition, and by published numbers."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from pres_plugin.study.statistics import method
from pres_plugin.study.statistics.method import Method
from pres_plugin.study.statistics.tests import randomization, t, wilcoxon

# Darwin's maize: how much taller the crossed plant of each of 15 pairs was, in eighths of an
# inch. Fisher 1935, section 21: of 32,768 choices of signs, 863 have a sum of at least 314.
DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]


def p_value(differences, resamples=9999, test=randomization):
    (found,), _ = test(np.array([differences], float), Method(resamples=resamples))
    return found


def by_definition(values):
    """The share of all choices of signs whose sum is at least as far from 0."""
    signs = itertools.product((1, -1), repeat=len(values))
    sums = [abs(sum(s * v for s, v in zip(each, values, strict=True))) for each in signs]
    return sum(s >= abs(sum(values)) - 1e-9 for s in sums) / len(sums)


@pytest.mark.ci
def test_the_p_value_is_that_of_fishers_example():
    assert p_value(DARWIN, resamples=2**15) == 2 * 863 / 2**15
    # Topics without a difference do not matter.
    assert p_value(DARWIN + [0] * 300, resamples=2**15) == p_value(DARWIN, resamples=2**15)
    # With fewer resamples it is drawn: within four standard errors.
    assert abs(p_value(DARWIN) - 0.0527) < 4 * math.sqrt(0.0527 / 9999)


# Most of these have ties, topics without a difference, and sums that repeat.
FEW = st.lists(st.integers(-6, 6), min_size=1, max_size=8)


@given(FEW, st.sampled_from([1.0, 1 / 3, 1e-4, 1e4]))
def test_the_p_value_of_few_topics_is_that_of_all_signs(differences, factor):
    expected = by_definition(differences)
    scaled = (np.array(differences) * factor).round(12)
    assert p_value(scaled, resamples=1024) == expected
    assert p_value(-scaled, resamples=1024) == expected


@given(FEW)
@example(DARWIN)
def test_wilcoxons_test_of_few_topics_tries_all_signs_of_the_ranks(differences):
    changed = [each for each in differences if each]
    sizes = sorted(map(abs, changed))
    # The mean of the first and the last rank of a size.
    ranks = [
        math.copysign(sizes.index(abs(each)) + (1 + sizes.count(abs(each))) / 2, each)
        for each in changed
    ]
    assert p_value(differences, 999, wilcoxon) == pytest.approx(by_definition(ranks))


@pytest.mark.parametrize("differences", [range(-9, 50), [*range(1, 10), *range(-2, 3)] * 2])
def test_wilcoxons_test_of_many_topics_or_ties_uses_the_normal_distribution(differences):
    expected = stats.wilcoxon(differences, method="asymptotic").pvalue
    assert p_value(differences, test=wilcoxon) == expected


def test_p_values_are_those_of_packages_for_gates():
    """Those of toolkit-rag-quality 1.0.0; retrieval-eval-gate 0.2.1 has only the second test."""
    before = np.array([0.62, 0.55, 0.71, 0.40, 0.83, 0.90, 0.35, 0.66, 0.58, 0.77, 0.49, 0.61])
    after = np.array([0.60, 0.57, 0.65, 0.31, 0.84, 0.90, 0.29, 0.66, 0.50, 0.70, 0.52, 0.55])
    differences = (after - before).round(12)
    assert p_value(differences, test=t) == pytest.approx(0.025830445405109124, rel=1e-12)
    assert p_value(differences) == 0.033203125


@pytest.mark.parametrize(
    ("differences", "expected"), [([0.2] * 2, 0), ([0.2] * 5, 0), ([0.2], 1), ([0.0] * 5, 1)]
)
def test_the_t_test_of_equal_differences(differences, expected):
    assert p_value(differences, test=t) == expected


@pytest.mark.ci
def test_blocks_do_not_matter(monkeypatch):
    rng = np.random.default_rng(5)
    # Half of the pairs have few topics with a difference, so that all signs are tried.
    few = rng.integers(-3, 4, (20, 40)) * (rng.random((20, 40)) < 0.2)
    differences = np.concatenate([few, rng.random((20, 40)) - 0.4])
    alone = [p_value(row, resamples=999) for row in differences]
    assert randomization(differences, Method(resamples=999))[0].tolist() == alone
    for name, size in {"_COMPUTED_AT_ONCE": 3 * 999, "_DRAWN_AT_ONCE": 440}.items():
        monkeypatch.setattr(method, name, size)
    assert randomization(differences, Method(resamples=999))[0].tolist() == alone


def test_no_p_value_is_below_what_the_resamples_can_show():
    # No draw flips all 60 signs or none. The observed choice of signs counts as one more draw.
    assert p_value(np.full(60, 0.5)) == 1 / 10_000
    assert p_value(np.full(60, -0.5), resamples=999) == 1 / 1_000
    # With all choices of signs, two are as far from 0: all positive and all negative.
    assert p_value(np.full(13, 0.5)) == 2 / 2**13
