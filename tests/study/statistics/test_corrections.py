"""Corrected p-values: published examples, and statsmodels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pres_plugin.study.statistics.corrections import CORRECTIONS

# Benjamini and Hochberg 1995, section 4.1: 15 tests at the level 0.05. Bonferroni's method
# rejects three hypotheses, theirs rejects four.
PUBLISHED = [
    *(0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344),
    *(0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.000),
]


@pytest.mark.parametrize(
    ("correction", "rejected"), [("none", 9), ("bonferroni", 3), ("holm", 3), ("bh", 4)]
)
def test_as_many_hypotheses_are_rejected_as_in_the_paper(correction, rejected):
    corrected = CORRECTIONS[correction](np.array(PUBLISHED))
    assert (corrected < 0.05).tolist() == [True] * rejected + [False] * (15 - rejected)


@pytest.mark.parametrize(
    ("correction", "expected"),
    [
        ("none", [0.04, 0.01, 0.03, 0.005]),
        ("bonferroni", [0.16, 0.04, 0.12, 0.02]),
        # The p-values times 4, 3, 2 and 1 in ascending order, none below one before it.
        ("holm", [0.06, 0.03, 0.06, 0.02]),
        # The p-values times 4/4, 4/3, 4/2 and 4/1 in descending order, none above one before it.
        ("bh", [0.04, 0.02, 0.04, 0.02]),
    ],
)
def test_corrected_values_are_those_computed_by_hand(correction, expected):
    corrected = CORRECTIONS[correction](np.array([0.04, 0.01, 0.03, 0.005]))
    assert corrected == pytest.approx(expected)


@pytest.mark.slow
@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_corrected_values_are_those_of_statsmodels(p_values):
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    for ours, theirs in (("bonferroni", "bonferroni"), ("holm", "holm"), ("bh", "fdr_bh")):
        expected = multitest.multipletests(p_values, method=theirs)[1]
        assert CORRECTIONS[ours](np.array(p_values)) == pytest.approx(expected, abs=1e-15)
