"""Measures of other packages are scored by ir-measures, and its errors name the measure."""

import re
import shutil
import sys
from types import ModuleType

import ir_measures
import polars as pl
import pytest
from command import pres_eval, refused

from pres_plugin.study.inputs import StudyError
from pres_plugin.study.scoring import score

pytestmark = pytest.mark.skipif(not shutil.which("perl"), reason="gdeval needs perl")


RUN = {"1": {"a": 2.0, "b": 1.0}}

# The names of the cases state what ir-measures 0.4.3 does: it ends the process, needs gigabytes,
# returns a wrong score, or reads memory that is not its own.
WRONG = {
    "crashes: no relevance above -1": ("P@10", {"1": {"a": -2, "b": -3}}, RUN, "got -2"),
    "crashes: 62 bits": ("P@10", {"1": {"a": 1, "b": 2**62}}, RUN, str(2**62)),
    "gigabytes: a million levels": ("nDCG", {"1": {"a": 10**6}}, RUN, "1000000"),
    "gigabytes: gains": ("nDCG(gains={1: 1000000})@5", {"1": {"a": 1}}, RUN, "1000000"),
    "reads other memory: rel": ("Bpref(rel=1000000)", {"1": {"a": 1}}, RUN, "999999"),
    "wrong: prefix of a topic": ("ERR@10", {"x-1": {"a": 1}}, {"x-1": {"a": 1.0}}, "'x-1'"),
    "wrong: equal numbers": (
        "ERR@10", {"1": {"a": 1}, "01": {"b": 1}}, {"1": {"a": 1.0}}, "'01'",
    ),
    "wrong: null character": ("P@10", {"1": {"a\0b": 1, "a\0c": 1}}, RUN, "x00b"),
    "wrong: null in the run": ("P@10", {"1": {"a": 1}}, {"1": {"a\0b": 1.0}}, "x00b"),
    "crashes: null in topics": ("P@10", {"1\0a": {"a": 1}}, {"1\0a": RUN["1"]}, "x00a"),
}  # fmt: skip
#: What only dicts can contain.
WRONG_DICTS = {
    "crashes: surrogate in the run": ("P@10", {"1": {"a": 1}}, {"1": {"\ud800": 1.0}}, "ud800"),
    "reads other memory: no judgements": ("P@10", {"1": {}, "2": {"a": 1}}, RUN, "'1'"),
}


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Return a function that writes judgements and a run, and returns their paths."""
    monkeypatch.chdir(tmp_path)

    def write(qrels, run):
        for path, topics, value in (("qrels", qrels, "relevance"), ("run", run, "score")):
            rows = [(t, doc, v) for t, docs in topics.items() for doc, v in docs.items()]
            frame = pl.DataFrame(rows, schema=["query_id", "doc_id", value], orient="row")
            frame.write_parquet(f"{path}.parquet")
        return "qrels.parquet", "run.parquet"

    return write


QRELS = {"1": {"a": 3, "b": -2, "c": 0}, "2": {"a": 0, "b": -1}}
RIGHT = {
    "spam": ("P@10", 0.05),
    "graded gains": ("nDCG(gains={3: 5000})@10", 0.5),
    "a level without documents": ("Bpref(rel=4)", 0.0),
    "gdeval": ("ERR@10", 0.21875),  # (2³-1)/2⁴ at rank 1 of the first of two topics
}


@pytest.mark.parametrize(("measure", "mean"), RIGHT.values(), ids=RIGHT)
def test_what_people_use_is_scored(files, measure, mean):
    run = {"1": {"a": 1e308, "b": float("inf") * -1}, "2": {"b": 1.0}, "not judged": {"a": 1.0}}
    assert score(QRELS, {"mine": run}, [measure]).means.item() == pytest.approx(mean, abs=1e-5)
    out = pres_eval("score", *files(QRELS, run), "-m", measure, "-f", "tsv").stdout
    assert out.split()[-1] == f"{mean:.4f}"


def test_empty_topics_score_zero():
    run = {"1": {"a": 1.0}, "2": {}}
    found = score({"1": {"a": 1}, "2": {"a": 1}}, {"mine": run}, ["P@1", "Judged@1", "ERR@1"])
    assert found.means.tolist() == [[0.5, 0.5, 0.03125]]


def test_our_measures_take_64_bits(files):
    qrels = {"1": {"a": 2**62, "b": -(2**62)}}
    assert score(qrels, {"mine": RUN}, ["PRES@10"]).means.item() == 1.0
    assert pres_eval("score", *files(qrels, RUN), "-m", "PRES@10 AP").returncode == 0


def test_any_error_of_a_provider_is_one_line(files, capfd):
    # ir-measures divides by zero if a ranking contains no document that is not relevant.
    line = refused("score", *files({"1": {"a": 1}}, {"1": {"a": 1.0}}), "-m", "Accuracy")
    assert line.startswith("run: accuracy cannot compute Accuracy (ZeroDivisionError: ")
    assert capfd.readouterr() == ("", "")


@pytest.fixture
def failing_perl(tmp_path, monkeypatch):
    perl = tmp_path / "bin" / "perl"
    perl.parent.mkdir()
    perl.write_text("#!/bin/sh\necho first line >&2\necho no more memory >&2\nexit 3\n")
    perl.chmod(0o755)
    monkeypatch.setenv("PATH", str(perl.parent), prepend=":")


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for perl is a shell script")
def test_a_process_that_fails_is_named(files, failing_perl, capfd):
    line = refused("score", *files({"1": {"a": 1}}, RUN), "-m", "ERR@10")
    assert "gdeval cannot compute ERR@10 (CalledProcessError: " in line
    assert capfd.readouterr() == ("", "first line\nno more memory\n")  # from the process itself


class _Broken(ModuleType):
    """A package whose import fails, as that of a package with a missing library does."""

    error: type[Exception]

    def find_spec(self, name, path=None, target=None):
        if name == "pyndeval":
            raise self.error("libndeval.so: cannot open shared object file")


@pytest.fixture(params=[None, ImportError, OSError])
def provider(request, monkeypatch):
    """Let pyndeval be missing, or fail to be imported."""
    finder = _Broken("broken")
    if request.param is not None:
        finder.error = request.param
        monkeypatch.setattr(sys, "meta_path", [finder, *sys.meta_path])
    (pyndeval,) = [of for of in ir_measures.DefaultPipeline.providers if of.NAME == "pyndeval"]
    monkeypatch.setattr(pyndeval, "_is_available", None)
    return request.param


def test_measure_whose_provider_is_missing_or_broken(files, provider):
    line = refused("score", *files({"1": {"a": 1}}, RUN), "-m", "alpha_nDCG@10")
    assert line.startswith("measure 'alpha_nDCG@10': ")
    if provider in (None, ImportError):
        assert "it needs pip install" in line
    else:
        assert "libndeval.so: cannot open shared object file" in line


@pytest.mark.parametrize(("measure", "qrels", "run", "said"), WRONG.values(), ids=WRONG)
def test_input_that_a_package_cannot_handle_is_refused(files, measure, qrels, run, said):
    line = refused("score", *files(qrels, run), "-m", f"PRES@10 {measure}")
    assert measure.replace(": ", ":") in line
    assert said in line


@pytest.mark.parametrize(("measure", "qrels", "run", "said"), WRONG_DICTS.values(), ids=WRONG_DICTS)
def test_dicts_that_a_package_cannot_handle_are_refused(measure, qrels, run, said):
    with pytest.raises(StudyError, match=re.escape(said)):
        score(qrels, {"mine": run}, [measure])
