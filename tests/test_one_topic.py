"""One ranking, given as a list; that it scores like runs is in the contract."""

import pytest
from beginnings import raises

import pres_plugin
from pres_plugin.measures import MeasureError


def test_one_measure_gives_a_number_and_several_a_dict():
    ranking, relevant = ["x", "a"], {"a": 1}
    assert pres_plugin.score(iter(ranking), relevant, "AP") == 0.5
    assert pres_plugin.score(ranking, relevant, ["AP", "R@1"]) == {"AP": 0.5, "R@1": 0.0}


@pytest.mark.parametrize(
    ("ranking", "relevant", "measures", "error", "said"),
    [
        ({"a": 1.0}, ["a"], "AP", TypeError, "ranking must be a list of document ids, best first"),
        ({"a"}, ["a"], "AP", TypeError, "ranking must be a list of document ids"),
        (b"a", ["a"], "AP", TypeError, "ranking must be a list of document ids"),
        (
            ["a", "b", "a"],
            ["b"],
            "AP",
            ValueError,
            "ranking contains document 'a' twice, at ranks 1 and 3",
        ),
        (
            ["x", "a", "x"],
            {"a": 1},
            "R(judged_only=True)@5",
            ValueError,
            "ranking contains document 'x' twice",
        ),
        (["a"], "a", "AP", TypeError, "relevant must contain document ids"),
        (["a"], {"a": 0.5}, "AP", ValueError, "document 'a': a relevance must be a whole number"),
        (
            ["a"],
            {"a": 2**70},
            "AP",
            ValueError,
            "document 'a': a relevance must .* of 64 bits, got 1180591",
        ),
        (["a"], {"a"}, "PRES(rel=2)@5", TypeError, r"PRES\(rel=2\)@5 needs the relevance of each"),
        (
            ["a"],
            ["a"],
            "R(judged_only=True)@5",
            TypeError,
            r"R\(judged_only=True\)@5 needs the relevance",
        ),
        (["a", "b"], ["a"], "Rnorm(N=1)", MeasureError, r"Rnorm\(N=1\): the topic has 2 documents"),
        (["a"], ["a"], "PRES", MeasureError, "PRES: a cutoff is missing"),
        (["a"], ["a"], "nDCG@10", MeasureError, "measure 'nDCG@10' is unknown; .*use ir_measures"),
        (["a"], ["a"], [], MeasureError, "no measure is given"),
    ],
)
def test_wrong_arguments_are_named(ranking, relevant, measures, error, said):
    with raises(error, said):
        pres_plugin.score(ranking, relevant, measures)
