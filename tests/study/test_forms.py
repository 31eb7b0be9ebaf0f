"""Studies accept runs and judgements in each form that people have them in."""

import random

import pandas as pd
import polars as pl
import pytest
from beginnings import raises

import pres_plugin
from pres_plugin import InputError, pres
from pres_plugin.frames import score as score_frames
from pres_plugin.study.scoring import score

JUDGED = {"q1": ["a", "b"], "q2": ["c"]}
RUN = {"q1": ["a", "z", "b"], "q2": ["y", "c"]}
DOCS = [f"d{i}" for i in range(100)]
EXPECTED = [pres([1, 3], 2, 10), pres([2], 1, 10)]


def frame(topics, **numbers):
    """Topics and documents as a frame of PyTerrier, with columns of numbers by their position."""
    rows = [(q, d, i) for q, docs in topics.items() for i, d in enumerate(docs)]
    docs = pd.DataFrame(rows, columns=["qid", "docno", "at"])
    return docs.assign(**{name: number(docs["at"]) for name, number in numbers.items()})


QRELS = {"lists": JUDGED, "frame": frame(JUDGED, label=lambda at: 1 + 0 * at)}
RUNS = {
    "lists": RUN,
    "PyTerrier": frame(RUN, rank=lambda at: at, score=lambda at: 9.5 - at),
    # The score counts if there is a rank, too.
    "score and another rank": frame(RUN, rank=lambda at: 9 - at, score=lambda at: 9.5 - at),
    "ranks": frame(RUN, rank=lambda at: at),
    "polars": pl.from_pandas(frame(RUN, rank=lambda at: at)),
}


@pytest.mark.parametrize("qrels", QRELS.values(), ids=QRELS)
@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_each_form_has_the_same_scores(run, qrels):
    assert score(qrels, {"run": run}, ["PRES@10"]).values.ravel().tolist() == EXPECTED


@pytest.mark.parametrize("run", [each for each in RUNS.values() if not isinstance(each, dict)])
def test_columns_of_frames_are_found_by_the_names_of_pyterrier(run):
    qrels = QRELS["frame"] if isinstance(run, pd.DataFrame) else pl.from_pandas(QRELS["frame"])
    scores = score_frames(run, qrels, "PRES@10")
    assert list(scores["qid"]) == ["q1", "q2"]
    assert list(scores["value"]) == EXPECTED


def test_one_ranking_has_the_same_average_precision_to_the_last_digit():
    rng = random.Random(0)
    judged = {f"q{i}": rng.sample(DOCS, 30) for i in range(30)}
    run = {topic: rng.sample(DOCS, 90) for topic in judged}
    values = score(judged, {"run": run}, ["AP"]).values.ravel().tolist()
    assert values == [pres_plugin.score(run[topic], judged[topic], "AP") for topic in judged]


WRONG = {
    "document twice": ({"q1": ["a", "b", "a"]}, "run: topic 'q1': a document occurs twice"),
    "document twice in a frame": (
        frame({"q1": "aa"}, score=lambda at: at),
        "run: document 'a' is in topic 'q1' twice",
    ),
    "ranks with gaps": (frame(RUN, rank=lambda at: 2 * at), "run: topic 'q1': the ranks have gaps"),
    "no score": (frame(RUN), "run: there is no column score or rank; the columns are qid, docno"),
}


@pytest.mark.parametrize(("run", "said"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said(run, said):
    with raises(InputError, said):
        score(JUDGED, {"run": run}, ["PRES@10"])
