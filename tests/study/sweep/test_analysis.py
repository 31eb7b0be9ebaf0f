"""Scores at many cutoffs, and which runs lead at each."""

import numpy as np
import pytest
from beginnings import raises
from random_runs import random_runs

from pres_plugin import InputError
from pres_plugin.study import scoring
from pres_plugin.study.sweep import Sweep, sweep

CUTOFFS = [1, 2, 3, 5, 8, 30]


def test_scores_at_all_cutoffs_are_those_of_the_measures_at_each():
    qrels, runs = random_runs(n_runs=3)
    names = ["PRES", "LastRel", "PRES_est(rel=2)", "Rnorm(N=40)", "AP", "AP(rel=2)", "R", "nDCG",
             "P", "PRES(judged_only=True)"]  # fmt: skip
    found = sweep(qrels, runs, names, [*CUTOFFS[::-1], np.int64(3)])
    assert found.cutoffs == tuple(CUTOFFS)
    each = [f"{name}@{cutoff}" for name in names for cutoff in CUTOFFS]
    expected = scoring.score(qrels, runs, each).means
    assert found.values == pytest.approx(expected.reshape(found.values.shape), abs=1e-9)


def test_expected_scores_are_weighted_means():
    qrels, runs = random_runs(n_runs=3)
    names, weights = ["PRES", "LastRel", "nDCG"], {30: 2, 5: 1.5, 8: np.float64(0.1)}
    found = sweep(qrels, runs, names, weights).expected().set_index("run")
    assert list(found.columns) == names
    assert found["PRES"].is_monotonic_decreasing
    for name in names:
        scores = scoring.score(qrels, runs, [f"{name}@{cutoff}" for cutoff in weights])
        means = np.average(scores.means, axis=1, weights=[*weights.values()])
        assert found.loc[list(scores.runs), name].to_list() == pytest.approx(
            means.tolist(), abs=1e-9
        )


@pytest.mark.parametrize("wrong", [0, np.nan, np.inf, True, "1"])
def test_a_weight_must_be_a_positive_number(wrong):
    with raises(InputError, f"the weight of Nmax = 5 must be above 0 .* got .*{wrong}"):
        sweep(*random_runs(n_runs=1), ["PRES"], {5: wrong, 9: 1})


@pytest.mark.parametrize(
    ("differences", "rows"),
    [
        ([1, 0, 1], [(10, 10, "a"), (20, 20, "a and b"), (30, 30, "a")]),
        ([0, 0, -1], [(10, 20, "a and b"), (30, 30, "b")]),
        ([1, 1, 1e-5], [(10, 20, "a"), (30, 30, "a and b")]),
    ],
)
def test_runs_whose_means_are_equal_to_four_decimals_lead_together(differences, rows):
    values = np.array([[np.add(differences, 1) / 2], [[0.5] * 3]])
    found = Sweep(("a", "b"), ("PRES",), (10, 20, 30), 1, values)
    assert found.leaders().to_numpy().tolist() == [["PRES", *row] for row in rows]


# By the first measure, c is best at 20; by LastRel, no rank is better than another.
BY_HAND = Sweep(
    ("a", "b", "c"),
    ("PRES", "LastRel"),
    (10, 20),
    1,
    np.array([[[0.1, 0.5], [3, 9]], [[0.2, 0.25], [2, 4]], [[0.3, 0.75], [1, 8]]]),
)


def test_tables_begin_with_the_best_run_or_the_lowest_rank():
    by_pres = BY_HAND.by_run("PRES")
    assert by_pres.T.to_dict("list") == {"c": [0.3, 0.75], "a": [0.1, 0.5], "b": [0.2, 0.25]}
    assert (list(by_pres.index), by_pres.columns.name) == (["c", "a", "b"], "PRES")
    assert list(BY_HAND.by_run("LastRel").index) == ["b", "c", "a"]
    rows = BY_HAND.table().itertuples(index=False, name=None)
    assert list(rows) == [
        (10, "c", 0.3, 1), (10, "b", 0.2, 2), (10, "a", 0.1, 3),
        (20, "c", 0.75, 8), (20, "a", 0.5, 9), (20, "b", 0.25, 4),
    ]  # fmt: skip
    assert BY_HAND.leaders().to_numpy().tolist() == [["PRES", 10, 20, "c"]]


def test_measures_that_are_the_same_at_every_nmax_are_refused():
    with raises(InputError, r"measure 'WSS\(N=99\)': it is the same at every Nmax"):
        sweep(*random_runs(n_runs=1), ["WSS(N=99)"], [5])
