"""PRES of real rankings: PISA's, without Java, of the Vaswani collection and of the example's."""

import os
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

pt = pytest.importorskip(
    "pyterrier", reason="PyTerrier is not installed: pip install 'pres-plugin[pyterrier]'"
)
pytest.importorskip("pyterrier_pisa", reason="PISA is not installed: pip install pyterrier-pisa")

import pandas as pd  # noqa: E402 (comes with PyTerrier)
import pyterrier_experiment as example  # noqa: E402
from pyterrier.measures import AP, PRES, RR, PRES_est, R, Rnorm  # noqa: E402

EXAMPLE = Path(__file__).parents[3] / "docs" / "examples" / "pyterrier_experiment.py"
N_DOCS = 11429
MODELS = ["bm25", "qld", "pl2"]
RETRIEVED = [*product(MODELS, [1000]), ("bm25", N_DOCS)]

# PyTerrier's operators, on recent versions of pandas.
pytestmark = [
    pytest.mark.xdist_group("vaswani"),
    pytest.mark.filterwarnings("ignore:The inplace keyword"),
]


@pytest.fixture(scope="session")
def collection(vaswani, tmp_path_factory):
    index = example.PisaIndex(str(tmp_path_factory.mktemp("vaswani") / "index"), text_field="text")
    with example.quiet():
        index.index(example.documents(vaswani))
    return index, example.topics(vaswani), pt.io.read_qrels(str(vaswani / "qrels.txt"))


@pytest.fixture(scope="session")
def results(collection):
    """The results of each model at 1,000 documents, and of one at all."""
    index, topics, _ = collection
    with example.quiet():
        return {
            (model, depth): getattr(index, model)(num_results=depth)(topics)
            for model, depth in RETRIEVED
        }


def by_topic(frame, topics, qrels, measures):
    """Of each topic, the score by each measure, out of pt.Experiment."""
    rows = pt.Experiment([frame], topics, qrels, measures, names=["system"], perquery=True)
    return rows.pivot(index="qid", columns="measure", values="value")


@pytest.fixture(scope="session")
def recalls(collection, results):
    """Of each model's results, R@1 … R@1000 of each topic, and its number of relevant documents."""
    _, topics, qrels = collection
    cutoffs = range(1, 1001)
    n = qrels[qrels.label > 0].groupby("qid").size()
    found = {}
    for of_model, frame in results.items():
        recall = by_topic(frame, topics, qrels, [f"recall.{','.join(map(str, cutoffs))}"])
        in_order = recall[[f"R@{k}" for k in cutoffs]]
        found[of_model] = in_order.to_numpy(), n[recall.index].to_numpy()
    return found


def test_the_collection_is_indexed_completely(collection):
    index, topics, qrels = collection
    assert len(index) == N_DOCS
    assert len(topics) == qrels.qid.nunique() == 93


@pytest.mark.parametrize(("model", "depth"), RETRIEVED)
def test_pres_follows_from_recall_on_every_topic(collection, results, recalls, model, depth):
    _, topics, qrels = collection
    recall, n = recalls[model, depth]
    scores = by_topic(
        results[model, depth], topics, qrels, [PRES @ 100, "pres_1000", PRES_est @ 10]
    )
    for name, n_max in [("PRES@100", 100), ("pres_1000", 1000), ("PRES_est@10", 10)]:
        r = recall[:, n_max - 1]
        expected = (recall[:, :n_max].sum(axis=1) + r * (n * r - 1) / 2) / n_max
        if name.startswith("PRES_est"):
            expected /= (n_max / n).clip(max=1)
        assert scores[name].tolist() == pytest.approx(expected.tolist(), abs=1e-9)
        assert 0.1 < scores[name].mean() < 0.95


@pytest.mark.parametrize("model", MODELS)
def test_rnorm_follows_from_recall_on_every_topic(collection, results, recalls, model):
    _, topics, qrels = collection
    recall, n = recalls[model, 1000]
    found = (recall[:, -1] * n).round()
    # Σr = n(N + 1) - n·Σ R@k over k = 1 … N, where R@k stays as it is from 1,000 until
    # the missed documents come, one by one, at the very end.
    missed = n - found
    recalled = n * recall.sum(axis=1) + found * (N_DOCS - 1000) + missed * (missed + 1) / 2
    rank_sum = n * (N_DOCS + 1) - recalled
    expected = 1 - (rank_sum - n * (n + 1) / 2) / (n * (N_DOCS - n))
    scores = by_topic(results[model, 1000], topics, qrels, [Rnorm(N=N_DOCS)])[f"Rnorm(N={N_DOCS})"]
    assert scores.tolist() == pytest.approx(expected.tolist(), abs=1e-9)


