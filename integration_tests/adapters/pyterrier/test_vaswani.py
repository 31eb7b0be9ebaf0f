"""PISA, without Java, on the Vaswani collection and on the example's own."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pt = pytest.importorskip("pyterrier", reason="PyTerrier is not installed")
pytest.importorskip("pyterrier_pisa", reason="PISA is not installed: pip install pyterrier-pisa")

import pandas as pd  # noqa: E402 (comes with PyTerrier)
import pyterrier_experiment as example  # noqa: E402
from pyterrier.measures import AP, PRES, R, Rnorm  # noqa: E402

EXAMPLE = Path(__file__).parents[3] / "docs" / "examples" / "pyterrier_experiment.py"
N_DOCS = 11429
MODELS = ["bm25", "qld", "pl2"]

# PyTerrier's operators, on recent versions of pandas.
pytestmark = [
    pytest.mark.release,  # indexing takes seconds
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
    """The 1,000 results of each model."""
    index, topics, _ = collection
    with example.quiet():
        return {model: getattr(index, model)(num_results=1000)(topics) for model in MODELS}


def test_the_collection_is_indexed_completely(collection):
    index, topics, qrels = collection
    assert len(index) == N_DOCS
    assert len(topics) == qrels.qid.nunique() == 93


def test_a_model_and_its_results_score_the_same_against_a_baseline(collection, results):
    index, topics, qrels = collection
    measures = [AP, R @ 100, PRES @ 100, "pres_est_10", Rnorm(N=N_DOCS)]
    options = {"baseline": 0, "correction": "holm", "names": MODELS}
    with example.quiet():
        live = pt.Experiment(
            [getattr(index, model)() for model in MODELS],
            topics, qrels, measures, validate="error", batch_size=20, **options,
        )  # fmt: skip
    frames = pt.Experiment([results[model] for model in MODELS], topics, qrels, measures, **options)
    pd.testing.assert_frame_equal(live, frames)


def run_example(*arguments):
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), *arguments],
        capture_output=True, text=True, check=False, timeout=300, env=dict(os.environ),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_example_runs_on_its_own_collection():
    output = run_example()
    assert "35 documents, 8 topics" in output
    assert re.search(r"BM25, top 20 +0\.\d{4}", output)
    assert re.search(r"was tuned: 0\.\d{4} \(k1=[\d.]+, b=[\d.]+\)", output)


def test_the_example_runs_on_vaswani(vaswani, collection, results):
    output = run_example(str(vaswani))
    *_, qrels = collection
    table = [line for line in output.splitlines() if re.match(r" *\S.*, top \d+", line)]
    assert len(table) == 6
    tuned, before = re.search(r"tuned: ([\d.]+) .* was ([\d.]+)", output).groups()
    assert float(tuned) >= float(before)
    scores = pt.Evaluate(results["bm25"], qrels, ["pres_100", "pres_1000", "map"])
    for score in scores.values():
        assert f" {score:.4f} " in table[0]


def test_java_was_not_started(results):
    assert len(results) == len(MODELS)
    assert not pt.java.started()
