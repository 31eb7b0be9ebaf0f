"""How large differences are, and in how many topics runs differ."""

import numpy as np
import pytest

from pres_plugin.study.statistics.tests import effects

NONE = float("nan")


@pytest.mark.parametrize(
    ("differences", "expected"),
    [
        # Mean 2, and the squares of the deviations -1, 0, 1 add up to 2: a variance of 2/2.
        ([1, 2, 3], (2, 2, 3, 0, 0)),
        ([0.5, -0.5, 0, 0], (0, 0, 1, 1, 2)),
        ([0.1] * 50, (0.1, NONE, 50, 0, 0)),
        ([0.25], (0.25, NONE, 1, 0, 0)),
    ],
)
def test_effects_are_those_computed_by_hand(differences, expected):
    found = effects(np.array([differences], dtype=float))
    assert [column.item() for column in found] == pytest.approx(expected, nan_ok=True)
