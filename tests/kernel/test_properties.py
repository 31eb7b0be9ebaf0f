"""What holds of the measures for every ranking, and against their definitions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pres_plugin import average_precision, pres, pres_est, recall, relevant_ranks, rnorm
from pres_plugin.kernel import topics
from pres_plugin.kernel.topics import RelevantRanks
from pres_plugin.measures import AP, PRES, PRES_est, R, Rnorm


@st.composite
def rankings(draw, max_rank=60, max_relevant=25):
    """Ranks of retrieved relevant documents, their number in all, and a depth."""
    ranks = draw(st.lists(st.integers(1, max_rank), unique=True, max_size=max_relevant))
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
def test_pres_lies_between_its_bounds(ranking):
    ranks, n, n_max = ranking
    r = recall(ranks, n, n_max)
    score = pres(ranks, n, n_max)
    assert n * r * r / n_max - 1e-12 <= score <= r + 1e-12
    assert 0 <= score <= pres_est(ranks, n, n_max) <= 1


@given(rankings())
def test_pres_is_the_mean_of_recall_over_depth_and_a_small_term(ranking):
    ranks, n, n_max = ranking
    r = recall(ranks, n, n_max)
    mean = sum(recall(ranks, n, k) for k in range(1, n_max + 1))
    assert pres(ranks, n, n_max) == pytest.approx((mean + r * (n * r - 1) / 2) / n_max, abs=1e-12)


@given(rankings(), st.data())
def test_moving_a_relevant_document_up_never_lowers_a_score(ranking, data):
    ranks, n, n_max = ranking
    free_above = [(r, up) for r in ranks for up in range(1, r) if up not in ranks]
    if not free_above:
        return
    rank, up = data.draw(st.sampled_from(free_above))
    better = [up if r == rank else r for r in ranks]
    n_docs = max(ranks) + n
    assert pres(better, n, n_max) >= pres(ranks, n, n_max)
    assert pres_est(better, n, n_max) >= pres_est(ranks, n, n_max)
    assert rnorm(better, n, n_docs) >= rnorm(ranks, n, n_docs)
    assert rnorm(better, n, n_docs, n_max) >= rnorm(ranks, n, n_docs, n_max)


@given(rankings())
def test_pres_est_is_pres_where_all_relevant_documents_fit(ranking):
    ranks, n, n_max = ranking
    if n <= n_max:
        assert pres_est(ranks, n, n_max) == pres(ranks, n, n_max)


@given(rankings(), st.randoms())
def test_the_order_of_ranks_does_not_matter(ranking, random):
    ranks, n, n_max = ranking
    shuffled = random.sample(ranks, len(ranks))
    n_docs = max(ranks, default=0) + n + 1
    assert pres(shuffled, n, n_max) == pres(ranks, n, n_max)
    assert rnorm(shuffled, n, n_docs) == rnorm(ranks, n, n_docs)
    assert average_precision(shuffled, n, n_max) == average_precision(ranks, n, n_max)


@given(st.integers(1, 200), st.integers(1, 200))
def test_pres_of_one_relevant_document_falls_linearly(rank, n_max):
    expected = (n_max - rank + 1) / n_max if rank <= n_max else 0
    assert pres([rank], 1, n_max) == pytest.approx(expected, abs=1e-15)


@given(st.lists(rankings(), max_size=6), st.integers(1, 70))
def test_many_topics_score_as_one_topic_does(rankings, n_max):
    ranks = [r for ranks, _, _ in rankings for r in ranks]
    table = RelevantRanks(
        np.array([n for _, n, _ in rankings], dtype=np.int64),
        np.array(ranks, dtype=np.int64),
        np.cumsum([0, *(len(ranks) for ranks, _, _ in rankings)]),
    )
    n_docs = max(ranks, default=1) + 40

    def scores(measure, n_max=None):
        return topics.score(measure.declaration.formula, table, n_max, n_docs)

    for i, (ranks, n, _) in enumerate(rankings):
        assert scores(PRES, n_max)[i] == pres(ranks, n, n_max)
        assert scores(PRES_est, n_max)[i] == pres_est(ranks, n, n_max)
        assert scores(Rnorm, n_max)[i] == rnorm(ranks, n, n_docs, n_max)
        assert scores(Rnorm)[i] == rnorm(ranks, n, n_docs)
        assert scores(R, n_max)[i] == recall(ranks, n, n_max)
        ap = scores(AP, n_max)[i]
        assert ap == pytest.approx(average_precision(ranks, n, n_max), abs=1e-14)
        ap = scores(AP)[i]
        assert ap == pytest.approx(average_precision(ranks, n), abs=1e-14)


def test_large_collections_lose_nothing():
    n, n_docs, n_max = 10**5, 10**9, 10**8
    ranks = np.arange(n_max - n + 1, n_max + 1)
    defined = 1 - (Fraction(int(ranks.sum()), n) - Fraction(n + 1, 2)) / n_max
    area = Fraction(int(ranks.sum()) - n * (n + 1) // 2, n * (n_docs - n))
    table = RelevantRanks(np.array([n]), ranks, np.array([0, n]))
    by_pres = topics.score(PRES.declaration.formula, table, n_max)
    by_rnorm = topics.score(Rnorm.declaration.formula, table, n_max, n_docs)
    assert pres(ranks, n, n_max) == by_pres[0] == float(defined)
    assert rnorm(ranks, n, n_docs) == by_rnorm[0] == float(1 - area)


def test_a_collection_of_relevant_documents_only_has_rnorm_one():
    assert rnorm([2, 1], 2, 2) == 1.0
    assert rnorm([], 2, 2) == 1.0


def test_ranks_are_counted_from_one_in_the_order_given():
    assert relevant_ranks(["d", "a", "c", "b"], {"a", "b", "z"}) == [2, 4]
    assert relevant_ranks([], {"a"}) == relevant_ranks(["a"], []) == []
