"""Ranks follow trec_eval's order: 32-bit scores, then ids, descending."""

import math
from collections import UserDict

import by_definition
import numpy as np
import pytest
from beginnings import raises
from hypothesis import given
from hypothesis import strategies as st

from pres_plugin.measures.parameters import LARGEST
from pres_plugin.ranking.dicts import rank_run
from pres_plugin.ranking.judgements import Judgements
from pres_plugin.study import scoring

DOC_IDS = st.text(st.characters(codec="utf-8"), max_size=2) | st.sampled_from("abcd")
# Few values, and pairs that only 64-bit floats tell apart: ties abound.
SCORES = st.sampled_from([0.0, -0.0, 1, 1 + 1e-12, 2.5, -7.25, 1e300, 1e301, math.inf, -math.inf])
# Each level of relevance, with all documents and with the judged ones alone.
CHOICES = [(rel, judged_only) for rel in (1, 2, 3) for judged_only in (False, True)]


def scores(qrels, run, measures=("PRES@5",)):
    """Return the scores by topic and measure, with means under "all"."""
    found = scoring.score(qrels, {"run": run}, measures)
    values = zip((*found.topics, "all"), (*found.values[0], found.means[0]), strict=True)
    return {(t, m): value for t, row in values for m, value in zip(measures, row, strict=True)}


def check(qrels, run, choices=CHOICES):
    """Check the scores of each topic against those of all documents sorted."""
    measures = [
        f"{name}(rel={rel},judged_only={judged_only}){cutoff}"
        for rel, judged_only in choices
        for name, cutoff in (("PRES", "@5"), ("LastRel", ""))
    ]
    assert scores(qrels, run, measures) == pytest.approx(
        by_definition.values(measures, qrels, run), abs=1e-14
    )


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
        ({"a": 10**400}, ValueError, "topic 't', document 'a': a score must fit"),
        ({7: 1.0}, TypeError, "topic 't', document 7: a document id must be a string, got int"),
        (
            {"": 1.0, b"x": 1.0},
            TypeError,
            "topic 't', document b'x': a document id must be a string",
        ),
        (["a", "b"], TypeError, "topic 't': its documents must be a dict .* got list"),
        (Shrinking(a=1.0), TypeError, "topic 't': its documents cannot be read"),
    ],
)
def test_wrong_documents_and_scores_are_named(docs, error, said):
    with raises(error, said):
        rank_run(Judgements.from_dicts({"s": {"a": 1}, "t": {"a": 1}}), {"s": {"a": 1}, "t": docs})


@pytest.mark.parametrize("score", [np.float32(1), np.int16(1), np.uint64(1), np.bool_(True), True])
def test_any_kind_of_number_is_a_score(score):
    assert scores({"t": {"b": 1}}, {"t": {"a": score, "b": 0.5}})["t", "PRES@5"] == 0.8


@pytest.mark.parametrize(
    ("docs", "error", "said"),
    [
        ({"a": 0.5}, TypeError, "topic 't', document 'a': a relevance must be a whole number, got"),
        ({"a": 2**70}, ValueError, "topic 't', document 'a': a relevance must fit"),
        ({3: 1}, TypeError, "topic 't', document 3: a document id must be a string"),
        ([1], TypeError, "topic 't': its documents must be a dict .* got list"),
    ],
)
def test_wrong_judgements_are_named(docs, error, said):
    with raises(error, said):
        Judgements.from_dicts({"s": {}, "t": docs})
