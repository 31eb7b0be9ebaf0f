"""Measures of other packages are scored by ir-measures, and its errors name the measure."""

import shutil

import ir_measures
import pytest
from command import pres_eval, refused
from written import trec_qrels

from pres_plugin.study.scoring import score

pytestmark = pytest.mark.skipif(not shutil.which("perl"), reason="gdeval needs perl")

RUN = {"1": {"a": 2.0, "b": 1.0}}


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Return a function that writes judgements and a run, and returns their paths."""
    monkeypatch.chdir(tmp_path)

    def write(qrels, run):
        (tmp_path / "qrels").write_bytes(trec_qrels(qrels))
        rows = [f"{t} Q0 {doc} 0 {s!r} t\n" for t, docs in run.items() for doc, s in docs.items()]
        (tmp_path / "run").write_text("".join(rows))
        return "qrels", "run"

    return write


QRELS = {"1": {"a": 3, "b": -2, "c": 0}, "2": {"a": 0, "b": -1}}
RIGHT = {
    "spam": ("P@10", 0.05),
    "graded gains": ("nDCG(gains={3: 5000})@10", 0.5),
    "gdeval": ("ERR@10", 0.21875),  # (2³-1)/2⁴ at rank 1 of the first of two topics
}


@pytest.mark.parametrize(("measure", "mean"), RIGHT.values(), ids=RIGHT)
def test_what_people_use_is_scored(files, measure, mean):
    run = {"1": {"a": 1e308, "b": 1.0}, "2": {"b": 1.0}, "3": {"a": 1.0}}
    assert score(QRELS, {"mine": run}, [measure]).means.item() == pytest.approx(mean, abs=1e-5)
    out = pres_eval("score", *files(QRELS, run), "-m", measure, "-f", "tsv").stdout
    assert out.split()[-1] == f"{mean:.4f}"


def test_empty_topics_score_zero():
    run = {"1": {"a": 1.0}, "2": {}}
    found = score({"1": {"a": 1}, "2": {"a": 1}}, {"mine": run}, ["P@1", "Judged@1", "ERR@1"])
    assert found.means.tolist() == [[0.5, 0.5, 0.03125]]


def test_any_error_of_a_provider_is_one_line(files, capfd):
    # ir-measures divides by zero if a ranking contains no document that is not relevant.
    line = refused("score", *files({"1": {"a": 1}}, {"1": {"a": 1.0}}), "-m", "Accuracy")
    assert "run: ir-measures cannot compute Accuracy (ZeroDivisionError: " in line
    assert capfd.readouterr() == ("", "")


def test_measure_whose_provider_is_missing(files, monkeypatch):
    (pyndeval,) = [of for of in ir_measures.DefaultPipeline.providers if of.NAME == "pyndeval"]
    monkeypatch.setattr(pyndeval, "_is_available", False)
    line = refused("score", *files({"1": {"a": 1}}, RUN), "-m", "alpha_nDCG@10")
    assert "ir-measures cannot compute alpha_nDCG@10 (ValueError: Unsupported" in line
    assert "pip install ir-measures[pyndeval]" in line
