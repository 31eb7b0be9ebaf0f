"""WSS, TNR and LastRel against their definitions, and what relates them."""

import math
from fractions import Fraction

import effort_by_hand as by_hand
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pres_plugin import last_rel, tnr, wss
from pres_plugin.kernel import topics
from pres_plugin.kernel.goal import ROUNDINGS, Goal
from pres_plugin.kernel.topics import RelevantRanks
from pres_plugin.measures import TNR, WSS, LastRel

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


@pytest.mark.parametrize("rounding", ROUNDINGS)
@pytest.mark.parametrize("recall", [0.95, 1.0, 0.5, 0.55, 0.1, 0.29, 0.57, 1 / 3, 1e-9])
def test_a_goal_includes_the_documents_that_must_be_found(recall, rounding):
    goal = Goal(recall, rounding)
    for n in range(1, 301):
        expected = by_hand.goal(n, recall, rounding)
        assert sum(goal.includes(position, n) for position in range(1, n + 1)) == expected
        assert not goal.includes(expected + 1, n)


@pytest.mark.parametrize(
    ("n", "recall", "up", "nearest"),
    [
        (11, 0.95, 11, 10),  # 10 of 11 is a recall of 0.909
        (100, 0.55, 55, 55),  # as floats, 0.55 * 100 is above 55
        (5, 0.5, 3, 2),  # halves are rounded to even
        (7, 0.5, 4, 4),
        (20, 0.95, 19, 19),
        (3, 0.1, 1, 1),  # at least one
    ],
)
def test_goals_that_are_hard_to_round(n, recall, up, nearest):
    for rounding, expected in (("up", up), ("nearest", nearest)):
        goal = Goal(recall, rounding)
        assert [goal.includes(expected, n), goal.includes(expected + 1, n)] == [True, False]


@given(rankings(), RECALLS, st.sampled_from(ROUNDINGS))
def test_wss_and_tnr_are_their_definitions(ranking, recall, rounding):
    asked = (*ranking, recall, rounding)
    assert wss(*asked) == pytest.approx(by_hand.wss(*asked), abs=1e-12)
    assert tnr(*asked) == pytest.approx(by_hand.tnr(*asked), abs=1e-12)


@given(rankings(), RECALLS, st.sampled_from(ROUNDINGS))
def test_tnr_is_wss_normalised(ranking, recall, rounding):
    ranks, n, n_docs = ranking
    assume(n < n_docs and by_hand.reached(ranks, n, recall, rounding))
    g, _ = by_hand.reached(ranks, n, recall, rounding)
    work = wss(*ranking, recall, rounding) + 1 - recall
    normalised = (n_docs * work - n + g) / (n_docs - n)
    assert tnr(*ranking, recall, rounding) == pytest.approx(normalised, abs=1e-12)


@given(rankings(), RECALLS, st.sampled_from(ROUNDINGS))
def test_tnr_is_between_its_bounds_and_wss_at_most_the_recall(ranking, recall, rounding):
    assert 0 <= tnr(*ranking, recall, rounding) <= 1
    assert recall - 1 <= wss(*ranking, recall, rounding) <= recall


@given(st.lists(rankings(), max_size=6), RECALLS, st.sampled_from(ROUNDINGS), st.integers(1, 90))
def test_many_topics_score_as_one_topic_does(rankings, recall, rounding, n_max):
    table = RelevantRanks(
        np.array([n for _, n, _ in rankings], dtype=np.int64),
        np.array([rank for ranks, _, _ in rankings for rank in ranks], dtype=np.int64),
        np.cumsum([0, *(len(ranks) for ranks, _, _ in rankings)]),
    )
    n_docs = np.array([n_docs for _, _, n_docs in rankings])

    def scores(measure, n_max=None):
        formula, goal = measure.declaration.formula, Goal(recall, rounding)
        return topics.score(formula, table, n_max, n_docs, goal).tolist()

    assert scores(WSS) == [wss(*ranking, recall, rounding) for ranking in rankings]
    assert scores(TNR) == [tnr(*ranking, recall, rounding) for ranking in rankings]
    assert scores(LastRel) == [last_rel(ranks, n) for ranks, n, _ in rankings]
    assert scores(LastRel, n_max) == [last_rel(ranks, n, n_max) for ranks, n, _ in rankings]
    assert scores(LastRel, n_max) == [by_hand.last_rel(ranks, n_max) for ranks, _, _ in rankings]


@pytest.mark.parametrize("score", [wss, tnr])
def test_a_recall_of_any_type_is_used_as_a_python_float(score):
    for recall in (np.float32(0.95), np.float64(0.95), Fraction(19, 20), np.int64(1)):
        found = score([1, 2, 99, 100], 4, 1000, recall=recall)
        assert found == score([1, 2, 99, 100], 4, 1000, recall=float(recall))


@pytest.mark.parametrize("score", [wss, tnr])
@pytest.mark.parametrize("wrong", [0, -0.5, 1.01, 95, math.nan, math.inf, "0.95", None, True])
def test_recall_must_be_a_fraction(score, wrong):
    with pytest.raises(ValueError, match=f"recall must be above 0 .* got .*{wrong}"):
        score([1], 1, 10, recall=wrong)


@pytest.mark.parametrize("score", [wss, tnr])
@pytest.mark.parametrize("wrong", ["down", "UP", "", None, 1])
def test_rounding_must_be_one_of_two(score, wrong):
    with pytest.raises(ValueError, match=f"rounding must be 'up' or 'nearest', got {wrong!r}"):
        score([1], 1, 10, rounding=wrong)
