"""Many threads score runs at the same time, and get the scores of one thread."""

from concurrent.futures import ThreadPoolExecutor

import ir_measures
import polars as pl
import pytest
from ir_measures import AP, PRES, Rnorm
from written import rows_of

from pres_plugin import frames  # isort: skip

N_RUNS, N_TOPICS, N_DOCS = 24, 20, 200
MEASURES = [PRES @ 50, PRES(judged_only=True) @ 50, Rnorm(N=1000), AP]
STRINGS = list(map(str, MEASURES))
QRELS = {f"q{t}": {f"d{i}": (i + t) % 3 for i in range(0, 2 * N_DOCS, 7)} for t in range(N_TOPICS)}
# Each run has its own order, with ties.
RUNS = [
    {
        f"q{t}": {f"d{i}": float(i * (7 * r + t + 1) % 97) for i in range(N_DOCS)}
        for t in range(N_TOPICS)
    }
    for r in range(N_RUNS)
]


def frame(topics, value):
    return pl.DataFrame(rows_of(topics), schema=["query_id", "doc_id", value], orient="row")


def with_ir_measures():
    evaluator = ir_measures.evaluator(MEASURES, QRELS)  # one, used by all threads
    return lambda run: {str(m): v for m, v in evaluator.calc_aggregate(run).items()}


def with_frames():
    judged = frame(QRELS, "relevance")
    return lambda run: frames.score(frame(run, "score"), judged, STRINGS).rows()


@pytest.mark.ci
@pytest.mark.parametrize("interface", [with_ir_measures, with_frames])
def test_scores_from_many_threads_are_those_of_one(interface):
    score = interface()
    expected = [score(run) for run in RUNS]
    with ThreadPoolExecutor(12) as threads:
        assert list(threads.map(score, RUNS)) == expected
    assert expected[0] != expected[1]
