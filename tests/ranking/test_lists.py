"""One ranking, given as a list, scores like a run in ir-measures and as the paper says."""

import random

import ir_measures
import pytest

import pres_plugin
from pres_plugin.measures import MeasureError

MEASURES = [
    *("PRES@7", "PRES(rel=2)@20", "PRES(judged_only=True)@7", "PRES_est(rel=2,judged_only=True)@9"),
    *("Rnorm(N=60)", "Rnorm(judged_only=True)@9", "WSS(N=60)@0.5", "TNR(judged_only=True)@0.8"),
    *("LastRel", "AP", "AP(rel=2)@9", "R@9", "R(rel=2,judged_only=True)@9"),
]


@pytest.mark.parametrize("seed", range(8))
def test_scores_are_those_of_ir_measures(seed):
    rng = random.Random(seed)
    qrels = {f"d{i}": rng.randint(-1, 2) for i in range(rng.randint(1, 30))}
    ranking = [f"d{i}" for i in rng.sample(range(40), rng.randint(0, 25))]
    run = {"q": {doc_id: -float(rank) for rank, doc_id in enumerate(ranking)}}
    measures = [ir_measures.parse_measure(name) for name in MEASURES]
    expected = ir_measures.calc_aggregate(measures, {"q": qrels}, run)
    scores = pres_plugin.score(ranking, qrels, MEASURES)
    assert scores == pytest.approx({str(name): value for name, value in expected.items()})
    for name in MEASURES:
        assert pres_plugin.score(iter(ranking), qrels, name) == scores[name]


@pytest.mark.parametrize("ranking", [{"a": 1.0}, {"a"}, frozenset("a"), "a", b"a"])
def test_a_ranking_without_an_order_is_refused(ranking):
    with pytest.raises(TypeError, match="ranking must be a list of document ids, best first"):
        pres_plugin.score(ranking, ["a"], "PRES@10")


@pytest.mark.parametrize(
    ("ranking", "relevant", "measures", "error", "said"),
    [
        (["a", "b", "a"], ["b"], "AP", ValueError, "document 'a' twice, at ranks 1 and 3"),
        (["x", "a", "x"], {"a": 1}, "R(judged_only=True)@5", ValueError, "document 'x' twice"),
        (["a"], "a", "AP", TypeError, "relevant must contain document ids"),
        (["a"], {"a": 0.5}, "AP", ValueError, "document 'a': a relevance must be a whole number"),
        (["a"], {"a": 2**70}, "AP", ValueError, "document 'a': .* of 64 bits, got 1180591"),
        (["a"], {"a"}, "PRES(rel=2)@5", TypeError, r"PRES\(rel=2\)@5 needs the relevance of each"),
        (["a"], ["a"], "R(judged_only=True)@5", TypeError, "pass relevant as a dict"),
        (["a", "b"], ["a"], "Rnorm(N=1)", MeasureError, "the topic has 2 documents"),
        (["a"], ["a"], "PRES", MeasureError, "a cutoff is missing"),
        (["a"], ["a"], "nDCG@10", MeasureError, "use ir_measures for measures other than PRES"),
        (["a"], ["a"], [], MeasureError, "no measure is given"),
    ],
)
def test_wrong_arguments_are_named(ranking, relevant, measures, error, said):
    with pytest.raises(error, match=said):
        pres_plugin.score(ranking, relevant, measures)
