"""PyTerrier scores what read_run returns for JSON files."""

import json

import pandas as pd
import pytest

pt = pytest.importorskip("pyterrier", reason="PyTerrier is not installed")

from pres_plugin.formats import read_run  # noqa: E402


def test_ranked_lists_of_10_000_documents_keep_their_order(tmp_path):
    # These ids sort the other way than they are ranked.
    docs = [f"d{i:05}" for i in range(10_000)]
    (tmp_path / "run.json").write_text(json.dumps({"q1": docs}))
    # pt.Evaluate documents dicts, but PyTerrier 1.1 computes only from dataframes.
    rows = [
        (topic, doc, score, 0)
        for topic, scores in read_run(tmp_path / "run.json").items()
        for doc, score in scores.items()
    ]
    run = pd.DataFrame(rows, columns=["qid", "docno", "score", "rank"])
    qrels = pd.DataFrame({"qid": "q1", "docno": [docs[-1], docs[0]], "label": 1})
    scores = pt.Evaluate(run, qrels, metrics=["map"])
    assert scores["map"] == pytest.approx((1 + 2 / 10_000) / 2)
