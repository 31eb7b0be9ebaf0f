"""Every command and function reads every format, and returns what it returns for TREC's."""

import gzip

import ir_measures
import pyterrier as pt
import pytest
import written
from command import pres_eval
from ir_measures.util import QrelsConverter, RunConverter
from ranx import Qrels, Run, evaluate

from pres_plugin.files import score
from pres_plugin.formats import read_qrels, read_run

# Scores that fall neither with the ids of documents nor in the order of the file.
DOCUMENTS = [f"DOCUMENT{i}" for i in "38501742"]
RUN = {
    "1": {doc: 8.5 - i for i, doc in enumerate(DOCUMENTS)},
    "2": {doc: 0.25 * (i + 1) for i, doc in enumerate(DOCUMENTS[:5])},
    "3": {doc: -float(i) for i, doc in enumerate(sorted(DOCUMENTS))},
}
OTHER = {topic: dict(zip(docs, range(9), strict=False)) for topic, docs in RUN.items()}
QRELS = {
    "1": {"DOCUMENT5": 1, "DOCUMENT2": 1, "DOCUMENT9": 1},
    "2": {"DOCUMENT3": 1, "DOCUMENT1": 1},
    "3": {"DOCUMENT7": 1},
}
GRADED = {topic: {**docs, "DOCUMENT0": 0, "DOCUMENT4": 2} for topic, docs in QRELS.items()}


def by_ir_measures(qrels, run):
    measures = [ir_measures.PRES @ 5, ir_measures.AP]
    found = ir_measures.iter_calc(measures, read_qrels(qrels), read_run(run))
    return sorted((one.query_id, str(one.measure), one.value) for one in found)


def by_pyterrier(qrels, run):
    # PyTerrier 1.1 documents dicts as arguments, but takes only frames.
    frames = RunConverter(read_run(run)), QrelsConverter(read_qrels(qrels))
    run, qrels = (pt.model.from_ir_measures(frame.as_pd_dataframe()) for frame in frames)
    return pt.Evaluate(run, qrels, ["pres_5", "map"], perquery=True)


def by_ranx(qrels, run):
    return evaluate(Qrels(read_qrels(qrels)), Run(read_run(run)), ["pres@5", "map"])


def by_command(*arguments):
    def call(qrels, run):
        command, *options = arguments
        result = pres_eval(command, qrels.name, run.name, "other", *options, cwd=run.parent)
        assert (result.returncode, result.stderr) == (0, ""), result.stderr
        return result.stdout

    return call


def by_check(qrels, run):
    result = pres_eval("check", "0.3", qrels.name, run.name, "--n-max", "5", cwd=run.parent)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


#: Every way to score files: functions of the paths of the judgements and of the run.
DOORS = {
    "files.score": lambda qrels, run: score(qrels, run, ["PRES@5", "AP"]).rows(),
    "ir-measures": by_ir_measures,
    "PyTerrier": by_pyterrier,
    "ranx": by_ranx,
    "score": by_command("score", "-q", "-m", "PRES@5 AP"),
    "score with other measures": by_command("score", "-q", "-m", "PRES@5 nDCG@3"),
    "check": by_check,
    "sweep": by_command("sweep", "--n-max", "1:5"),
    "explain": by_command("explain", "--query", "2", "--n-max", "5"),
    "robustness": by_command("robustness", "-m", "PRES@5", "--samples", "2", "--processes", "1"),
    "compare": by_command("compare", "-m", "PRES@5"),
}


MARKS = {
    "ranx": [
        pytest.mark.xdist_group("ranx"),
        # What ranx's own metrics say when they get compiled.
        pytest.mark.filterwarnings(r"ignore:unsafe cast from uint64 to int64:Warning:.*ranx"),
    ],
    "compare": pytest.mark.slow,
    "robustness": pytest.mark.slow,
}


@pytest.fixture
def scored(tmp_path, monkeypatch):
    """Score two files, given by their content, through one of the doors."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other").write_bytes(written.trec_run(OTHER))

    def score_files(door, qrels, run):
        # Without endings, so that only the content tells the formats apart.
        paths = tmp_path / "judged", tmp_path / "system"
        for path, content in zip(paths, (qrels, run), strict=True):
            path.write_bytes(content)
        return DOORS[door](*paths)

    return score_files


@pytest.mark.parametrize("door", [pytest.param(door, marks=MARKS.get(door, ())) for door in DOORS])
def test_every_format_gives_the_scores_of_the_trec_format(scored, door):
    in_trec = written.trec_qrels(QRELS), written.trec_run(RUN)
    expected = scored(door, *in_trec)
    for name, write in written.RUNS.items():
        assert scored(door, in_trec[0], write(RUN)) == expected, name
    for name, write in (written.QRELS | written.BINARY_QRELS).items():
        assert scored(door, write(QRELS), in_trec[1]) == expected, name


def test_grades_of_relevance_are_read(tmp_path):
    for name, write in written.QRELS.items():
        (tmp_path / "judged").write_bytes(write(GRADED))
        assert read_qrels(tmp_path / "judged") == GRADED, name


def test_every_format_may_be_compressed(scored):
    qrels = written.trec_qrels(QRELS)
    expected = scored("score", qrels, written.trec_run(RUN))
    for name, write in written.RUNS.items():
        assert scored("score", qrels, gzip.compress(write(RUN))) == expected, name
