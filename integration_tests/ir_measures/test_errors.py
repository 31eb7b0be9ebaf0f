"""Wrong input to ir-measures is refused before anything is computed, and named."""

import re

import ir_measures
from beginnings import raises, warns
from ir_measures import AP, PRES, R, Rnorm

from pres_plugin import UnmatchedIdsWarning

QRELS = {"q1": {"a": 1, "b": 1}, "q2": {"a": 1}}
RUN = {"q1": {"a": 2.0, "b": 1.0, "c": 0.5}, "q2": {"a": 1.0}}


def test_a_collection_must_have_room_for_the_judgements():
    with raises(ValueError, r"Rnorm\(N=1\): topic 'q1' has 2 documents"):
        Rnorm(N=1).evaluator(QRELS)


def test_a_wrong_run_is_refused_before_other_packages_score_it():
    run = {"q1": {"a": 1.0}, "q2": {"a": None}}
    said = "run, topic 'q2', document 'a': a score must be a number, got None"
    for measure in (PRES @ 10, Rnorm(N=9)):
        with raises(TypeError, f"{re.escape(str(measure))}: {said}"):
            next(ir_measures.iter_calc([AP, R @ 5, measure], QRELS, run))


def test_ids_in_another_form_cause_one_warning_about_the_line_that_calls():
    said = "run: judged documents .*at least 1, topics: 1.* has 'A' where the qrels have 'a'"
    with warns(UnmatchedIdsWarning, said) as found:
        ir_measures.calc_aggregate([PRES @ 10, R @ 10, AP], {"q": {"a": 1}}, {"q": {"A": 1.0}})
    assert [each.filename for each in found] == [__file__]
    with warns(
        UnmatchedIdsWarning, "run: no topic .* has 'Q', and the qrels have 'q'; write them in"
    ):
        (PRES @ 10).calc_aggregate({"q": {"a": 1}}, {"Q": {"a": 1.0}})
