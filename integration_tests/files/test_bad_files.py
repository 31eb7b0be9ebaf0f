"""Every command and function refuses bad files of every format, in one line that says where."""

import re

import pytest
import written
from command import refused

from pres_plugin.files import score
from pres_plugin.formats import FileError, read_qrels, read_run

RUN = {"q1": {"d1": 3.5, "d2": 2.5}, "q2": {"d1": 1.5}}
QRELS = {"q1": {"d1": 1}, "q2": {"d1": 1}}

#: Bad runs, and where the message says that the problem is.
RUNS = {
    "JSON, NaN": ('{"q1": {"d1": 1, "d2": NaN}}', "q1 → d2"),
    "JSON, Infinity": ('{"q1": {"d1": 1, "d2": Infinity}}', "q1 → d2"),
    "JSON, -Infinity": ('{"q1": {"d1": 1, "d2": -Infinity}}', "q1 → d2"),
    "JSON, null": ('{"q1": {"d1": 1, "d2": null}}', "q1 → d2"),
    "JSON, a number as text": ('{"q1": {"d1": 1, "d2": "0.5"}}', "q1 → d2"),
    "JSON, true": ('{"q1": {"d1": true}}', "q1 → d1"),
    "JSON, a document twice": ('{"q1": {"d1": 1, "d1": 2}}', "q1"),
    "JSON, a topic twice": ('{"q1": {"d1": 1}, "q1": {"d1": 2}}', "q1"),
    "JSON, truncated": ('{"q1": {"d1": 1, "d2"', "line 1"),
    "JSON, text behind": ('{"q1": {"d1": 1}} {"q2": {"d1": 1}}', "line 1"),
    "JSON, neither a list nor an object": ('{"q1": {"d1": 1}, "q2": 3}', "q2"),
    "JSON, deeper": ('{"q1": {"d1": 1}, "q2": {"d1": {"d2": 1}}}', "q2 → d1"),
    "JSON, no topics": ("{}", ""),
    "ranked lists, a document twice": ('{"q1": ["d1", "d2", "d1"]}', "'d1'"),
    "ranked lists, a number": ('{"q1": ["d1", 2]}', "q1"),
    "ranked lists, null": ('{"q1": ["d1", null]}', "q1"),
    "JSON lines, NaN": (
        '{"query_id": "q1", "results": [{"corpus_id": "d1", "score": NaN}]}',
        "results[0].score",
    ),
    "JSON lines, a number as text": (
        '{"query_id": "q1", "results": []}\n'
        '{"query_id": "q2", "results": [{"corpus_id": "d1", "score": "1"}]}',
        "line 2",
    ),
    "JSON lines, no document": (
        '{"query_id": "q1", "results": [{"score": 1}]}',
        "results[0]",
    ),
    "JSON lines, a topic twice": ('{"query_id": "q1", "ranking": ["d1"]}\n' * 2, "line 2"),
    "JSON lines, a field twice": (
        '{"query_id": "q1", "ranking": ["d1"], "ranking": ["d2"]}',
        "line 1",
    ),
    "JSON lines, a document twice": ('{"query_id": "q1", "ranking": ["d1", "d1"]}', "line 1"),
    "JSON lines, two fields": (
        '{"query_id": "q1", "ranking": ["d1"], "scores": {"d1": 1}}',
        "line 1",
    ),
    "JSON lines, no field": ('{"query_id": "q1", "found": ["d1"]}', "line 1"),
    "JSON lines, truncated": (
        '{"query_id": "q1", "ranking": ["d1"]}\n{"query_id": "q2", "rank',
        "line 2",
    ),
    "MTEB, null": (
        '{"mteb_model_meta": {}, "default": {"test": {"q1": {"d1": null}}}}',
        "default → test → q1 → d1",
    ),
    "MTEB, a document twice": (
        '{"mteb_model_meta": {}, "default": {"test": {"q1": {"d1": 1, "d1": 2}}}}',
        "default → test → q1",
    ),
    "CSV, no number": ("query_id,doc_id,score\nq1,d1,1\nq1,d2,high\n", "line 3"),
    "CSV, NaN": ("query_id,doc_id,score\nq1,d1,1\nq1,d2,nan\n", "line 3"),
    "CSV, no score": ("query_id,doc_id,score\nq1,d1,\n", "line 2"),
    "CSV, a field missing": ("query_id,doc_id,score\nq1,d1\n", "line 2"),
    "CSV, a field too many": ("query_id,doc_id,score\nq1,d1,1,5\n", "line 2"),
    "CSV, a document twice": ("query_id,doc_id,score\nq1,d1,1\nq1,d1,2\n", "line 3"),
    "CSV, a rank twice": ("qid,docno,rank\nq1,d1,0\nq1,d2,0\n", "'q1'"),
    "CSV, no column for scores": ("query_id,doc_id,points\nq1,d1,1\n", "points"),
    "CSV, two columns for topics": ("query_id,qid,doc_id,score\nq1,q1,d1,1\n", "qid"),
    "CSV, a quote left open": ('query_id,doc_id,score\nq1,"d1,1\n', "line"),
    "TSV, no number": ("query-id\tcorpus-id\tscore\nq1\td1\thigh\n", "line 2"),
    "Parquet, a rank twice": (
        written.parquet(("qid", "docno", "rank"), [("q1", "d1", 0), ("q1", "d2", 0)]),
        "'q1'",
    ),
}

