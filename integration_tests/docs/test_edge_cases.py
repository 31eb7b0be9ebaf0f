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
from forks import run_with_ranx

pt = pytest.importorskip("pyterrier", reason="PyTerrier is not installed")
pytest.importorskip("ranx", reason="ranx is not installed")

pytestmark = [
    pytest.mark.xdist_group("forks for ranx"),
    pytest.mark.filterwarnings("ignore:The inplace keyword"),
    pytest.mark.filterwarnings("ignore:.*not found in qrels"),
]

MEASURES = ["AP", "PRES@10"]


def framed(rows, *columns):
    return pd.DataFrame(rows, columns=columns)


def by_ir_measures(qrels, run):
    measures = [ir_measures.parse_measure(name) for name in MEASURES]
    evaluator = ir_measures.evaluator(measures, framed(qrels, "query_id", "doc_id", "relevance"))
    found = evaluator.calc(framed(run, "query_id", "doc_id", "score"))
    rows = [(row.query_id, str(row.measure), row.value) for row in found.per_query]
    return rows + [("mean", str(measure), mean) for measure, mean in found.aggregated.items()]


def by_pyterrier(qrels, run):
    topics = sorted({topic for topic, *_ in run})
    measures = [ir_measures.parse_measure(name) for name in MEASURES]
    asked = (
        [pt.Transformer.from_df(framed(run, "qid", "docno", "score"))],
        framed([(topic, "valve") for topic in topics], "qid", "query"),
        framed(qrels, "qid", "docno", "label"),
        measures,
    )
    (means,) = pt.Experiment(*asked).to_dict("records")
    rows = pt.Experiment(*asked, perquery=True)[["qid", "measure", "value"]]
    return [*rows.itertuples(index=False), *(("mean", name, means[name]) for name in MEASURES)]


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
            scores = {{name: {{**run.scores[name], "mean": means[name]}} for name in means}}
            print(json.dumps(scores, default=float))
        except AssertionError as error:
            print(json.dumps(str(error)))
        """
    )
    scores = json.loads(printed)
    if isinstance(scores, str):
        raise ValueError(scores)
    names = {"map": "AP", "pres@10": "PRES@10"}
    return [(q, names[name], value) for name in scores for q, value in scores[name].items()]


AN_ERROR_FOR_MISSING_TOPICS = {by_ranx: "make_comparable=True"}
A, B = ("q", "a", 1.0), ("q", "b", 2.0)
SEARCHED = [("q1", "a", 1.0), ("q2", "a", 1.0)]
JUDGED = [("q1", "a", 1), ("q2", "a", 1)]

# For each row of the page: judgements, a run, the rank of each topic's relevant document (None if
# it is missed), and the ranks or the message of each framework that differs.
CASES = [
    ("Equal scores", [("q", "a", 1)], [("q", "a", 1.0), ("q", "b", 1.0)], {"q": 2},
     {by_ranx: {"q": 1}}),
    ("Scores that differ only beyond 32 bits", [("q", "a", 1)],
     [("q", "b", 1.0), ("q", "a", 1.00000001)], {"q": 2}, {by_ranx: {"q": 1}}),
    ("A score of NaN", [("q", "m", 1)], [("q", "m", -5.0), ("q", "a", math.nan)],
     "document 'a': the score is NaN", {by_ranx: {"q": 1}}),
    ("A document retrieved twice for a topic", [("q", "a", 1)], [A, B, ("q", "a", 3.0)], {"q": 1},
     {}),
    ("A document judged twice for a topic", [("q", "a", 1), ("q", "a", 0)], [A], {"q": None}, {}),
    ("A judged topic without results", JUDGED, SEARCHED[:1], {"q1": 1, "q2": None},
     {**AN_ERROR_FOR_MISSING_TOPICS, by_pyterrier: {"q1": 1}}),
    ("An unjudged topic in a run", JUDGED[:1], SEARCHED, {"q1": 1}, AN_ERROR_FOR_MISSING_TOPICS),
    ("No common topics", JUDGED[:1], SEARCHED[1:], {"q1": None},
     {**AN_ERROR_FOR_MISSING_TOPICS, by_pyterrier: "no overlap"}),
]  # fmt: skip


def expected(ranks):
    """Return the scores of topics with one relevant document, and their means."""
    found = {
        topic: (1 / rank, 1 - (rank - 1) / 10) if rank else (0, 0) for topic, rank in ranks.items()
    }
    found["mean"] = [sum(values) / len(found) for values in zip(*found.values(), strict=True)]
    return {
        (topic, name): v
        for topic, vs in found.items()
        for name, v in zip(MEASURES, vs, strict=True)
    }


@pytest.mark.parametrize("score", [by_ir_measures, by_pyterrier, by_ranx])
@pytest.mark.parametrize(("name", "qrels", "run", "ranks", "others"), CASES)
def test_an_edge_case_is_scored_or_refused(score, name, qrels, run, ranks, others):
    ranks = others.get(score, ranks)
    if isinstance(ranks, str):
        with pytest.raises(ValueError, match=ranks):
            score(qrels, run)
        return
    found = {(q, name): value for q, name, value in score(qrels, run)}
    # PyTerrier returns NaN for topics without judgements, and leaves them out of the mean.
    found = {key: value for key, value in found.items() if not math.isnan(value)}
    assert found == pytest.approx(expected(ranks))
