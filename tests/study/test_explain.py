"""Explaining a score: what each document costs, and the areas of the picture."""

import random

import numpy as np
import pytest
from matplotlib.collections import PathCollection

from pres_plugin import pres
from pres_plugin.study.explain import Explanation, explain
from pres_plugin.study.inputs import StudyError
from pres_plugin.study.pictures.explain import areas

# SIGIR 2010, Tables 1 and 2.
SYSTEMS = {"1": [1], "2": [50, 51, 53, 54], "3": [1, 2, 3, 4], "4": [1, 98, 99, 100]}
QRELS = {"q": {"a": 1, "b": 1, "c": 1, "d": 2, "x1": 0}}


def run_with(ranks, n_docs=120):
    docs = {f"x{rank}": float(-rank) for rank in range(1, n_docs + 1)}
    for doc_id, rank in zip("abcd", ranks, strict=False):
        docs[doc_id] = docs.pop(f"x{rank}")
    return {"q": docs}


@pytest.fixture
def systems():
    runs = {name: run_with(ranks) for name, ranks in SYSTEMS.items()}
    return explain(QRELS, runs, "q", n_max=100)


def test_the_papers_systems_score_as_printed(systems):
    assert [e.pres for e in systems] == pytest.approx([0.25, 0.51, 1.0, 0.28], abs=0.0051)
    assert [e.ranks for e in systems] == [tuple(ranks) for ranks in SYSTEMS.values()]


def test_the_areas_are_those_between_the_curves(systems):
    for e in systems:
        curves = e.curves()
        assert curves.a2 / (curves.a1 + curves.a2) == pytest.approx(e.pres, abs=1e-12)
        assert curves.a1 + curves.a2 == e.n * e.n_max
        assert curves.best[-1] == curves.this[-1] == curves.worst[-1] == e.n


def per_rank(ranks, n, n_max):
    """The three curves with one entry per rank from 0 to Nmax + n, from their definition."""
    found = sorted(rank for rank in ranks if rank <= n_max)
    counted = found + [n_max + i for i in range(len(found) + 1, n + 1)]
    return [
        (min(k, n), sum(rank <= k for rank in counted), max(k - n_max, 0))
        for k in range(n_max + n + 1)
    ]


def test_curves_are_those_with_one_entry_per_rank():
    rng = random.Random(1)
    for _ in range(100):
        n, n_max = rng.randint(1, 30), rng.randint(1, 60)
        ranks = rng.sample(range(1, 100), rng.randint(0, n))
        at = np.array(ranks + [0] * (n - len(ranks)))
        curves = Explanation("r", "q", n_max, [str(i) for i in range(n)], at).curves()
        expected = per_rank(ranks, n, n_max)
        assert len(curves.rank) <= 3 * n + 1
        last = np.searchsorted(curves.rank, range(n_max + n + 1), side="right") - 1
        columns = (curves.best[last], curves.this[last], curves.worst[last])
        assert list(zip(*columns, strict=True)) == expected
        assert curves.a1 == sum(best - this for best, this, _ in expected)
        assert curves.a2 == sum(this - worst for _, this, worst in expected)


def test_areas_are_exact_for_the_largest_nmax():
    n, n_max = 100_000, 10**12
    at = np.arange(n) * 9_999_999 + 1
    e = Explanation("r", "q", n_max, list(map(str, range(n))), at)
    lost = sum(rank - place for place, rank in enumerate(at.tolist(), start=1))
    assert (e.curves().a1, e.curves().a2) == (lost, n * n_max - lost)
    assert e.rank_sum == sum(at.tolist())
    assert type(e.curves().a1) is int
    assert len(e.curves().rank) <= 3 * n + 1


def test_costs_add_up_to_what_is_missing_from_1():
    rng = random.Random(0)
    for _ in range(200):
        n, n_max = rng.randint(1, 30), rng.randint(1, 60)
        docs = rng.sample(range(100), 80)
        qrels = {"q": {str(doc): 1 for doc in rng.sample(range(100), n)}}
        (e,) = explain(
            qrels, {"r": {"q": {str(d): -float(i) for i, d in enumerate(docs)}}}, "q", n_max
        )
        ranks = [i + 1 for i, d in enumerate(docs) if str(d) in qrels["q"]]
        assert e.pres == pytest.approx(pres(ranks, n, n_max))
        assert 1 - e.documents["cost"].sum() == pytest.approx(e.pres, abs=1e-12)
        assert (e.documents["cost"] >= 0).all()
        low, high = e.bounds
        assert low - 1e-12 <= e.pres <= high + 1e-12


