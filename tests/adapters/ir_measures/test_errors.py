"""Wrong input to ir-measures is refused before anything is computed, and named."""

import math
import re

import ir_measures
import pandas as pd
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


BAD_RUNS = {
    "nan": ({"q2": {"a": math.nan}}, ValueError, "topic 'q2', document 'a': the score is NaN"),
    "text": ({"q2": {"a": "1.0"}}, TypeError, "topic 'q2', document 'a': a score must be a number"),
    "none": ({"q2": {"a": None}}, TypeError, "document 'a': a score must be a number, got None"),
    "document id": ({"q2": {3: 1.0}}, TypeError, "document 3: a document id must be a string"),
    "topic id": ({2: {"a": 1.0}}, TypeError, "topic 2: a topic id must be a string, got int"),
    "documents": ({"q2": ["a"]}, TypeError, "topic 'q2': its documents must be a dict"),
}


@pytest.mark.parametrize(("bad", "error", "said"), list(BAD_RUNS.values()), ids=list(BAD_RUNS))
@pytest.mark.parametrize(
    "measure", [PRES @ 10, Rnorm(N=9), Rnorm(judged_only=True)], ids=lambda m: m.NAME
)
def test_wrong_runs_are_refused_before_anything_is_computed(measure, bad, error, said):
    run = {"q1": {"a": 1.0}, **bad}
    name = str(measure).split("(")[0]
    for measures in ([measure], [AP, R @ 5, measure]):
        with pytest.raises(error, match=f"^{name}.*: run, .*{said}"):
            next(ir_measures.iter_calc(measures, QRELS, run))
        with pytest.raises(error, match=said):
            ir_measures.calc_aggregate(measures, QRELS, run)


@pytest.mark.parametrize(
    ("qrels", "error", "said"),
    [
        ({"q1": {"a": 1.5}}, TypeError, "topic 'q1', document 'a': a relevance must be a whole"),
        ({"q1": {"a": "1"}}, TypeError, "topic 'q1', document 'a': a relevance must be a whole"),
        ({"q1": {4: 1}}, TypeError, "topic 'q1', document 4: a document id must be a string"),
        ({1: {"a": 1}}, TypeError, "topic 1: a topic id must be a string"),
        ({"q1": ["a"]}, TypeError, "topic 'q1': its documents must be a dict"),
    ],
)
def test_wrong_qrels_are_refused(qrels, error, said):
    with pytest.raises(error, match=f"^PRES@10: qrels, {said}"):
        ir_measures.evaluator([PRES @ 10], qrels)
    with pytest.raises(error, match=said):
        ir_measures.calc_aggregate([PRES @ 10, AP], qrels, RUN)


def test_missing_values_in_a_frame_are_refused():
    run = pd.DataFrame({"query_id": ["q1", "q1"], "doc_id": ["a", None], "score": [1.0, 2.0]})
    with pytest.raises(TypeError, match="a document id must be a string"):
        (PRES @ 10).calc_aggregate(QRELS, run)
    run = pd.DataFrame({"query_id": ["q1", "q1"], "doc_id": ["a", "b"], "score": [1.0, None]})
    with pytest.raises(ValueError, match="document 'b': the score is NaN"):
        (PRES @ 10).calc_aggregate(QRELS, run)
