"""Corrected p-values, computed by hand."""

import numpy as np
import pytest

from pres_plugin.study.statistics.corrections import CORRECTIONS


@pytest.mark.parametrize(
    ("correction", "expected"),
    [
        ("none", [0.04, 0.01, 0.03, 0.006, 0.4]),
        ("bonferroni", [0.2, 0.05, 0.15, 0.03, 1]),
        # The p-values times 5, 4, 3, 2 and 1 in ascending order, none below one before it.
        ("holm", [0.09, 0.04, 0.09, 0.03, 0.4]),
        # The p-values times 5/5, 5/4, 5/3, … in descending order, none above one before it.
        ("bh", [0.05, 0.025, 0.05, 0.025, 0.4]),
    ],
)
def test_corrected_values_are_those_computed_by_hand(correction, expected):
    corrected = CORRECTIONS[correction](np.array([0.04, 0.01, 0.03, 0.006, 0.4]))
    assert corrected == pytest.approx(expected)
