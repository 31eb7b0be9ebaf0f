"""The measures of one ranking are their definitions."""

import math

import by_definition
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pres_plugin import (
    average_precision,
    pres,
    pres_est,
    recall,
    relevant_ranks,
    rnorm,
)


@st.composite
def rankings(draw, max_rank=60):
    """Ranks of retrieved relevant documents, their number in all, and a depth."""
    ranks = draw(st.lists(st.integers(1, max_rank), unique=True, max_size=25))
    n = len(ranks) + draw(st.integers(0, 10))
    return ranks, n, draw(st.integers(1, 70))


@given(rankings())
def test_pres_is_its_definition(ranking):
    ranks, n, n_max = ranking
    for score in (pres, pres_est):
        defined = getattr(by_definition, score.__name__)
        assert score(ranks, n, n_max) == (float(defined(ranks, n, n_max)) if n else 0)


@given(rankings())
def test_pres_lies_between_ap_and_recall(ranking):
    ranks, n, n_max = ranking
    score, r = pres(ranks, n, n_max), recall(ranks, n, n_max)
    assert average_precision(ranks, n, n_max) <= score + 1e-14
    assert n * r**2 / n_max - 1e-14 <= score <= r
    if n:
        ap, exact, r = (
            getattr(by_definition, name)(ranks, n, n_max)
            for name in ("average_precision", "pres", "recall")
        )
        assert ap <= exact <= r <= any(rank <= n_max for rank in ranks)


@given(rankings(), st.integers(0, 40))
def test_rnorm_is_its_definition(ranking, others):
    ranks, n, n_max = ranking
    n_docs = max(ranks, default=1) + n + others
    for cutoff, depth in ((None, math.inf), (n_max, n_max)):
        defined = float(by_definition.rnorm(ranks, n, n_docs, depth)) if n else 0.0
        assert rnorm(ranks, n, n_docs, cutoff) == defined


@given(rankings())
def test_ap_and_recall_are_their_definitions(ranking):
    ranks, n, n_max = ranking
    for cutoff, depth in ((None, math.inf), (n_max, n_max)):
        assert recall(ranks, n, cutoff) == (
            float(by_definition.recall(ranks, n, depth)) if n else 0
        )
        ap = float(by_definition.average_precision(ranks, n, depth)) if n else 0
        assert average_precision(ranks, n, cutoff) == pytest.approx(ap, abs=1e-14)


def test_large_collections_lose_nothing():
    n, n_docs, n_max = 10**5, 10**9, 10**8
    ranks = range(n_max - n + 1, n_max + 1)
    assert pres(ranks, n, n_max) == float(by_definition.pres(ranks, n, n_max))
    assert rnorm(ranks, n, n_docs) == float(by_definition.rnorm(ranks, n, n_docs))


def test_a_collection_of_relevant_documents_only_has_rnorm_one():
    assert rnorm([2, 1], 2, 2) == rnorm([1], 2, 2) == 1.0
    assert rnorm([], 2, 2) == 0.0  # as for any ranking that finds nothing


def test_ranks_are_counted_from_one_in_the_order_given():
    assert relevant_ranks(["d", "a", "c", "b"], {"a", "b", "z"}) == [2, 4]
    assert relevant_ranks([], {"a"}) == relevant_ranks(["a"], []) == []
