"""What each document costs, and the areas that PRES compares."""

import random
import re
from pathlib import Path

import numpy as np
import pytest
from command import pres_eval
from matplotlib.text import Text
from random_runs import random_runs

from pres_plugin import pres
from pres_plugin.ranking.judgements import Judgements
from pres_plugin.ranking.scores import RunRanks
from pres_plugin.study.explain import Explanation, Explanations, explain
from pres_plugin.study.explain.picture import areas
from pres_plugin.study.explain.report import report
from pres_plugin.study.inputs import StudyError

# SIGIR 2010, Tables 1 and 2.
SYSTEMS = {"1": [1], "2": [50, 51, 53, 54], "3": [1, 2, 3, 4], "4": [1, 98, 99, 100]}
QRELS = {"q": {"a": 1, "b": 1, "c": 1, "d": 2, "x1": 0}, "other": {"a": 1}}


def run_with(ranks, n_docs=120):
    docs = {f"x{rank}": float(-rank) for rank in range(1, n_docs + 1)}
    for doc_id, rank in zip("abcd", ranks, strict=False):
        docs[doc_id] = docs.pop(f"x{rank}")
    return {"q": docs}


def test_the_papers_systems_score_as_printed():
    runs = {name: run_with(ranks) for name, ranks in SYSTEMS.items()}
    found = explain(QRELS, runs, "q", n_max=100)
    assert [e.pres for e in found] == pytest.approx([0.25, 0.51, 1.0, 0.28], abs=0.0051)
    assert [e.ranks for e in found] == [tuple(ranks) for ranks in SYSTEMS.values()]
    assert [row["found"] for row in map(Explanation.summary, found)] == [1, 4, 4, 4]
    assert [e.rank_sum for e in found] == [310, 208, 10, 298]
    assert found[0].caption() == " ".join(found[0].sentences())


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


def test_everything_that_is_said_names_the_relevance_level():
    runs = {"r": run_with([1, 2, 3, 7]), "without": {"other": {"a": 1.0}}}
    for found in (explain(QRELS, runs, "q", 100, rel=2), explain(QRELS, runs, "q", 100, rel=2)[0]):
        title = report(Explanations(np.atleast_1d(found)), "command")
        said = [title.title, *title.texts(), *(part.caption for part in title.parts[1:2])]
        said += [text.get_text() for text in areas(np.atleast_1d(found)).findobj(Text)]
        for text in said:
            assert not re.search(r"PRES(?!\(rel=2\)@100)", text)
        assert "PRES(rel=2)@100" in said[0]


def test_ranked_runs_are_explained_as_they_are():
    """Their ranks may have gaps; the judgements may be found already."""
    relevant = Judgements.from_dicts(QRELS)
    ranks = RunRanks("r", np.array([4, 0, 70, 9, 1]), np.array([3, 1]), np.array([0, 1]), "r")
    for rel, expected in ((1, [4, 9, 70]), (2, [9])):
        (found,) = explain(relevant, [ranks], "q", 50, rel=rel)
        assert sorted(at for at in found.retrieved_at.tolist() if at) == expected
        assert found.ranks == tuple(rank for rank in expected if rank <= 50)
    (found,) = explain(relevant, [ranks], "q", 50)
    why = found.documents["why"].tolist()
    assert why[-1].startswith("not among the 3 documents retrieved, counts as rank 54")


@pytest.mark.parametrize("n_runs", [1, 2, 4])
def test_files_are_explained_as_dicts_are(n_runs, tmp_path, monkeypatch):
    qrels, runs = random_runs(n_runs)
    monkeypatch.chdir(tmp_path)
    topics = list(qrels)[::-1]
    Path("qrels").write_text("".join(
        f"{t} 0 {doc} {rel}\n" for t in topics for doc, rel in qrels[t].items()
    ))  # fmt: skip
    for name, run in runs.items():
        Path(name).write_text("".join(
            f"{t} Q0 {doc} 0 {score} t\n" for t in run for doc, score in run[t].items()
        ))  # fmt: skip
    for rel in (1, 2):
        expected = explain({t: qrels[t] for t in topics}, runs, n_max=10, rel=rel)
        printed = "".join(report(expected, "").texts())
        arguments = ("explain", "qrels", *runs, "--n-max", 10, "--rel", rel)
        assert pres_eval(*arguments).stdout == printed


def test_a_topic_without_relevant_documents_is_refused():
    said = "'q' has no documents of relevance 3 or higher, so there is no PRES"
    with pytest.raises(StudyError, match=said):
        explain(QRELS, {"r": run_with([1])}, "q", n_max=100, rel=3)


#: Each topic has one relevant document; runs find it at these ranks. By PRES@4, they differ most
#: on q3 and q4, and the first run has its lowest PRES on q2.
RANKS = {"one": {"q1": 1, "q2": 4, "q3": 1, "q4": 3}, "two": {"q1": 2, "q2": 4, "q3": 3, "q4": 1}}


@pytest.mark.parametrize(
    ("runs", "topic", "said"),
    [
        (["one"], "q2", "Of 4 topics, q2 is the one with the lowest PRES@4."),
        (
            ["one", "two"],
            "q3",
            "Of 4 topics, q3 is the one on which the runs differ most in PRES@4, by 0.5000.",
        ),
    ],
)
def test_without_a_topic_that_with_the_largest_difference_or_the_lowest_pres_is_explained(
    runs, topic, said
):
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
    assert found.sentences()[0] == said
    assert said not in explain(qrels, ranked, topic, n_max=4).sentences()
