"""Wrong arguments are refused, with the argument and its value."""

import math
from decimal import Decimal
from functools import partial

import numpy as np
import pytest
from beginnings import raises

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


@pytest.mark.parametrize(
    "score", [pres, pres_est, rnorm, average_precision, recall, wss, tnr, last_rel]
)
@pytest.mark.parametrize(
    ("ranks", "n", "said"),
    [
        ([0], 1, "each rank in ranks must be .* got 0"),
        ([1.5], 1, r"each rank in ranks must be .* got 1\.5"),
        (["1"], 1, "each rank in ranks must be .* got '1'"),
        ([True], 1, "each rank in ranks must be .* got True"),
        ([4, 2, 4], 5, "ranks contains rank 4 more than once"),
        ([1, 2], 1, "ranks contains 2 ranks, but n_relevant is 1"),
        ([1], -1, "n_relevant must be .* got -1"),
        ({1: 0.5}, 1, "ranks must be a list of ranks"),
    ],
)
def test_ranks_must_be_distinct_positive_whole_numbers_of_relevant_documents(score, ranks, n, said):
    with raises((TypeError, ValueError), said):
        score(ranks, n, 1000)


@pytest.mark.parametrize("wrong", [0, math.inf, True])
def test_depth_and_collection_size_must_be_positive_whole_numbers(wrong):
    for score in (pres, pres_est, partial(rnorm, n_docs=5), average_precision, recall, last_rel):
        with raises(ValueError, f"n_max must be .* got .*{wrong}"):
            score([1], 1, n_max=wrong)
    for score in (rnorm, wss, tnr):
        with raises(ValueError, f"n_docs must be .* got .*{wrong}"):
            score([1], 1, wrong)


@pytest.mark.parametrize(
    ("ranks", "n", "n_docs", "said"),
    [
        ([], 6, 5, "n_docs is 5, below n_relevant, which is 6"),
        ([2, 9], 2, 8, "n_docs is 8, below the rank 9"),
        ([2, 9], 4, 10, "n_docs is 10, but the collection has at least 11"),
    ],
)
def test_a_collection_must_have_room_for_what_is_known_of_it(ranks, n, n_docs, said):
    for score in (rnorm, wss, tnr):
        with raises(ValueError, said):
            score(ranks, n, n_docs)


@pytest.mark.parametrize("whole", [3.0, np.int8(3), np.float32(3), Decimal(3)])
def test_any_whole_number_will_do(whole):
    assert pres([whole], whole, whole) == pres([3], 3, 3)
    assert rnorm(iter([whole]), whole, whole * 3, whole) == rnorm(np.array([3]), 3, 9, 3)


@pytest.mark.parametrize("wrong", [-0.1, math.nan, "1"])
def test_f_prime_takes_proportions_and_a_finite_weight(wrong):
    with raises(ValueError, f"ap must be .* got .*{wrong}"):
        f_prime(wrong, 0.5)
    with raises(ValueError, f"recall must be .* got .*{wrong}"):
        f_prime(0.5, wrong)
    with raises(ValueError, r"beta must be .* got inf"):
        f_prime(0.5, 0.5, beta=math.inf)


def test_f_prime_weighs_like_its_name_says():
    assert f_prime(0.2, 0.8, beta=0) == pytest.approx(0.2)
    assert f_prime(0.2, 0.8, beta=1e6) == pytest.approx(0.8)
    assert f_prime(0.2, 0.8) == pytest.approx(2 / (1 / 0.2 + 1 / 0.8))
    assert f_prime(0, 0) == f_prime(0, 0, beta=0) == 0


@pytest.mark.parametrize(
    ("ranking", "relevant", "error", "said"),
    [
        (
            ["a", "b", "c", "b"],
            {"c"},
            ValueError,
            "ranking contains document 'b' twice, at ranks 2 and 4",
        ),
        ("abc", {"a"}, TypeError, "ranking must be .* 'abc'"),
        (["a"], "abc", TypeError, "relevant must contain .* 'abc'"),
        (
            ["a"],
            {"a": 0},
            TypeError,
            "relevant must contain only the relevant documents, got a mapping",
        ),
        (
            {"b": 1.0},
            {"a"},
            TypeError,
            r"ranking must be .*pass sorted\(run, key=run.get, reverse=True\)",
        ),
        (frozenset("ab"), {"a"}, TypeError, "ranking must be .*pass sorted"),
    ],
)
def test_what_is_no_ranking_or_no_set_of_documents_is_refused(ranking, relevant, error, said):
    with raises(error, said):
        relevant_ranks(ranking, relevant)
