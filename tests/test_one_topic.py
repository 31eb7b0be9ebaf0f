"""One ranking, given as a list; that it scores like runs is in the contract."""

import pytest

import pres_plugin
from pres_plugin.measures import MeasureError


def test_one_measure_gives_a_number_and_several_a_dict():
    ranking, relevant = ["x", "a"], {"a": 1}
    assert pres_plugin.score(iter(ranking), relevant, "AP") == 0.5
    assert pres_plugin.score(ranking, relevant, ["AP", "R@1"]) == {"AP": 0.5, "R@1": 0.0}


@pytest.mark.parametrize(
    ("ranking", "relevant", "measures", "error", "said"),
    [
        ({"a": 1.0}, ["a"], "AP", TypeError, "must be a list of document ids, best first"),
        ({"a"}, ["a"], "AP", TypeError, "ranking must be a list of document ids"),
        (b"a", ["a"], "AP", TypeError, "ranking must be a list of document ids"),
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
