"""What PyTerrier's experiments do with AP and "map", they do with our measures.

``integration_tests/test_contract.py`` tests the scores of every measure.
"""

import pytest
from beginnings import raises, warns

pt = pytest.importorskip("pyterrier", reason="PyTerrier is not installed")

import pandas as pd  # noqa: E402 (comes with PyTerrier)
from pyterrier.measures import AP, PRES, PRES_est, Rnorm  # noqa: E402

from pres_plugin import UnmatchedIdsWarning  # noqa: E402

# PyTerrier's operators, on recent versions of pandas.
pytestmark = pytest.mark.filterwarnings("ignore:The inplace keyword")


# By object and by string


@pytest.mark.parametrize(
    ("string", "measure"),
    [
        ("PRES@20", PRES @ 20),
        ("PRES(rel=2)@20", PRES(rel=2) @ 20),
        ("Rnorm(N=40)", Rnorm(N=40)),
        ("Rnorm(judged_only=True)", Rnorm(judged_only=True)),
        ("pres_20", PRES @ 20),
        ("pres.20", PRES @ 20),
        ("pres_est_5", PRES_est @ 5),
    ],
)
def test_a_string_is_a_column_of_that_name_with_the_scores_of_its_object(
    experiment, string, measure
):
    by_string, by_object = experiment([string]), experiment([measure])
    assert list(by_string.columns) == ["name", string]
    assert list(by_object.columns) == ["name", str(measure)]
    assert list(by_string[string]) == list(by_object[str(measure)])
    assert by_string[string].nunique() == 3


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("PRES_100", "pres_100"), ("Rnorm", "Rnorm(N=11429)")],
)
def test_a_wrong_string_is_refused_before_retrieval_with_one_that_is_right(
    experiment, wrong, right
):
    def retrieve(_):
        pytest.fail("the retrieval was run")

    with raises(ValueError, f"cannot read the measure {wrong!r}: ") as refusal:
        experiment([wrong], retr_systems=[pt.apply.generic(retrieve)], validate="ignore")
    assert right in str(refusal.value)


# Without an experiment


@pytest.mark.parametrize("measure", ["pres_20", PRES @ 20])
def test_evaluate_gives_what_an_experiment_gives(experiment, runs, qrels, measure):
    column = str(measure)
    [expected] = experiment([measure], retr_systems=runs[:1])[column]
    assert pt.Evaluate(runs[0], qrels, [measure, "map"])[column] == pytest.approx(expected)
    by_topic = pt.Evaluate(runs[0], qrels, [measure], perquery=True)
    assert sum(scores[column] for scores in by_topic.values()) / 8 == pytest.approx(expected)


def test_an_experiment_warns_about_a_system_whose_ids_never_match():
    topics = pd.DataFrame({"qid": ["q1", "q2"], "query": "valve"})
    qrels = pd.DataFrame({"qid": ["q1", "q2"], "docno": "US7257313B2", "label": 1})
    spaced = topics.assign(docno="US 7257313 B2", score=1.0)
    bad = spaced.assign(docno=["US7257313B2", "x"], rank=0)
    with warns(
        UnmatchedIdsWarning, "run: judged .* has 'US 7257313 B2' where .* 'US7257313B2'"
    ) as found:
        pt.Experiment([spaced, bad], topics, qrels, [PRES @ 10, AP])
    assert [each.filename for each in found] == [__file__]
