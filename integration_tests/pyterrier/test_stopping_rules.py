"""PyTerrier scores what a stopping rule of pyterrier-tar lets a reviewer screen."""

import random

import by_definition
import pytest

pt = pytest.importorskip("pyterrier", reason="PyTerrier is not installed")
tar = pytest.importorskip("pyterrier_tar", reason="pyterrier-tar is not installed")

import pandas as pd  # noqa: E402 (comes with PyTerrier)
from pyterrier.measures import Effort  # noqa: E402

N = 150
MEASURES = ["PRES@60", f"TNR(N={N})@0.8", f"WSS(N={N})@0.8", f"Effort(N={N})@0.8"]
RULES = [
    tar.ConsecutiveIrrelevant(8),
    tar.ReviewHalf(N, batch_size=10),
    tar.BatchPrecision(0.2, batch_size=10),
    tar.CMHHeuristic(0.8, N, batch_size=10),
    tar.Oracle(0.8),
]


@pytest.fixture(scope="module")
def screened():
    """Rankings of 150 records with 1 to 39 relevant ones, earlier than at random."""
    rng = random.Random(1)
    rows = []
    for n in range(1, 40):
        relevant = set(rng.sample(range(N), n))
        order = sorted(range(N), key=lambda doc: rng.random() + (doc not in relevant) / 2)
        rows += [(f"q{n}", f"d{d}", -i, i, int(d in relevant)) for i, d in enumerate(order)]
    return pd.DataFrame(rows, columns=["qid", "docno", "score", "rank", "label"])


def documents(rows, value):
    """Return a number of each document by topic."""
    return {qid: dict(zip(of.docno, of[value], strict=True)) for qid, of in rows.groupby("qid")}


def test_an_experiment_scores_the_records_until_each_rule_stops(screened):
    topics = screened[["qid"]].drop_duplicates().assign(query="")
    pipelines = [pt.Transformer.from_df(screened) >> rule for rule in RULES]
    means = pt.Experiment(pipelines, topics, screened, MEASURES)
    for rule, found in zip(RULES, means[MEASURES].to_numpy(), strict=True):
        stop = screened.qid.map(rule.stop_report(screened).set_index("qid").stop)
        assert stop.nunique() > 1 or isinstance(rule, tar.ReviewHalf)
        until = documents(screened[screened["rank"] < stop], "score")
        expected = by_definition.values(MEASURES, documents(screened, "label"), until)
        assert found == pytest.approx([expected["all", each] for each in MEASURES])


@pytest.mark.parametrize("depth", [N, 40])
@pytest.mark.parametrize("recall", [0.28, 0.5, 0.8, 0.95, 1.0])  # as floats, 0.28 * 25 > 7
def test_the_effort_is_where_an_oracle_would_stop(screened, recall, depth):
    ranking = screened[screened["rank"] < depth]
    measure = Effort(N=N) @ recall
    scores = pt.Evaluate(ranking, screened, [measure], perquery=True)
    oracle = tar.stopping_metrics(ranking, ranking, screened, recall).set_index("qid").oracle_stop
    assert oracle.hasnans == (depth < N)  # where the ranking does not reach the recall
    stops = oracle.dropna().to_dict()
    assert {qid: scores[qid][str(measure)] for qid in stops} == pytest.approx(stops)
