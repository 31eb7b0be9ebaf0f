"""Scores over the cutoff, in one pass."""

import random

import ir_measures
import numpy as np
import pytest

from pres_plugin.study.inputs import StudyError
from pres_plugin.study.pictures.sweep import curves
from pres_plugin.study.reports import sweep as reports
from pres_plugin.study.sweep import Sweep, sweep

CUTOFFS = [1, 2, 3, 5, 8, 30]


def collection(n_runs, seed=0):
    """Three grades of relevance, ties, unjudged documents, a topic that the first run lacks."""
    rng = random.Random(seed)
    qrels = {f"q{t}": {f"d{i}": rng.randint(0, 2) for i in range(15)} for t in range(6)}
    runs = {
        f"run{r}": {
            t: {f"d{i}": rng.randint(0, 6) for i in rng.sample(range(30), 20)} for t in qrels
        }
        for r in range(n_runs)
    }
    del runs["run0"]["q3"]
    return qrels, runs


def test_scores_at_all_cutoffs_are_the_frameworks():
    qrels, runs = collection(n_runs=4)
    names = ["PRES", "LastRel", "PRES_est(rel=2)", "Rnorm(N=40)", "AP", "AP(rel=2)", "R", "nDCG",
             "P", "PRES(judged_only=True)"]  # fmt: skip
    found = sweep(qrels, runs, names, CUTOFFS)
    for r, run in enumerate(runs.values()):
        for m, name in enumerate(found.measures):
            for c, cutoff in enumerate(CUTOFFS):
                measure = ir_measures.parse_measure(f"{name}@{cutoff}")
                assert found.values[r, m, c] == pytest.approx(
                    measure.calc_aggregate(qrels, run), abs=1e-9
                )


def test_cutoffs_are_taken_in_ascending_order_and_once():
    qrels, runs = collection(n_runs=1)
    assert sweep(qrels, runs, ["R"], [8, 2, 8, np.int64(3)]).cutoffs == (2, 3, 8)


# Of four relevant documents: one early and no more, or none early and then all.
EARLY_OR_LATE = {
    "early": {"q": {"a": 9.0} | {f"x{i}": -float(i) for i in range(20)}},
    "late": {"q": {f"x{i}": -float(i) for i in range(3)} | dict.fromkeys("abcd", -2.5)},
}


def test_runs_change_places_where_their_curves_cross():
    qrels = {"q": dict.fromkeys("abcd", 1)}
    found = sweep(qrels, EARLY_OR_LATE, ["R"], [1, 2, 3, 4, 5, 6, 7])
    assert found.values[:, 0].tolist() == [[0.25] * 7, [0, 0, 0, 0.25, 0.5, 0.75, 1]]
    ((measure, before, after, low, high, n_max, value),) = found.changes().to_numpy().tolist()
    assert (measure, before, after) == ("R", "early", "late")
    assert (low, high) == (3, 5)  # they meet at 4, in between
    assert n_max == pytest.approx(4)
    assert value == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("differences", "changes"),
    [
        ([1, 0, -1], [("a", "b", 10, 30, 20)]),
        ([-1, 0, 0, 3], [("b", "a", 10, 40, 20)]),
        ([1, -1, 1], [("a", "b", 10, 20, 15), ("b", "a", 20, 30, 25)]),
        ([0, 1, -1, 0], [("a", "b", 20, 30, 25)]),
        *[([1, 0, 1], []), ([0, 0, 0], []), ([0, 1, 0], []), ([0, -1], []), ([1], [])],
        ([1, -1e-13, 1], []),  # which is a tie
    ],
)
def test_ties_are_no_changes_of_places(differences, changes):
    cutoffs = tuple(range(10, 10 * len(differences) + 10, 10))
    values = np.array([[[0.0] * len(cutoffs)], [differences], [[0.0] * len(cutoffs)]])
    found = Sweep(("b", "a", "b\0"), ("PRES",), cutoffs, 1, values).changes()
    assert (found["value"] == 0).all()
    # The last run equals the first one, so each change occurs twice, and none is between them.
    twins = found.replace("b\0", "b").groupby("before").size()
    assert (twins == 2).all()
    with_first = found[~found.isin(["b\0"]).any(axis=1)]
    assert list(with_first.iloc[:, 1:6].itertuples(index=False, name=None)) == changes


def test_of_many_changes_the_largest_are_shown():
    values = np.random.default_rng(0).random((9, 1, 12))
    found = Sweep(tuple("abcdefghi"), ("PRES",), tuple(range(1, 13)), 1, values)
    changes = found.changes()
    (_, table) = [part for part in reports.parts(found) if hasattr(part, "printed")]
    (view,) = table.shown()
    assert len(view.flat()) == 30
    assert f"there are {len(changes) - 30} more" in table.note
    assert len(table.flat()) == len(changes)

    def swing(row):
        difference = (
            values[found.runs.index(row.ahead_before)] - values[found.runs.index(row.ahead_after)]
        )
        return difference[0, row.before - 1] - difference[0, row.after - 1]

    swings = sorted(map(swing, changes.itertuples()), reverse=True)
    shown = found.largest_changes(30).frame()
    assert list(map(swing, shown.itertuples())) == pytest.approx(swings[:30])


def test_runs_that_are_the_same_never_change_places():
    qrels, runs = collection(n_runs=1)
    found = sweep(qrels, {"a": runs["run0"], "b": runs["run0"]}, ["PRES", "AP"], CUTOFFS)
    assert len(found.changes()) == 0
    curves(found)


