"""Rows of docs/explained/edge-cases.md in which the frameworks differ or drop something.

The other rows, files, dataframes and the command are in test_contract.py and
test_error_contract.py. Each topic here has one relevant document, so its rank determines AP and
PRES.
"""

import json
import math

import ir_measures
import pandas as pd
import pytest
from beginnings import raises
from forks import run_with_ranx

pytestmark = [
    pytest.mark.xdist_group("forks for ranx"),
    pytest.mark.filterwarnings("ignore:The inplace keyword"),
    pytest.mark.filterwarnings("ignore:.*not found in qrels"),
]

MEASURES = [ir_measures.AP, ir_measures.PRES @ 10]


def framed(rows, *columns):
    return pd.DataFrame(rows, columns=columns)


def by_ir_measures(qrels, run):
    judged = framed(qrels, "query_id", "doc_id", "relevance")
    retrieved = framed(run, "query_id", "doc_id", "score")
    means = ir_measures.calc_aggregate(MEASURES, judged, retrieved)
    return [means[measure] for measure in MEASURES]


def by_pyterrier(qrels, run):
    pt = pytest.importorskip("pyterrier", reason="PyTerrier is not installed")
    systems = [framed(run, "qid", "docno", "score")]
    topics = framed([(topic, "valve") for topic in {row[0] for row in run}], "qid", "query")
    means = pt.Experiment(systems, topics, framed(qrels, "qid", "docno", "label"), MEASURES)
    return [means[str(measure)][0] for measure in MEASURES]


def by_ranx(qrels, run):
    """Score in a fork, without numba's compiler, which computes the same in less time."""
    printed = run_with_ranx(
        f"""
        import json, math, pandas as pd, ranx, pres_plugin

        nan = math.nan
        qrels, run = (
            kind.from_df(
                pd.DataFrame(rows, columns=["q_id", "doc_id", "score"]).astype(
                    {{"q_id": object, "doc_id": object}}
                )
            )
            for kind, rows in ((ranx.Qrels, {qrels!r}), (ranx.Run, {run!r}))
        )
        try:
            means = ranx.evaluate(qrels, run, ["map", "pres@10"])
            print(json.dumps([float(mean) for mean in means.values()]))
        except AssertionError as error:
            print(json.dumps(str(error)))
        """
    )
    means = json.loads(printed)
    if isinstance(means, str):
        raise ValueError(means)
    return means


AN_ERROR_FOR_MISSING_TOPICS = {by_ranx: "Qrels and Run query ids do not match. Pass `make_comp"}
A, B = ("q", "a", 1.0), ("q", "b", 2.0)
SEARCHED = [("q1", "a", 1.0), ("q2", "a", 1.0)]
JUDGED = [("q1", "a", 1), ("q2", "a", 1)]

# For each row of the page: judgements, a run, the rank of the relevant document of each topic that
# counts in the mean (None if it is missed), and the ranks or the message of each framework that
# differs.
CASES = [
    ("Equal scores", [("q", "a", 1)], [("q", "a", 1.0), ("q", "b", 1.0)], [2],
     {by_ranx: [1]}),
    ("Scores that differ only beyond 32 bits", [("q", "a", 1)],
     [("q", "b", 1.0), ("q", "a", 1.00000001)], [2], {by_ranx: [1]}),
    ("A score of NaN", [("q", "m", 1)], [("q", "m", -5.0), ("q", "a", math.nan)],
     "PRES@10: run, topic 'q', document 'a': the score is NaN", {by_ranx: [1]}),
    ("A document retrieved twice for a topic", [("q", "a", 1)], [A, B, ("q", "a", 3.0)], [1],
     {}),
    ("A document judged twice for a topic", [("q", "a", 1), ("q", "a", 0)], [A], [None], {}),
    ("A judged topic without results", JUDGED, SEARCHED[:1], [1, None],
     {**AN_ERROR_FOR_MISSING_TOPICS, by_pyterrier: [1]}),
    ("An unjudged topic in a run", JUDGED[:1], SEARCHED, [1], AN_ERROR_FOR_MISSING_TOPICS),
    ("No common topics", JUDGED[:1], SEARCHED[1:], [None],
     {**AN_ERROR_FOR_MISSING_TOPICS, by_pyterrier: "There is no overlap"}),
]  # fmt: skip


def means(ranks):
    """Return the means of AP and PRES@10 over topics with one relevant document."""
    ap = [1 / rank if rank else 0 for rank in ranks]
    pres = [1 - (rank - 1) / 10 if rank else 0 for rank in ranks]
    return [sum(values) / len(ranks) for values in (ap, pres)]


@pytest.mark.parametrize(
    "score", [by_ir_measures, by_pyterrier, pytest.param(by_ranx, marks=pytest.mark.ci)]
)
@pytest.mark.parametrize(("name", "qrels", "run", "ranks", "others"), CASES)
def test_an_edge_case_is_scored_or_refused(score, name, qrels, run, ranks, others):
    ranks = others.get(score, ranks)
    if isinstance(ranks, str):
        with raises(ValueError, ranks):
            score(qrels, run)
    else:
        assert score(qrels, run) == pytest.approx(means(ranks))
