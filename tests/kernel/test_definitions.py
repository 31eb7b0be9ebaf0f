"""The measures are their definitions: of one ranking, and of every topic of a run."""

from fractions import Fraction

import effort_by_hand as by_hand
import ir_measures
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pres_plugin import (
    average_precision,
    last_rel,
    pres,
    pres_est,
    recall,
    relevant_ranks,
    rnorm,
    tnr,
    wss,
)


@st.composite
def rankings(draw, max_rank=60):
    """Ranks of retrieved relevant documents, their number in all, and a depth."""
    ranks = draw(st.lists(st.integers(1, max_rank), unique=True, max_size=25))
    n = len(ranks) + draw(st.integers(0, 10))
    return ranks, n, draw(st.integers(1, 70))


def brute_force(ranks, n, depth, first_missed):
    """The ranks of all n documents, the missed ones from `first_missed` on."""
    found = [r for r in ranks if r <= depth]
    return found + [first_missed + i for i in range(n - len(found))]


@given(rankings())
def test_pres_is_its_definition(ranking):
    ranks, n, n_max = ranking
    if n == 0:
        assert pres(ranks, n, n_max) == pres_est(ranks, n, n_max) == 0
        return
    n_found = sum(r <= n_max for r in ranks)
    all_ranks = brute_force(ranks, n, n_max, n_max + n_found + 1)
    defined = 1 - (Fraction(sum(all_ranks), n) - Fraction(n + 1, 2)) / n_max
    attainable = Fraction(n_max, n) if n_max <= n else 1
    assert pres(ranks, n, n_max) == float(defined)
    assert pres_est(ranks, n, n_max) == float(defined / attainable)


@given(rankings(), st.integers(0, 40))
def test_rnorm_is_its_definition(ranking, others):
    ranks, n, n_max = ranking
    n_docs = max(ranks, default=1) + n + others
    for depth in (None, n_max):
        n_found = sum(depth is None or r <= depth for r in ranks)
        all_ranks = brute_force(ranks, n, depth or n_docs, n_docs - (n - n_found) + 1)
        area = Fraction(sum(all_ranks) - n * (n + 1) // 2, max(n * (n_docs - n), 1))
        assert rnorm(ranks, n, n_docs, depth) == (float(1 - area) if n else 0.0)


@given(rankings())
def test_ap_and_recall_are_their_definitions(ranking):
    ranks, n, n_max = ranking
    for depth in (None, n_max):
        found = sorted(r for r in ranks if depth is None or r <= depth)
        precisions = sum(Fraction(i, rank) for i, rank in enumerate(found, 1))
        assert recall(ranks, n, depth) == (len(found) / n if n else 0)
        ap = average_precision(ranks, n, depth)
        assert ap == pytest.approx(float(precisions / n) if n else 0, abs=1e-14)


#: Each measure of a run, and of one topic's ranks; 100 documents are in the collection.
OF_A_TOPIC = {
    "PRES@20": lambda ranks, n: pres(ranks, n, 20),
    "PRES_est@20": lambda ranks, n: pres_est(ranks, n, 20),
    "Rnorm(N=100)": lambda ranks, n: rnorm(ranks, n, 100),
    "Rnorm(N=100)@20": lambda ranks, n: rnorm(ranks, n, 100, 20),
    "AP": average_precision,
    "AP@20": lambda ranks, n: average_precision(ranks, n, 20),
    "R@20": lambda ranks, n: recall(ranks, n, 20),
    "WSS(N=100)@0.7": lambda ranks, n: wss(ranks, n, 100, 0.7),
    "TNR(N=100,rounding='nearest')": lambda ranks, n: tnr(ranks, n, 100, 0.95, "nearest"),
    "LastRel": last_rel,
    "LastRel@20": lambda ranks, n: by_hand.last_rel(ranks, 20),
}


@given(st.lists(rankings(max_rank=40), min_size=1, max_size=6))
def test_each_topic_of_a_run_scores_as_its_ranks_do(rankings):
    qrels, run = {}, {}
    for i, (ranks, n, _) in enumerate(rankings):
        documents = [*ranks, *range(1000, 1000 + n - len(ranks))]
        qrels[f"q{i}"] = {"other": 0, **{f"d{rank}": 1 for rank in documents}}
        run[f"q{i}"] = {f"d{rank}": -rank for rank in range(1, 41)}
    measures = [ir_measures.parse_measure(name) for name in OF_A_TOPIC]
    for found in ir_measures.iter_calc(measures, qrels, run):
        ranks, n, _ = rankings[int(found.query_id[1:])]
        expected = OF_A_TOPIC[str(found.measure)](ranks, n)
        assert found.value == pytest.approx(expected, abs=1e-14)


def test_large_collections_lose_nothing():
    n, n_docs, n_max = 10**5, 10**9, 10**8
    ranks = np.arange(n_max - n + 1, n_max + 1)
    defined = 1 - (Fraction(int(ranks.sum()), n) - Fraction(n + 1, 2)) / n_max
    area = Fraction(int(ranks.sum()) - n * (n + 1) // 2, n * (n_docs - n))
    assert pres(ranks, n, n_max) == float(defined)
    assert rnorm(ranks, n, n_docs) == float(1 - area)


def test_a_collection_of_relevant_documents_only_has_rnorm_one():
    assert rnorm([2, 1], 2, 2) == rnorm([], 2, 2) == 1.0


def test_ranks_are_counted_from_one_in_the_order_given():
    assert relevant_ranks(["d", "a", "c", "b"], {"a", "b", "z"}) == [2, 4]
    assert relevant_ranks([], {"a"}) == relevant_ranks(["a"], []) == []