@pytest.mark.parametrize(("model", "depth"), RETRIEVED)
def test_ranks_are_those_of_rr_where_one_document_is_relevant(collection, results, model, depth):
    _, topics, qrels = collection
    # Of each topic one relevant document, here and there among them.
    one = pd.concat(
        [group.iloc[[i % len(group)]] for i, (_, group) in enumerate(qrels.groupby("qid"))]
    )
    measures = [RR, PRES @ 1000, PRES @ N_DOCS, Rnorm(N=N_DOCS)]
    scores = by_topic(results[model, depth], topics, one, measures)
    retrieved = scores[scores.RR > 0]
    ranks = (1 / retrieved.RR).round()
    assert len(retrieved) > 80
    assert ranks.nunique() > 40
    within = (1 - (ranks - 1) / 1000).clip(lower=0)
    assert retrieved["PRES@1000"].tolist() == pytest.approx(within.tolist(), abs=1e-9)
    whole = 1 - (ranks - 1) / N_DOCS
    assert retrieved[f"PRES@{N_DOCS}"].tolist() == pytest.approx(whole.tolist(), abs=1e-9)
    normed = 1 - (ranks - 1) / (N_DOCS - 1)
    assert retrieved[f"Rnorm(N={N_DOCS})"].tolist() == pytest.approx(normed.tolist(), abs=1e-9)


def test_topics_with_one_relevant_document_are_there_as_they_are(collection, results):
    _, topics, qrels = collection
    n = qrels[qrels.label > 0].groupby("qid").size()
    single = qrels[qrels.qid.isin(n.index[n == 1])]
    assert single.qid.nunique() == 3
    topics = topics[topics.qid.isin(single.qid)]
    scores = by_topic(results["bm25", N_DOCS], topics, single, [RR, PRES @ N_DOCS])
    assert scores[f"PRES@{N_DOCS}"].tolist() == pytest.approx(
        (1 - (1 / scores.RR - 1) / N_DOCS).tolist(), abs=1e-9
    )


def test_a_model_and_its_results_score_the_same_against_a_baseline(collection, results):
    index, topics, qrels = collection
    measures = [AP, R @ 100, PRES @ 100, "pres_est_10", Rnorm(N=N_DOCS)]
    options = {"baseline": 0, "correction": "holm", "names": MODELS}
    with example.quiet():
        live = pt.Experiment(
            [getattr(index, model)() for model in MODELS],
            topics, qrels, measures, validate="error", batch_size=20, **options,
        )  # fmt: skip
    frames = pt.Experiment(
        [results[model, 1000] for model in MODELS], topics, qrels, measures, **options
    )
    pd.testing.assert_frame_equal(live, frames)


def run_example(*arguments):
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), *arguments],
        capture_output=True, text=True, check=False, timeout=300, env=dict(os.environ),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.release
def test_the_example_runs_on_its_own_collection():
    output = run_example()
    assert "35 documents, 8 topics" in output
    assert re.search(r"BM25, top 20 +0\.\d{4}", output)
    assert re.search(r"tuned: 0\.\d{4} \(k1=[\d.]+, b=[\d.]+\)", output)


@pytest.mark.release
def test_the_example_runs_on_vaswani(vaswani, collection, results):
    output = run_example(str(vaswani))
    *_, qrels = collection
    table = [line for line in output.splitlines() if re.match(r" *\S.*, top \d+", line)]
    assert len(table) == 6
    tuned, before = re.search(r"tuned: ([\d.]+) .* was ([\d.]+)", output).groups()
    assert float(tuned) >= float(before)
    scores = pt.Evaluate(results["bm25", 1000], qrels, ["pres_100", "pres_1000", "map"])
    for score in scores.values():
        assert f" {score:.4f} " in table[0]


def test_java_was_not_started(results):
    assert len(results) == len(RETRIEVED)
    assert not pt.java.started()
