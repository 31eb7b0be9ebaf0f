"""Ranks follow trec_eval's order: 32-bit scores, then ids, descending."""

import math
from collections import UserDict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pres_plugin.kernel.topics import RelevantRanks
from pres_plugin.measures import AP, PRES, LastRel, Rnorm
from pres_plugin.measures.measure import View
from pres_plugin.ranking.dicts import rank
from pres_plugin.ranking.inputs import Judgements, check_scores
from pres_plugin.ranking.scores import Judged, RankedView, most_relevant

DOC_IDS = st.text(st.characters(codec="utf-8"), max_size=3)
# Few values, and pairs that only 64-bit floats tell apart: ties abound.
SCORES = st.sampled_from([0.0, -0.0, 1, 1 + 1e-12, 2.5, -7.25, 1e300, 1e301, math.inf, -math.inf])


def brute_force(docs, relevant):
    """Sort everything, as trec_eval does; Python orders strings by code point."""
    with np.errstate(over="ignore"):
        ranking = sorted(docs, key=lambda d: (np.float32(docs[d]), d), reverse=True)
    return sorted(ranking.index(d) + 1 for d in relevant if d in docs)


@given(
    st.dictionaries(
        st.text(max_size=2),
        st.tuples(
            st.dictionaries(DOC_IDS, SCORES, min_size=1, max_size=30),
            st.sets(DOC_IDS, max_size=5),
            st.data(),
        ),
        max_size=4,
    )
)
def test_ranks_are_those_of_a_full_sort(topics):
    run = {topic: docs for topic, (docs, _, _) in topics.items()}
    relevant = {
        topic: sorted(others | data.draw(st.sets(st.sampled_from(sorted(docs)))))
        for topic, (docs, others, data) in topics.items()
    }
    table = rank(run, relevant)
    for i, topic in enumerate(run):
        ranks = table.ranks[table.starts[i] : table.starts[i + 1]].tolist()
        assert sorted(ranks) == brute_force(run[topic], relevant[topic])
        assert table.n[i] == len(relevant[topic])


def test_topics_of_any_size_are_ranked_together():
    rng = np.random.default_rng(0)
    run, relevant = {}, {}
    for topic, size in enumerate([0, 1, 2, 3, 999, 0, 1, 1500, 17, 4, *[5] * 300, 0]):
        docs = [f"d{i}" for i in rng.choice(10_000, size, replace=False).tolist()]
        run[str(topic)] = dict(zip(docs, rng.integers(0, 400, size).tolist(), strict=True))
        relevant[str(topic)] = [*docs[::3], "not retrieved"]
    table = rank(UserDict(run), relevant)
    for i, (topic, docs) in enumerate(run.items()):
        ranks = table.ranks[table.starts[i] : table.starts[i + 1]].tolist()
        assert sorted(ranks) == brute_force(docs, relevant[topic])
        assert table.n[i] == len(relevant[topic])


VIEWS = [View(rel, judged_only) for rel in (1, 2, 3) for judged_only in (False, True)]


@given(
    st.dictionaries(
        st.text(max_size=2),
        st.tuples(
            st.dictionaries(st.sampled_from("abcdefgh"), st.integers(-1, 3), max_size=8),
            st.dictionaries(st.sampled_from("abcdefghij"), SCORES, min_size=1, max_size=10),
        ),
        max_size=4,
    ),
    st.sets(st.sampled_from(VIEWS), min_size=1),
    st.randoms(),
)
def test_one_ranking_serves_every_level_and_the_judged_documents_alone(topics, views, random):
    judged = Judged(Judgements({t: qrels for t, (qrels, _) in topics.items()}), views)
    chosen = random.sample(sorted(topics), random.randint(0, len(topics)))
    found = judged.rank({topic: topics[topic][1] for topic in chosen})
    assert found.keys() == views
    for view, ranked in found.items():
        for i, topic in enumerate(chosen):
            qrels, docs = topics[topic]
            relevant = {d for d, level in qrels.items() if level >= view.rel}
            unjudged = {d for d in docs if qrels.get(d, -1) < 0} if view.judged_only else set()
            left = {d: score for d, score in docs.items() if d not in unjudged}
            ranks = ranked.ranks.ranks[ranked.ranks.starts[i] : ranked.ranks.starts[i + 1]]
            assert sorted(ranks.tolist()) == brute_force(left, relevant)
            assert ranked.ranks.n[i] == len(relevant)
            assert ranked.retrieved[i] == len(docs)