@pytest.mark.parametrize(
    ("measures", "cutoffs", "said"),
    [
        (["PRES@10"], [5], "'PRES@10': a sweep sets the cutoff itself"),
        (["Bpref"], [5], "'Bpref': it does not accept a cutoff"),
        (["PRES"], [], "no cutoff is given"),
        (["PRES"], [0, 5], "a cutoff must be a positive whole number, got 0"),
        (
            ["WSS(N=99)"],
            [5],
            "measure 'WSS.N=99.': it does not accept a cutoff, so it is the same at every Nmax",
        ),
        (["Rnorm(N=7)"], [5], r"run0: Rnorm\(N=7\): topic 'q\d' has \d+ documents"),
    ],
)
def test_what_cannot_be_swept_is_named(measures, cutoffs, said):
    qrels, runs = collection(n_runs=1)
    with pytest.raises(StudyError, match=said):
        sweep(qrels, runs, measures, cutoffs)


def test_the_picture_has_a_panel_a_measure_and_a_colour_a_run():
    qrels, runs = collection(n_runs=5)
    found = sweep(qrels, runs, ["PRES", "R", "AP"], CUTOFFS)
    figure = curves(found)
    colours = {}
    for m, (axes, measure) in enumerate(zip(figure.axes, found.measures, strict=True)):
        assert axes.get_ylabel() == f"{measure}@Nmax"
        lines = {line.get_label(): line for line in axes.get_lines()}
        assert lines.keys() == runs.keys()
        for r, name in enumerate(found.runs):
            assert lines[name].get_ydata() == pytest.approx(found.values[r, m])
            assert lines[name].get_xdata().tolist() == CUTOFFS
            colours.setdefault(name, set()).add(lines[name].get_color())
        changes = found.changes()
        rings = axes.collections[0].get_offsets()
        assert len(rings) == (changes["measure"] == measure).sum() > 0
    assert all(len(of_run) == 1 for of_run in colours.values())
    assert len(set.union(*colours.values())) == 5
    assert figure.axes[-1].get_xlabel().startswith("Nmax (documents checked)")


def test_of_48_runs_the_best_are_in_colour_and_named():
    qrels, runs = collection(n_runs=48)
    found = sweep(qrels, runs, ["PRES"], CUTOFFS)
    figure = curves(found)
    best = set(found.table().query("n_max == 30")["run"].head(7))
    (axes,) = figure.axes
    assert {x.get_label() for x in axes.get_lines() if x.get_color() != "#999999"} == best
    named = [text.get_text() for text in figure.legends[0].get_texts()]
    assert set(named) == {*best, "41 others", "two runs change places"}


def test_a_measure_has_one_row_per_run_and_one_column_per_cutoff():
    values = np.array([[[0.1, 0.5], [3, 9]], [[0.2, 0.25], [2, 4]], [[0.3, 0.75], [1, 8]]])
    found = Sweep(("a", "b", "c"), ("PRES", "LastRel"), (10, 20), 1, values)
    by_pres = found.by_run("PRES")
    assert (list(by_pres.index), list(by_pres.columns)) == (["c", "a", "b"], [10, 20])
    assert by_pres.loc["a"].tolist() == [0.1, 0.5]
    # No rank is better than another, so the lowest comes first.
    assert list(found.by_run("LastRel").index) == ["b", "c", "a"]
    with pytest.raises(StudyError, match="measure 'AP' is not among the measures"):
        found.by_run("AP")


def test_no_run_leads_by_the_rank_of_the_last_relevant_document():
    values = np.array([[[0.1, 0.5], [3, 9]], [[0.2, 0.25], [4, 2]]])
    found = Sweep(("a", "b"), ("PRES", "LastRel"), (10, 20), 1, values)
    assert set(found.changes()["measure"]) == {"PRES"}
    picture, table, changes = reports.parts(found)
    assert (
        "For LastRel, neither high nor low values are better, so nothing is marked."
        in picture.caption
    )
    assert (
        "For LastRel, neither high nor low values are better, so the run with the lowest value "
        "comes first." in table.note
    )
    assert changes.note.endswith(
        " LastRel is left out, because neither high nor low values are better."
    )
    with_rings, without = curves(found).axes
    assert [len(axes.collections[0].get_offsets()) for axes in (with_rings, without)] == [1, 0]

    alone = Sweep(("a", "b"), ("LastRel",), (10, 20), 1, values[:, 1:])
    assert alone.changes().empty
    # As in by_run, the lowest comes first.
    assert alone.table()["run"].tolist() == ["a", "b", "b", "a"]
    assert [part.note for part in reports.parts(alone)[1:]] == [
        "For LastRel, neither high nor low values are better, so the run with the lowest value "
        "comes first.",
        "LastRel is left out, because neither high nor low values are better.",
    ]


def test_people_read_at_most_ten_cutoffs_with_the_first_and_the_last():
    for n in (1, 2, 10, 11, 100, 10_000):
        cutoffs = tuple(range(5, 5 + n))
        found = Sweep(("a",), ("PRES",), cutoffs, 1, np.ones((1, 1, n)))
        table = reports.curves(found)[1]
        (view,) = table.shown()
        shown = view.flat().columns[1:].tolist()
        assert len(shown) == min(n, 10)
        assert (shown[0], shown[-1]) == (cutoffs[0], cutoffs[-1])
        steps = np.diff(shown)
        assert np.ptp(steps) <= 1 if len(steps) else n == 1
        assert ("contains all of them" in table.note) == (n > 10)
        assert len(table.flat()) == n
