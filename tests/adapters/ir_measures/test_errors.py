"""Wrong input to ir-measures is refused before anything is computed, and named."""

import re

import ir_measures
import pytest
from ir_measures import AP, PRES, TNR, WSS, R, Rnorm

QRELS = {"q1": {"a": 1, "b": 1}, "q2": {"a": 1}}
RUN = {"q1": {"a": 2.0, "b": 1.0, "c": 0.5}, "q2": {"a": 1.0}}


@pytest.mark.parametrize("text", ["PRES@0", "PRES@'a'", "Rnorm(N=0)"])
def test_measure_strings_are_checked_when_parsed(text):
    with pytest.raises(ValueError, match="positive whole number"):
        ir_measures.parse_measure(text)


def test_a_missing_cutoff_is_said_when_scoring():
    with pytest.raises(ValueError, match=r"^PRES: a cutoff is missing"):
        PRES.calc_aggregate(QRELS, RUN)
    with pytest.raises(ValueError, match=r"^PRES: a cutoff is missing"):
        ir_measures.calc_aggregate([AP, PRES(rel=2)], QRELS, RUN)


def test_unknown_parameters_are_refused():
    with pytest.raises(TypeError, match="PRES has no parameter 'N'"):
        PRES(N=10)
    with pytest.raises(TypeError, match="Rnorm has no parameter 'n_docs'"):
        ir_measures.parse_measure("Rnorm(n_docs=10)")


def test_a_collection_must_have_room_for_what_is_retrieved_or_relevant():
    for measure in (Rnorm(N=2), Rnorm(N=2) @ 1, WSS(N=2), TNR(N=2) @ 0.5):
        said = f"^{re.escape(str(measure))}: topic 'q1' has 3 documents .* more than N; set N to"
        with pytest.raises(ValueError, match=said):
            measure.calc_aggregate(QRELS, RUN)
    # Three retrieved, and a relevant one that was not.
    with pytest.raises(ValueError, match=r"Rnorm\(N=3\): topic 'q1' has 4 documents"):
        Rnorm(N=3).calc_aggregate({"q1": {"a": 1, "z": 1}}, RUN)
    assert Rnorm(N=3).calc_aggregate(QRELS, RUN) == 1
    with pytest.raises(ValueError, match=r"Rnorm\(N=1\): topic 'q1' has 2 documents"):
        Rnorm(N=1).evaluator(QRELS)


#: What can be wrong in dicts only; the contract of errors covers rows.
BAD_RUNS = [
    ({"q2": {"a": None}}, "topic 'q2', document 'a': a score must be a number, got None"),
    ({2: {"a": 1.0}}, "topic 2: a topic id must be a string, got int"),
    ({"q2": ["a"]}, "topic 'q2': its documents must be a dict"),
]


@pytest.mark.parametrize(("bad", "said"), BAD_RUNS)
def test_a_wrong_run_is_refused_before_other_packages_score_it(bad, said):
    for measure in (PRES @ 10, Rnorm(N=9)):
        with pytest.raises(TypeError, match=f"^{re.escape(str(measure))}: run, {said}"):
            next(ir_measures.iter_calc([AP, R @ 5, measure], QRELS, {"q1": {"a": 1.0}, **bad}))


@pytest.mark.parametrize(
    ("qrels", "said"),
    [
        ({"q1": {"a": "1"}}, "topic 'q1', document 'a': a relevance must be a whole"),
        ({"q1": ["a"]}, "topic 'q1': its documents must be a dict"),
    ],
)
def test_wrong_qrels_are_refused(qrels, said):
    with pytest.raises(TypeError, match=f"^PRES@10: qrels, {said}"):
        ir_measures.evaluator([PRES @ 10], qrels)
