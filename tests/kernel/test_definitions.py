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


@given(rankings(), st.integers(0, 40))
def test_measures_are_their_definitions(ranking, others):
    ranks, n, n_max = ranking
    n_docs = max(ranks, default=1) + n + others
    cases = [(score, (), n_max) for score in (pres, pres_est, average_precision, recall)]
    cases += [(rnorm, (n_docs,), n_max)]
    cases += [(score, of, None) for score, of, _ in cases[2:]]
    for score, of, depth in cases:
        defined = getattr(by_definition, score.__name__)
        expected = defined(ranks, n, *of, depth or math.inf) if n else 0
        assert score(ranks, n, *of, depth) == pytest.approx(float(expected), abs=1e-14)


@given(rankings())
def test_pres_lies_between_ap_and_recall(ranking):
    ranks, n, n_max = ranking
    score, r = pres(ranks, n, n_max), recall(ranks, n, n_max)
    assert average_precision(ranks, n, n_max) <= score + 1e-14
    assert n * r**2 / n_max - 1e-14 <= score <= r


@given(rankings())
def test_pres_is_rnorm_of_nmax_plus_n_documents(ranking):
    ranks, n, n_max = ranking
    seen = [rank for rank in ranks if rank <= n_max]
    assert pres(ranks, n, n_max) == rnorm(seen, n, n_max + n)


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