def test_documents_missed_count_behind_nmax_and_say_why():
    (e,) = explain(QRELS, {"r": run_with([2, 110])}, "q", n_max=100)
    rows = e.documents[["doc_id", "rank", "counted_rank", "why"]].to_numpy().tolist()
    assert [row[:3] for row in rows] == [
        ["a", 2, 2], ["b", 110, 102], ["c", None, 103], ["d", None, 104],
    ]  # fmt: skip
    assert rows[0][3] == "at rank 2 instead of 1, costs 0.0025"
    assert rows[1][3].startswith("at rank 110, beyond Nmax = 100, counts as rank 102")
    assert rows[2][3].startswith("not retrieved, counts as rank 103")


def test_a_run_without_the_topic_has_missed_everything():
    (e,) = explain({**QRELS, "other": {"a": 1}}, {"r": {"other": {"a": 1.0}}}, "q", n_max=100)
    assert (e.pres, e.ranks) == (0.0, ())
    assert "none of them found within" in e.caption()


def test_only_documents_relevant_enough_count():
    (e,) = explain(QRELS, {"r": run_with([1, 2, 3, 7])}, "q", n_max=100, rel=2)
    assert (e.n, e.ranks) == (1, (7,))


def test_the_caption_has_the_numbers(systems):
    text = systems[0].caption()
    for part in (
        "n = 4",
        "1 of them found within Nmax = 100",
        "at rank 1:",
        "R = 0.25",
        "Σr = 310",
        "PRES = 0.2500",
    ):
        assert part in text
    assert "nR²/Nmax = 0.0025 and R = 0.2500" in text


def test_what_cannot_be_explained_is_named():
    with pytest.raises(StudyError, match="'z' is not in the qrels, which contain q"):
        explain(QRELS, {"r": run_with([1])}, "z", n_max=100)
    with pytest.raises(StudyError, match="'q' has no relevant documents"):
        explain({"q": {"a": 0}}, {"r": run_with([1])}, "q", n_max=100)
    with pytest.raises(StudyError, match="'q' has no documents of relevance 2 or higher"):
        explain({"q": {"a": 1}}, {"r": run_with([1])}, "q", n_max=100, rel=2)
    with pytest.raises(StudyError, match="n_max must be a positive whole number, got 0"):
        explain(QRELS, {"r": run_with([1])}, "q", n_max=0)


def shaded(polygons):
    """The area of what is filled, by the shoelace formula."""
    total = 0.0
    for path in polygons.get_paths():
        (x, y) = path.vertices.T
        total += abs((x[:-1] * y[1:] - x[1:] * y[:-1]).sum()) / 2
    return total


def test_the_picture_shades_the_areas_and_marks_the_documents(systems):
    figure = areas(systems)
    for axes, e in zip(figure.axes, systems, strict=True):
        a1, a2 = (c for c in axes.collections if c.get_label() in ("A1", "A2"))
        assert shaded(a1) == pytest.approx(e.curves().a1)
        assert shaded(a2) == pytest.approx(e.curves().a2)
        found, missed = (c for c in axes.collections if type(c) is PathCollection)
        assert [tuple(xy) for xy in found.get_offsets()] == list(
            zip(e.ranks, range(1, 5), strict=False)
        )
        assert [x for x, _ in missed.get_offsets()] == list(range(101 + len(e.ranks), 105))
        assert axes.get_xlim() == (0, 104)  # one scale for all
        assert f"PRES = {e.pres:.4g}" in axes.get_title(loc="left")
        assert "Nmax = 100" in [text.get_text() for text in axes.texts]
    assert figure.get_supxlabel() == "rank (documents checked)"


def test_the_picture_of_a_single_run_is_a_column_wide(systems):
    figure = areas(systems[:1])
    assert figure.get_figwidth() == 3.5
    assert len(figure.axes) == 1
