"""Wrong arguments are refused, with the argument and its value."""

import math
from decimal import Decimal

import numpy as np
import pytest

from pres_plugin import (
    average_precision,
    f_prime,
    last_rel,
    pres,
    pres_est,
    recall,
    relevant_ranks,
    rnorm,
    tnr,
    wss,
)

BY_RANKS = [
    lambda ranks, n: pres(ranks, n, 10),
    lambda ranks, n: pres_est(ranks, n, 10),
    lambda ranks, n: rnorm(ranks, n, 1000),
    lambda ranks, n: average_precision(ranks, n),
    lambda ranks, n: recall(ranks, n),
    lambda ranks, n: wss(ranks, n, 1000),
    lambda ranks, n: tnr(ranks, n, 1000),
    lambda ranks, n: last_rel(ranks, n),
]


@pytest.mark.parametrize("score", BY_RANKS)
@pytest.mark.parametrize(
    ("ranks", "n", "said"),
    [
        ([0], 1, "ranks .* got 0"),
        ([1.5], 1, r"ranks .* got 1\.5"),
        (["1"], 1, "ranks .* got '1'"),
        ([True], 1, "ranks .* got True"),
        ([4, 2, 4], 5, "ranks contains rank 4 more than once"),
        ([1, 2], 1, "ranks contains 2 ranks, but n_relevant is 1"),
        ([1], -1, "n_relevant .* got -1"),
        ([1], None, "n_relevant .* got None"),
    ],
)
def test_ranks_must_be_distinct_positive_whole_numbers_of_relevant_documents(score, ranks, n, said):
    with pytest.raises(ValueError, match=said):
        score(ranks, n)


@pytest.mark.parametrize("wrong", [0, math.inf, True])
def test_depth_and_collection_size_must_be_positive_whole_numbers(wrong):
    for call in (
        lambda: pres([1], 1, wrong),
        lambda: pres_est([1], 1, wrong),
        lambda: rnorm([1], 1, 5, n_max=wrong),
        lambda: average_precision([1], 1, n_max=wrong),
        lambda: recall([1], 1, n_max=wrong),
        lambda: last_rel([1], 1, n_max=wrong),
    ):
        with pytest.raises(ValueError, match=f"n_max .* got .*{wrong}"):
            call()
    for score in (rnorm, wss, tnr):
        with pytest.raises(ValueError, match=f"n_docs .* got .*{wrong}"):
            score([1], 1, wrong)


@pytest.mark.parametrize(
    ("ranks", "n", "n_docs", "said"),
    [
        ([], 6, 5, "n_docs is 5, below n_relevant, which is 6"),
        ([2, 9], 2, 8, "n_docs is 8, below the rank 9"),
        ([2, 9], 4, 10, "at least 11"),
    ],
)
def test_a_collection_must_have_room_for_what_is_known_of_it(ranks, n, n_docs, said):
    for score in (rnorm, wss, tnr):
        with pytest.raises(ValueError, match=said):
            score(ranks, n, n_docs)


@pytest.mark.parametrize("whole", [3.0, np.int8(3), np.float32(3), Decimal(3)])
def test_any_whole_number_will_do(whole):
    assert pres([whole], whole, whole) == pres([3], 3, 3)
    assert rnorm([whole], whole, whole * 3, whole) == rnorm([3], 3, 9, 3)


def test_ranks_may_be_any_iterable():
    assert pres(iter([1, 2]), 3, 5) == pres((1, 2), 3, 5) == pres(np.array([2, 1]), 3, 5)


@pytest.mark.parametrize("wrong", [-0.1, math.nan, "1"])
def test_f_prime_takes_proportions_and_a_finite_weight(wrong):
    with pytest.raises(ValueError, match=f"ap .* got .*{wrong}"):
        f_prime(wrong, 0.5)
    with pytest.raises(ValueError, match=f"recall .* got .*{wrong}"):
        f_prime(0.5, wrong)
    with pytest.raises(ValueError, match=r"beta .* got inf"):
        f_prime(0.5, 0.5, beta=math.inf)


def test_f_prime_weighs_like_its_name_says():
    assert f_prime(0.2, 0.8, beta=0) == pytest.approx(0.2)
    assert f_prime(0.2, 0.8, beta=1e6) == pytest.approx(0.8)
    assert f_prime(0.2, 0.8) == pytest.approx(2 / (1 / 0.2 + 1 / 0.8))
    assert f_prime(0, 0) == f_prime(0, 0, beta=0) == 0


def test_a_ranking_holds_a_document_once():
    with pytest.raises(ValueError, match="'b' twice, at ranks 2 and 4"):
        relevant_ranks(["a", "b", "c", "b"], {"c"})


def test_one_string_is_not_a_list_of_documents():
    with pytest.raises(TypeError, match=r"ranking .* 'abc'"):
        relevant_ranks("abc", {"a"})
    with pytest.raises(TypeError, match=r"relevant .* 'abc'"):
        relevant_ranks(["a"], "abc")


@pytest.mark.parametrize("ranking", [{"b": 1.0, "a": 2.0}, {"a", "b"}, frozenset("ab")])
def test_scores_and_sets_are_not_a_ranking(ranking):
    with pytest.raises(TypeError, match=r"pass sorted\(run, key=run.get, reverse=True\)"):
        relevant_ranks(ranking, {"a"})


def test_a_mapping_is_no_list_of_ranks():
    with pytest.raises(TypeError, match="list of ranks"):
        pres({1: 0.5}, 1, n_max=10)


def test_judgements_are_not_a_set_of_relevant_documents():
    with pytest.raises(TypeError, match="mapping"):
        relevant_ranks(["a"], {"a": 0})
