"""What each document costs, and the areas that PRES compares."""

import random

import numpy as np
import pytest
from beginnings import raises
from command import EXAMPLES, pres_eval

from pres_plugin import InputError, pres
from pres_plugin.files import read_qrels, read_run
from pres_plugin.study.explain import Explanation, explain
from pres_plugin.study.explain.report import report

QRELS = {"q": {"a": 1, "b": 1, "c": 1, "d": 2, "x1": 0}, "other": {"a": 1}}


def run_with(ranks, n_docs=120):
    docs = {f"x{rank}": float(-rank) for rank in range(1, n_docs + 1)}
    for doc_id, rank in zip("abcd", ranks, strict=False):
        docs[doc_id] = docs.pop(f"x{rank}")
    return {"q": docs}


def per_rank(ranks, n, n_max):
    """The three curves with one entry per rank from 0 to Nmax + n, from their definition."""
    found = sorted(rank for rank in ranks if rank <= n_max)
    counted = found + [n_max + i for i in range(len(found) + 1, n + 1)]
    return [
        (min(k, n), sum(rank <= k for rank in counted), max(k - n_max, 0))
        for k in range(n_max + n + 1)
    ]


@pytest.mark.parametrize("seed", range(20))
def test_curves_areas_and_costs_follow_from_the_ranks(seed):
    rng = random.Random(seed)
    n, n_max = rng.randint(1, 30), rng.randint(1, 60)
    ranks = rng.sample(range(1, 100), rng.randint(0, n))
    at = np.array(ranks + [0] * (n - len(ranks)))
    e = Explanation("r", "q", n_max, [str(i) for i in range(n)], at)
    curves, expected = e.curves(), per_rank(ranks, n, n_max)
    last = np.searchsorted(curves.rank, range(n_max + n + 1), side="right") - 1
    columns = (curves.best[last], curves.this[last], curves.worst[last])
    assert list(zip(*columns, strict=True)) == expected
    assert curves.a1 == sum(best - this for best, this, _ in expected)
    assert curves.a2 == sum(this - worst for _, this, worst in expected)
    assert e.pres == pytest.approx(pres(ranks, n, n_max))
    assert 1 - e.documents["cost"].sum() == pytest.approx(e.pres)


def test_each_document_says_what_it_costs_and_why():
    (e,) = explain(QRELS, {"r": run_with([1, 3, 110])}, "q", n_max=100)
    assert e.documents.to_numpy().tolist() == [
        ["a", 1, 1, 1, 0.0, "at rank 1, as early as possible, costs nothing"],
        ["b", 3, 3, 2, 0.0025, "at rank 3 instead of 2, costs 0.0025"],
        ["c", 110, 103, 3, 0.25,
         "at rank 110, beyond Nmax = 100, counts as rank 103 and costs 0.2500"],
        ["d", None, 104, 4, 0.25, "not retrieved, counts as rank 104 and costs 0.2500"],
    ]  # fmt: skip


def test_only_documents_relevant_enough_count_and_a_run_without_the_topic_misses_them():
    runs = {"r": run_with([1, 2, 3, 7]), "without": {"other": {"a": 1.0}}}
    found = explain(QRELS, runs, "q", n_max=100, rel=2)
    assert [(e.n, e.ranks) for e in found] == [(1, (7,)), (1, ())]


def test_short_runs_say_how_many_documents_they_retrieved():
    (e,) = explain(QRELS, {"r": run_with([1], n_docs=3)}, "q", 50)
    why = e.documents["why"].tolist()
    assert why[-1].startswith("not among the 3 documents retrieved, counts as rank 54")


@pytest.mark.parametrize("names", [["bm25"], ["bm25", "dense", "boolean"]])
def test_files_are_explained_as_dicts_are(names):
    qrels = EXAMPLES / "patents" / "qrels.txt"
    files = {name: EXAMPLES / "patents" / f"{name}.run.gz" for name in names}
    runs = {name: read_run(path) for name, path in files.items()}
    expected = "".join(report(explain(read_qrels(qrels), runs, n_max=10), "").texts())
    assert pres_eval("explain", qrels, *files.values(), "--n-max", 10).stdout == expected


def test_a_topic_without_relevant_documents_is_refused():
    said = "topic 'q' has no documents of relevance 3 or higher, so there is no PRES"
    with raises(InputError, said):
        explain(QRELS, {"r": run_with([1])}, "q", n_max=100, rel=3)


#: Each topic has one relevant document; runs find it at these ranks. By PRES@4, they differ most
#: on q3 and q4, and the first run has its lowest PRES on q2.
RANKS = {"one": {"q1": 1, "q2": 4, "q3": 1, "q4": 3}, "two": {"q1": 2, "q2": 4, "q3": 3, "q4": 1}}


@pytest.mark.parametrize(("runs", "topic"), [(["one"], "q2"), (["one", "two"], "q3")])
def test_the_topic_with_the_largest_difference_or_the_lowest_pres_is_explained(runs, topic):
    qrels = {"none": {"a": 0}, **{f"q{i}": {"a": 1} for i in range(1, 5)}}
    ranked = {
        run: {t: {"a": -float(rank), **{f"x{i}": -i - 1.5 for i in range(4)}}
              for t, rank in RANKS[run].items()}
        for run in runs
    }  # fmt: skip
    found = explain(qrels, ranked, n_max=4)
    assert [(e.run, e.query_id, e.ranks) for e in found] == [
        (run, topic, (RANKS[run][topic],)) for run in runs
    ]
