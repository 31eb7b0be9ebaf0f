"""Scores at many cutoffs at once are those at each cutoff by itself, to the last digit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pres_plugin.kernel.topics import RelevantRanks, running_sum, score
from pres_plugin.measures import AP, PRES, TNR, WSS, LastRel, PRES_est, R, Rnorm

TOPICS = st.lists(
    st.tuples(st.lists(st.integers(1, 60), unique=True, max_size=20), st.integers(0, 5)),
    min_size=1,
    max_size=8,
)
MEASURES = [PRES, PRES_est, AP, R, LastRel, Rnorm(N=100), TNR(N=100), WSS(N=100) @ 0.8]


@pytest.mark.parametrize("measure", MEASURES, ids=str)
@given(topics=TOPICS, cutoffs=st.sets(st.integers(1, 70), min_size=1, max_size=9).map(sorted))
def test_many_cutoffs_score_as_each_cutoff_does(measure, topics, cutoffs):
    ranks = RelevantRanks(
        np.array([len(found) + missed for found, missed in topics], dtype=np.int64),
        np.array([rank for found, _ in topics for rank in found], dtype=np.int64),
        running_sum([len(found) for found, _ in topics]),
    )
    formula, goal = measure.declaration.formula, measure.goal
    together = score(formula, ranks, np.array(cutoffs)[:, None], measure.N, goal)
    each = [score(formula, ranks, cutoff, measure.N, goal) for cutoff in cutoffs]
    assert together.tolist() == np.array(each).tolist()
    means = together.mean(axis=1).tolist()
    assert means == [scores.mean() for scores in each]