@given(st.integers(1, 10**12), st.booleans())
def test_sums_of_ranks_fit_into_64_bits_up_to_the_largest_n(last, is_size):
    measure = Rnorm(N=last) if is_size else PRES @ last
    most = most_relevant(measure)
    assert 2 * most * (last + most) < 2**63 <= 2 * (most + 1) * (last + most + 1)


def test_topics_with_more_relevant_documents_are_refused():
    n = most_relevant(PRES @ 10**12)
    for more, said in ((0, None), (1, f"PRES@{10**12}: a topic has {n + 1} relevant documents")):
        ranks = RelevantRanks(np.array([n + more]), np.array([10**12]), np.array([0, 1]))
        ranked = RankedView(ranks, np.array([1]), lambda i: "a topic")
        problems = [str(problem) for _, problem in ranked.problems(PRES @ 10**12)]
        assert len(problems) == more
        assert all(problem.startswith(said) for problem in problems)
        # These depend on no sum of ranks.
        assert not [*ranked.problems(AP @ 10**12), *ranked.problems(LastRel @ 10**12)]
    assert ranked.values(PRES @ 10**11)[0] == pytest.approx(0, abs=1e-9)


def test_among_equal_scores_the_higher_id_comes_first():
    docs = dict.fromkeys(["b", "B", "é", "10", "9", "😀", "\ufffd"], 1.0)
    order = ["😀", "\ufffd", "é", "b", "B", "9", "10"]
    ranks = rank({"t": docs}, {"t": order}).ranks
    assert ranks.tolist() == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize(
    ("docs", "error", "said"),
    [
        ({"a": 1.0, "b": math.nan}, ValueError, "topic 't', document 'b': the score is NaN"),
        ({"a": "1.5"}, TypeError, "topic 't', document 'a': a score must be a number, got '1.5'"),
        ({"a": None}, TypeError, "document 'a': a score must be a number, got None"),
        ({"a": 10**400}, ValueError, "document 'a': a score must fit"),
        ({7: 1.0}, TypeError, "topic 't', document 7: a document id must be a string, got int"),
        ({"": 1.0, b"x": 1.0}, TypeError, "document b'x': a document id must be a string"),
        ({"a": 1.0, None: 1.0}, TypeError, "document None: a document id must be a string"),
        (["a", "b"], TypeError, "topic 't': its documents must be a dict .* got list"),
        (None, TypeError, "topic 't': its documents must be a dict .* got NoneType"),
    ],
)
def test_wrong_documents_and_scores_are_named(docs, error, said):
    with pytest.raises(error, match=said):
        rank({"s": {"a": 1.0}, "t": docs}, {"s": [], "t": ["a"]})
    with pytest.raises(error, match=said):
        check_scores({"s": {"a": 1.0}, "t": docs})


class Shrinking(UserDict):
    """A mapping that claims to contain more than it does."""

    def __len__(self):
        return 5


def test_a_mapping_with_a_wrong_length_is_named():
    with pytest.raises(TypeError, match="topic 't': its documents cannot be read"):
        rank({"s": {"a": 1.0}, "t": Shrinking(a=1.0), "u": {}}, {key: ["a"] for key in "stu"})


@pytest.mark.parametrize(
    "score",
    [np.float32(1), np.float64(1), np.int16(1), np.uint64(1), np.bool_(True), 1, True],
)
def test_any_kind_of_number_is_a_score(score):
    assert rank({"t": {"a": score, "b": 0.5}}, {"t": ["b"]}).ranks.tolist() == [2]


@pytest.mark.parametrize(
    ("docs", "error", "said"),
    [
        ({"a": 1.0}, TypeError, "document 'a': a relevance must be a whole number, got 1.0"),
        ({"a": "1"}, TypeError, "document 'a': a relevance must be a whole number, got '1'"),
        ({"a": 2**70}, ValueError, "document 'a': a relevance must fit"),
        ({3: 1}, TypeError, "document 3: a document id must be a string"),
        ([1], TypeError, "topic 't': its documents must be a dict .* got list"),
        (None, TypeError, "topic 't': its documents must be a dict .* got NoneType"),
    ],
)
def test_wrong_judgements_are_named(docs, error, said):
    with pytest.raises(error, match=said):
        Judgements({"s": {}, "t": docs})


def test_judgements_select_by_relevance():
    judgements = Judgements({"s": {"a": 2, "b": -1, "c": np.int8(0)}, "t": {}, "u": {"a": True}})
    assert judgements.at_least(0) == {"s": ["a", "c"], "t": [], "u": ["a"]}
    assert judgements.at_least(1) == {"s": ["a"], "t": [], "u": ["a"]}
    assert judgements.at_least(3) == {"s": [], "t": [], "u": []}
