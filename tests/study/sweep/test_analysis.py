"""Scores at many cutoffs, and which runs lead at each."""

import operator as op
from itertools import product

import ir_measures
import numpy as np
import pytest
from random_runs import random_runs

from pres_plugin.study.inputs import StudyError
from pres_plugin.study.sweep import Sweep, sweep

CUTOFFS = [1, 2, 3, 5, 8, 30]


def test_scores_at_all_cutoffs_are_the_frameworks():
    qrels, runs = random_runs(n_runs=3)
    names = ["PRES", "LastRel", "PRES_est(rel=2)", "Rnorm(N=40)", "AP", "AP(rel=2)", "R", "nDCG",
             "P", "PRES(judged_only=True)"]  # fmt: skip
    found = sweep(qrels, runs, names, [*CUTOFFS[::-1], np.int64(3)])
    assert found.cutoffs == tuple(CUTOFFS)
    for run, of_run in zip(runs.values(), found.values, strict=True):
        for name, scores in zip(names, of_run, strict=True):
            for cutoff, score in zip(CUTOFFS, scores, strict=True):
                measure = ir_measures.parse_measure(f"{name}@{cutoff}")
                assert score == pytest.approx(measure.calc_aggregate(qrels, run), abs=1e-9)


def test_expected_scores_are_weighted_means_of_the_frameworks_scores():
    qrels, runs = random_runs(n_runs=3)
    names, weights = ["PRES", "LastRel", "nDCG"], {30: 2, 5: 1.5, 8: np.float64(0.1)}
    found = sweep(qrels, runs, names, weights).expected().set_index("run")
    assert list(found.columns) == names
    assert found["PRES"].is_monotonic_decreasing
    for run, docs in runs.items():
        for name in names:
            measures = [ir_measures.parse_measure(f"{name}@{cutoff}") for cutoff in weights]
            scores = [measure.calc_aggregate(qrels, docs) for measure in measures]
            mean = np.average(scores, weights=list(weights.values()))
            assert found.loc[run, name] == pytest.approx(mean, abs=1e-9)


@pytest.mark.parametrize("wrong", [0, np.nan, np.inf, True, "1"])
def test_a_weight_must_be_a_positive_number(wrong):
    with pytest.raises(StudyError, match=f"weight of Nmax = 5 must be above 0 .* got .*{wrong}"):
        sweep(*random_runs(n_runs=1), ["PRES"], {5: wrong, 9: 1})


def fewest_changes(leaders):
    """The fewest changes if one of the leaders of each cutoff is named, by trying all choices."""
    return min(sum(map(op.ne, named, named[1:])) for named in product(*leaders))


@pytest.mark.parametrize("seed", range(30))
def test_the_lead_changes_as_rarely_as_one_leader_can_be_named_at_each_cutoff(seed):
    """So two runs that tie do not change the lead, whichever leads before or after."""
    values = np.random.default_rng(seed).integers(2, size=(3, 1, 7)) / 2
    found = Sweep(tuple("abc"), ("PRES",), tuple(range(1, 8)), 2, values)
    leaders = [np.flatnonzero(of == of.max()).tolist() for of in values[:, 0].T]
    changes = found.lead_changes("PRES")
    assert len(changes) == fewest_changes(leaders)
    # Each one comes as late as possible, so the leaders up to it need one change fewer.
    assert [fewest_changes(leaders[:c]) for c in changes] == list(range(len(changes)))
    assert [fewest_changes(leaders[: c + 1]) for c in changes] == list(range(1, len(changes) + 1))


@pytest.mark.parametrize(
    ("differences", "changes", "leaders"),
    [
        ([1, 0, 0], [], ["a", "a and b"]),
        ([1, 0, 1], [], ["a", "a and b", "a"]),
        ([1, 0, -1], [2], ["a", "a and b", "b"]),
        ([0, 0, 1], [], ["a and b", "a"]),
        ([1, -1, 1], [1, 2], ["a", "b", "a"]),
        ([1, -1e-5, 1], [], ["a", "a and b", "a"]),
    ],
)
def test_a_tie_is_no_change_of_the_lead(differences, changes, leaders):
    values = np.array([[np.add(differences, 1) / 2], [[0.5] * 3]])
    found = Sweep(("a", "b"), ("PRES",), (10, 20, 30), 1, values)
    assert found.lead_changes("PRES") == changes
    assert found.leaders()["leaders"].tolist() == leaders
    cutoffs = [cutoff for row in found.leaders().itertuples() for cutoff in {row.first, row.last}]
    assert cutoffs[0] == 10
    assert cutoffs[-1] == 30


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
    with pytest.raises(StudyError, match="it is the same at every Nmax"):
        sweep(*random_runs(n_runs=1), ["WSS(N=99)"], [5])
