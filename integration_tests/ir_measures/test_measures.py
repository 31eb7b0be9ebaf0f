"""The measures are measures of ir-measures like any other."""

import copy
import pickle
from random import Random
from typing import NamedTuple

import ir_measures
import numpy as np
import pandas as pd
import pytest
from beginnings import raises
from ir_measures import AP, PRES, WSS, Effort, LastRel, PRES_est, Rnorm
from written import rows_of

import pres_plugin
from pres_plugin import frames

QRELS = {
    "q1": {"d1": 1, "d2": 0, "d3": 2, "d4": 1},
    "q2": {"d1": 1, "d9": -1},
    "not retrieved": {"d1": 1},
    "nothing relevant": {"d1": 0},
    "nothing judged": {},
}
RUN = {
    "q1": {"d1": 3.0, "x1": 2.5, "d2": 2.0, "d3": 1.0},
    "q2": {"d9": 3.0, "d5": 2.0, "d1": 1.0},
    "nothing relevant": {"d1": 1.0},
    "not judged": {"d1": 1.0},
    "nothing judged": {"d1": 1.0},
}


@pytest.mark.parametrize(
    "text",
    [
        "PRES@100",
        "PRES_est@1000",
        "PRES(rel=2,judged_only=True)@10",
        "Rnorm(N=11429)@1000",
        "Rnorm(judged_only=True)",
        "WSS(N=11429)@0.95",
        "TNR(N=11429,rounding='nearest')@1",
        "Effort(N=11429)@0.95",
        "LastRel",
        "LastRel@100",
    ],
)
def test_measures_parse_and_print_back(text):
    measure = ir_measures.parse_measure(text)
    assert str(measure) == repr(measure) == text
    assert {ir_measures.parse_measure(measure), ir_measures.parse_measure(text)} == {measure}
    assert pickle.loads(pickle.dumps(measure)) == copy.deepcopy(measure) == measure


def test_a_star_import_leaves_the_package_its_name():
    names = {}
    exec("import pres_plugin; from ir_measures import *", names)
    assert names["pres_plugin"] is pres_plugin
    assert names["PRES"] is PRES


def test_measures_describe_themselves_as_built_in_ones_do():
    for measure in ir_measures.pres_plugin.SUPPORTED_MEASURES:
        assert measure.NAME == measure.__name__ == type(measure).__name__.removeprefix("_")
        assert measure.SHORT_DESC.endswith(".")
        for name in ("rel", "judged_only"):
            assert measure.SUPPORTED_PARAMS[name].dtype is AP.SUPPORTED_PARAMS[name].dtype
            assert measure[name] == AP[name]
    assert (WSS.AT_PARAM, LastRel.AT_PARAM, WSS(N=9)["recall"]) == ("recall", "cutoff", 0.95)
    assert not WSS.SUPPORTED_PARAMS["rounding"].validate("down")


def test_a_topic_retrieved_without_documents_scores_as_one_not_retrieved():
    qrels = {"q": {"a": 1}}
    expected = {PRES @ 5: 0, Rnorm(judged_only=True): 0, Effort(N=9): 9, AP: 0}
    for run in ({"q": {}}, {}):
        assert ir_measures.calc_aggregate([*expected], qrels, run) == expected


def as_frame(topics, value):
    return pd.DataFrame(rows_of(topics), columns=["query_id", "doc_id", value])


class OwnScoredDoc(NamedTuple):
    """A run's row with its fields in another order, and more of them."""

    score: float
    tag: str
    doc_id: str
    query_id: str


#: What the contract does not cover, which scores dicts, frames and generators.
RUN_FORMS = {
    "categories": lambda frame: frame.astype({"query_id": "category"}),
    "own tuples": lambda frame: [
        OwnScoredDoc(score, "tag", doc_id, topic)
        for topic, doc_id, score in frame.itertuples(index=False)
    ],
    "numpy's numbers": lambda frame: {
        topic: dict(zip(rows.doc_id, rows.score.to_numpy(np.float32), strict=True))
        for topic, rows in frame.groupby("query_id")
    },
}


@pytest.mark.parametrize("form", RUN_FORMS)
def test_every_form_of_run_gives_the_same_scores(form):
    measures = [PRES @ 3, Rnorm(judged_only=True)]
    run = RUN_FORMS[form](as_frame(RUN, "score"))
    assert ir_measures.calc_aggregate(measures, QRELS, run) == ir_measures.calc_aggregate(
        measures, QRELS, RUN
    )


def test_results_have_the_types_of_built_in_ones():
    ours, theirs = (PRES @ 3).calc(QRELS, RUN), AP.calc(QRELS, RUN)
    assert type(ours) is type(theirs)
    assert type(ours.aggregated) is type(theirs.aggregated) is float
    assert {type(m) for m in ours.per_query} == {type(m) for m in theirs.per_query}
    assert {type(m.value) for m in ours.per_query} == {float}
    assert type(next((PRES @ 3).iter_calc(QRELS, RUN)).query_id) is str


def test_the_mean_is_that_of_the_scores_to_the_last_digit():
    random = Random(0)
    docs = [f"d{i}" for i in range(30)]
    qrels = {str(q): {d: random.randint(0, 1) for d in docs} for q in range(37)}
    run = {str(q): {d: random.random() for d in docs} for q in range(37)}
    for measure in (PRES @ 7, Rnorm(judged_only=True) @ 3):
        total = 0.0
        for metric in measure.iter_calc(qrels, run):
            total += metric.value  # sum() may round differently
        assert measure.calc_aggregate(qrels, run) == total / 37
        assert measure.calc(qrels, run).aggregated == total / 37


def test_the_provider_works_by_itself():
    provider = ir_measures.providers.registry["pres_plugin"]
    both = provider.calc_aggregate([PRES @ 3, PRES @ 3, Rnorm(N=9)], QRELS, RUN)
    assert both == ir_measures.calc_aggregate([PRES @ 3, Rnorm(N=9)], QRELS, RUN)
    for measure, said in ((AP, "unsupported measure AP"), (PRES, "PRES: a cutoff is missing")):
        with raises(ValueError, said):
            provider.calc_aggregate([measure], QRELS, RUN)


def test_dataframes_are_scored_by_its_objects_as_by_their_names():
    given = as_frame(RUN, "score"), as_frame(QRELS, "relevance")
    measures = [PRES @ 3, PRES_est @ 1, Rnorm(N=9), Rnorm(judged_only=True), AP, LastRel @ 2]
    assert frames.score(*given, measures).equals(frames.score(*given, [*map(str, measures)]))