#: The same for judgements.
JUDGEMENTS = {
    "JSON, half relevant": ('{"q1": {"d1": 0.5}}', "q1 → d1"),
    "JSON, a float": ('{"q1": {"d1": 1.0}}', "q1 → d1"),
    "JSON, true": ('{"q1": {"d1": true}}', "q1 → d1"),
    "JSON, null": ('{"q1": {"d1": null}}', "q1 → d1"),
    "JSON, a number as text": ('{"q1": {"d1": "1"}}', "q1 → d1"),
    "JSON, beyond 64 bits": ('{"q1": {"d1": 9223372036854775808}}', "q1 → d1"),
    "JSON, a document twice": ('{"q1": {"d1": 1, "d1": 0}}', "q1"),
    "lists, a document twice": ('{"q1": ["d1", "d1"]}', "'d1'"),
    "JSON lines, no field": ('{"query_id": "q1", "found": ["d1"]}', "line 1"),
    "MTEB": ('{"mteb_model_meta": {}, "default": {"test": {"q1": {"d1": 1}}}}', ""),
    "CSV, half relevant": ("query_id,doc_id,relevance\nq1,d1,0.5\n", "line 2"),
    "CSV, unknown columns": ("query_id,doc_id,grade\nq1,d1,1\n", "grade"),
}


def by_command(*arguments):
    def call(qrels, run):
        command, *options = arguments
        return refused(command, qrels, run, *options)

    return call


def by_function(function):
    def call(qrels, run):
        with pytest.raises(FileError) as error:
            function(qrels, run)
        return str(error.value)

    return call


def read_both(qrels, run):
    return read_qrels(qrels), read_run(run)


#: Functions of the paths of the judgements and of the run, which return the message.
DOORS = {
    "read_run and read_qrels": by_function(read_both),
    "files.score": by_function(lambda qrels, run: score(qrels, run, "PRES@5")),
    "score": by_command("score"),
    "score with other measures": by_command("score", "-m", "PRES@5 nDCG@3"),
    "sweep": by_command("sweep", "--n-max", "1:5"),
    "explain": by_command("explain", "--query", "q1"),
    "check": lambda qrels, run: refused("check", "0.5", qrels, run, "--n-max", "5"),
    "robustness": by_command("robustness", "--samples", "2", "--processes", "1"),
    "compare": by_command("compare"),
}


@pytest.fixture
def refuse(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def check(door, case, bad, where, **content):
        paths = {"judged": written.trec_qrels(QRELS), "system": written.trec_run(RUN), **content}
        for name, text in paths.items():
            (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        message = DOORS[door]("judged", "system")
        assert re.match(rf"{bad}(, line \d+)?(, column \d+)?: ", message), (case, message)
        assert where in message, (case, message)
        assert "\n" not in message, case

    return check


@pytest.mark.parametrize("door", DOORS)
def test_bad_runs(refuse, door):
    for case, (text, where) in RUNS.items():
        refuse(door, case, "system", where, system=text)


@pytest.mark.parametrize("door", DOORS)
def test_bad_judgements(refuse, door):
    for case, (text, where) in JUDGEMENTS.items():
        refuse(door, case, "judged", where, judged=text)
