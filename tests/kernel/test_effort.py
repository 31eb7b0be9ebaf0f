"""WSS, TNR, Effort and LastRel against their definitions."""

import math
from fractions import Fraction

import by_definition
import numpy as np
import pytest
from beginnings import raises
from hypothesis import given
from hypothesis import strategies as st

from pres_plugin import effort, last_rel, tnr, wss

RECALLS = st.sampled_from(
    [0.95, 1, 1.0, 0.5, 0.55, 0.1, 0.29, 0.57, 0.7, 0.999, 1e-9, 1 / 3]
) | st.integers(1, 100).map(lambda per_cent: per_cent / 100)


@st.composite
def rankings(draw):
    """Ranks of retrieved relevant documents, their number in all, and the collection's size."""
    ranks = draw(st.lists(st.integers(1, 80), unique=True, max_size=40))
    n = len(ranks) + draw(st.sampled_from([0, 0, 1, 2, 9]))
    at_least = max(ranks, default=0) + n - len(ranks)
    return ranks, n, max(1, at_least) + draw(st.sampled_from([0, 1, 60]))


@given(rankings(), RECALLS, st.sampled_from(["up", "nearest"]), st.integers(1, 90))
def test_measures_of_effort_are_their_definitions(ranking, recall, rounding, n_max):
    asked, (ranks, n, _) = (*ranking, recall, rounding), ranking
    assert wss(*asked) == pytest.approx(by_definition.wss(*asked), abs=1e-12)
    assert tnr(*asked) == pytest.approx(by_definition.tnr(*asked), abs=1e-12)
    assert effort(*asked) == by_definition.effort(*asked)
    assert last_rel(ranks, n) == by_definition.last_rel(ranks, n)
    assert last_rel(ranks, n, n_max) == by_definition.last_rel(ranks, n, n_max)


@pytest.mark.parametrize("score", [wss, tnr, effort])
def test_a_recall_of_any_type_is_used_as_a_python_float(score):
    for recall in (np.float32(0.95), np.float64(0.95), Fraction(19, 20), np.int64(1)):
        found = score([1, 2, 99, 100], 4, 1000, recall=recall)
        assert found == score([1, 2, 99, 100], 4, 1000, recall=float(recall))


@pytest.mark.parametrize("score", [wss, tnr, effort])
@pytest.mark.parametrize(
    ("options", "said"),
    [
        *(
            ({"recall": wrong}, f"recall must be above 0 .* got .*{wrong}")
            for wrong in (0, 1.01, math.nan, "0.95", True)
        ),
        ({"rounding": "UP"}, "rounding must be 'up' or 'nearest', got 'UP'"),
    ],
)
def test_recall_must_be_a_fraction_and_rounding_one_of_two(score, options, said):
    with raises(ValueError, said):
        score([1], 1, 10, **options)
