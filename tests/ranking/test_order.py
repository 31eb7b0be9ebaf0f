"""Ranks follow trec_eval's order: 32-bit scores, then ids, descending."""

import math
from collections import UserDict

import ir_measures
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pres_plugin import last_rel, pres
from pres_plugin.measures.parameters import LARGEST
from pres_plugin.ranking.judgements import Judgements

DOC_IDS = st.text(st.characters(codec="utf-8"), max_size=2) | st.sampled_from("abcd")
# Few values, and pairs that only 64-bit floats tell apart: ties abound.
SCORES = st.sampled_from([0.0, -0.0, 1, 1 + 1e-12, 2.5, -7.25, 1e300, 1e301, math.inf, -math.inf])
# Each level of relevance, with all documents and with the judged ones alone.
VIEWS = [(rel, judged_only) for rel in (1, 2, 3) for judged_only in (False, True)]


def brute_force(docs, relevant):
    """Sort everything, as trec_eval does; Python orders strings by code point."""
    with np.errstate(over="ignore"):
        ranking = sorted(docs, key=lambda d: (np.float32(docs[d]), d), reverse=True)
    return [rank for rank, doc in enumerate(ranking, 1) if doc in relevant], len(relevant)


def scores(qrels, run, views=VIEWS):
    """Return PRES@5 and LastRel of each topic in each view."""
    measures = {
        measure(rel=rel, judged_only=judged_only): (rel, judged_only, i)
        for rel, judged_only in views
        for i, measure in enumerate([ir_measures.PRES @ 5, ir_measures.LastRel])
    }
    return {
        (found.query_id, *measures[found.measure]): found.value
        for found in ir_measures.iter_calc(list(measures), qrels, run)
    }


def check(qrels, run, views=VIEWS):
    """Check the scores of each topic against those of all documents sorted."""
    found, expected = scores(qrels, run, views), {}
    for topic, judged in qrels.items():
        for rel, judged_only in views:
            docs = run.get(topic, {})
            if judged_only:
                docs = {doc: score for doc, score in docs.items() if judged.get(doc, -1) >= 0}
            relevant = {doc for doc, level in judged.items() if level >= rel}
            ranks, n = brute_force(docs, relevant)
            expected[topic, rel, judged_only, 0] = pres(ranks, n, 5)
            expected[topic, rel, judged_only, 1] = last_rel(ranks, n)
    assert found == expected


@given(
    st.dictionaries(
        st.text(max_size=2),
        st.tuples(
            st.dictionaries(DOC_IDS, st.integers(-1, 3), max_size=8),
            st.dictionaries(DOC_IDS, SCORES, min_size=1, max_size=10),
            st.dictionaries(DOC_IDS, st.tuples(st.integers(-1, 3), SCORES), max_size=8),
        ),
        min_size=1,
        max_size=3,
    ),
)
def test_scores_are_those_of_a_full_sort(topics):
    qrels = {
        t: judged | {d: n for d, (n, _) in both.items()} for t, (judged, _, both) in topics.items()
    }
    run = {t: docs | {d: s for d, (_, s) in both.items()} for t, (_, docs, both) in topics.items()}
    check(qrels, run)


def test_topics_of_any_size_are_ranked_together():
    rng = np.random.default_rng(0)
    qrels, run = {}, {}
    for topic, size in enumerate([0, 1, 2, 3, 999, 0, 1, 1500, 17, 4, *[5] * 300, 0]):
        docs = [f"d{i}" for i in rng.choice(10_000, size, replace=False).tolist()]
        run[str(topic)] = dict(zip(docs, rng.integers(0, 400, size).tolist(), strict=True))
        qrels[str(topic)] = dict.fromkeys([*docs[::3], "not retrieved"], 1)
    check(qrels, run, [(1, False)])


def test_the_numbers_of_a_topic_fit_into_64_bits():
    most_relevant = 400_000_000
    assert 2 * most_relevant * (LARGEST + most_relevant) < 2**63


class Shrinking(UserDict):
    """A mapping that claims to contain more than it does."""

    def __len__(self):
        return 5


@pytest.mark.parametrize(
    ("docs", "error", "said"),
    [
        ({"a": 1.0, "b": math.nan}, ValueError, "topic 't', document 'b': the score is NaN"),
        ({"a": "1.5"}, TypeError, "topic 't', document 'a': a score must be a number, got '1.5'"),
        ({"a": None}, TypeError, "document 'a': a score must be a number, got None"),
        ({"a": 10**400}, ValueError, "document 'a': a score must fit"),
        ({7: 1.0}, TypeError, "topic 't', document 7: a document id must be a string, got int"),
        ({"": 1.0, b"x": 1.0}, TypeError, "document b'x': a document id must be a string"),
        (["a", "b"], TypeError, "topic 't': its documents must be a dict .* got list"),
        (Shrinking(a=1.0), TypeError, "topic 't': its documents cannot be read"),
    ],
)
def test_wrong_documents_and_scores_are_named(docs, error, said):
    with pytest.raises(error, match=said):
        scores({"s": {"a": 1}, "t": {"a": 1}}, {"s": {"a": 1.0}, "t": docs})


@pytest.mark.parametrize("score", [np.float32(1), np.int16(1), np.uint64(1), np.bool_(True), True])
def test_any_kind_of_number_is_a_score(score):
    assert scores({"t": {"b": 1}}, {"t": {"a": score, "b": 0.5}})["t", 1, False, 1] == 2


@pytest.mark.parametrize(
    ("docs", "error", "said"),
    [
        ({"a": 0.5}, TypeError, "document 'a': a relevance must be a whole number, got 0.5"),
        ({"a": "1"}, TypeError, "document 'a': a relevance must be a whole number, got '1'"),
        ({"a": 2**70}, ValueError, "document 'a': a relevance must fit"),
        ({3: 1}, TypeError, "document 3: a document id must be a string"),
        ([1], TypeError, "topic 't': its documents must be a dict .* got list"),
    ],
)
def test_wrong_judgements_are_named(docs, error, said):
    with pytest.raises(error, match=said):
        Judgements.from_dicts({"s": {}, "t": docs})


def test_small_topics_and_large_ones_are_ranked_alike():
    sizes = [400, 700, 1, 1200, 30]
    run = {
        f"q{t}": {f"d{i}": (7919 * i + t) % 701 for i in range(size)}
        for t, size in enumerate(sizes)
    }
    qrels = {topic: dict.fromkeys(list(docs)[::3], 1) for topic, docs in run.items()}
    check(qrels, run, [(1, False)])
