"""Scores at many cutoffs, and where two runs change places."""

import random

import ir_measures
import numpy as np
import pytest

from pres_plugin.study.inputs import StudyError
from pres_plugin.study.ranks import RelevantDocuments
from pres_plugin.study.sweep import Sweep, sweep

CUTOFFS = [1, 2, 3, 5, 8, 30]


def collection(n_runs):
    """Three grades of relevance, ties, unjudged documents, a topic that the first run lacks."""
    rng = random.Random(0)
    ids = [f"d{i}" for i in range(30)]
    qrels = {f"q{t}": {doc_id: rng.randint(0, 2) for doc_id in ids[:15]} for t in range(6)}
    runs = {
        f"run{r}": {t: {d: rng.randint(0, 6) for d in rng.sample(ids, 20)} for t in qrels}
        for r in range(n_runs)
    }
    del runs["run0"]["q3"]
    return qrels, runs


def test_scores_at_all_cutoffs_are_the_frameworks():
    qrels, runs = collection(n_runs=3)
    names = ["PRES", "LastRel", "PRES_est(rel=2)", "Rnorm(N=40)", "AP", "AP(rel=2)", "R", "nDCG",
             "P", "PRES(judged_only=True)"]  # fmt: skip
    found = sweep(qrels, runs, names, CUTOFFS)
    for run, of_run in zip(runs.values(), found.values, strict=True):
        for name, scores in zip(names, of_run, strict=True):
            for cutoff, score in zip(CUTOFFS, scores, strict=True):
                measure = ir_measures.parse_measure(f"{name}@{cutoff}")
                assert score == pytest.approx(measure.calc_aggregate(qrels, run), abs=1e-9)


def test_runs_that_were_ranked_before_get_the_same_scores():
    qrels, runs = collection(n_runs=2)
    relevant = RelevantDocuments(qrels)
    ranked = [relevant.rank(name, run) for name, run in runs.items()]
    found = sweep(relevant, ranked, ["PRES", "AP(rel=2)"], [8, 2, 8, np.int64(3)])
    assert (found.runs, found.cutoffs) == (("run0", "run1"), (2, 3, 8))
    assert found.by_run("PRES").equals(sweep(qrels, runs, "PRES", [2, 3, 8]).by_run("PRES"))


@pytest.mark.parametrize(
    ("differences", "changes"),
    [
        ([1, 0, -1], [("a", "b", 10, 30, 20)]),
        ([-1, 0, 0, 3], [("b", "a", 10, 40, 20)]),
        ([1, -1, 1], [("a", "b", 10, 20, 15), ("b", "a", 20, 30, 25)]),
        ([0, 1, -1, 0], [("a", "b", 20, 30, 25)]),
        # The last one is a tie.
        *[(values, []) for values in ([1, 0, 1], [0, -1], [1], [1, -1e-13, 1])],
    ],
)
def test_runs_change_places_where_they_meet_but_not_if_they_only_tie(differences, changes):
    cutoffs = tuple(range(10, 10 * len(differences) + 10, 10))
    values = np.array([[[0.0] * len(cutoffs)], [differences], [[0.0] * len(cutoffs)]])
    found = Sweep(("b", "a", "b\0"), ("PRES",), cutoffs, 1, values).changes()
    assert (found["value"] == 0).all()
    # The last run equals the first one, so each change occurs twice, and none is between them.
    assert len(found) == 2 * len(changes)
    with_first = found[~found.isin(["b\0"]).any(axis=1)]
    assert list(with_first.iloc[:, 1:6].itertuples(index=False, name=None)) == changes


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
    assert set(BY_HAND.changes()["measure"]) == {"PRES"}


@pytest.mark.parametrize(
    ("measures", "cutoffs", "said"),
    [
        (["PRES@10"], [5], "measure 'PRES@10': a sweep sets the cutoff itself; leave it out"),
        (["WSS(N=99)"], [5], "it is the same at every Nmax"),
        (["PRES"], [0, 5], "a cutoff must be a whole number from 1 to .*, got 0"),
        (["Rnorm(N=7)"], [5], r"run0: Rnorm\(N=7\): topic 'q\d' has \d+ documents"),
    ],
)
def test_what_cannot_be_swept_is_named(measures, cutoffs, said):
    qrels, runs = collection(n_runs=1)
    with pytest.raises(StudyError, match=said):
        sweep(qrels, runs, measures, cutoffs)
    with pytest.raises(StudyError, match="measure 'AP' is not among the measures"):
        BY_HAND.by_run("AP")
