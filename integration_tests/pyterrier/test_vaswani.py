"""PISA, without Java, on the Vaswani collection and on the example's own."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pt = pytest.importorskip("pyterrier", reason="PyTerrier is not installed")
pytest.importorskip("pyterrier_pisa", reason="PISA is not installed: pip install pyterrier-pisa")

import pyterrier_experiment as example  # noqa: E402

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "pyterrier_experiment.py"

# PyTerrier's operators, on recent versions of pandas.
pytestmark = [
    pytest.mark.release,  # indexing takes seconds
    pytest.mark.xdist_group("vaswani"),
    pytest.mark.filterwarnings("ignore:The inplace keyword"),
]


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


def test_the_example_runs_on_vaswani(vaswani, tmp_path):
    index = example.PisaIndex(str(tmp_path / "index"), text_field="text")
    with example.quiet():
        index.index(example.documents(vaswani))
        found = index.bm25(num_results=1000)(example.topics(vaswani))
    output = run_example(str(vaswani))
    table = [line for line in output.splitlines() if re.match(r" *\S.*, top \d+", line)]
    assert len(table) == 6
    tuned, before = re.search(r"tuned: ([\d.]+) .* was ([\d.]+)", output).groups()
    assert float(tuned) >= float(before)
    qrels = pt.io.read_qrels(str(vaswani / "qrels.txt"))
    for score in pt.Evaluate(found, qrels, ["pres_100", "pres_1000", "map"]).values():
        assert f" {score:.4f} " in table[0]
    assert not pt.java.started()
