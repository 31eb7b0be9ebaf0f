"""The format of a file is recognised from its content, and then from its name."""

import gzip
import json

import pytest
from beginnings import raises
from written import parquet

from pres_plugin import InputError
from pres_plugin.files import read_qrels, read_run

RUN = {"q1": {"a": 1.0}}
TREC = "q1 Q0 a 1 1 t\n"
CSV = "qid,docno,score\nq1,a,1\n"
RECOGNISED = {
    "a header of Excel in a file called JSON": ("run.json", "\ufeff" + CSV, RUN),
    "TREC's lines in a file called TSV": ("run.tsv", TREC.replace(" ", "\t"), RUN),
    "a topic like a line for Excel": ("run", "sep=; Q0 a 1 1 t\n", {"sep=;": {"a": 1.0}}),
}


@pytest.mark.parametrize(("name", "content", "run"), RECOGNISED.values(), ids=RECOGNISED)
def test_the_content_decides(write, name, content, run):
    assert read_run(write(content, name)) == run


UNCLEAR = {
    "run.TSV.gz": ("a\tb\tc\n", "no row names the columns"),
    "saved.json": ("sep=;\na;b;c\n", "no row names the columns"),
    "run.json": ("5", "expected an object with topics, got 5"),
    "run.parquet": ("5", "cannot be read as Parquet"),
    "a.parquet": (b"PAR1 and no footer", "cannot be read as Parquet"),
    "run": ("qid docno score\n", "no row names .* runs have 6 fields; found qid, docno, score"),
}


@pytest.mark.parametrize("name", UNCLEAR)
def test_the_error_is_that_of_the_likely_format(write, name):
    content, said = UNCLEAR[name]
    with raises(InputError, f"{name}: {said}"):
        read_run(write(content, name))


def test_a_file_that_fits_two_formats_can_be_read_as_either(write):
    path = write("qid\t0\tdocno\t1\nq1\t0\ta\t2\n")
    with raises(InputError, "file: there is no column relevance or score;"):
        read_qrels(path)
    assert read_qrels(path, format="trec") == {"qid": {"docno": 1}, "q1": {"a": 2}}
    with raises(ValueError, r"format must be one of .*got 'xml'"):
        read_run(path, format="xml")


ROWS = [("q1", "a", 3), ("q1", "b", 2), ("q1", "a", 1)]
#: The same document twice, in a run and in judgements.
TWICE = {
    "TREC": ("q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq1 Q0 a 3 1 t\n", "q1 0 a 3\nq1 0 b 2\nq1 0 a 1\n"),
    "Parquet": [parquet(("qid", "docno", name), ROWS) for name in ("score", "label")],
    "JSON": [
        json.dumps([{"qid": "q1", field: [{"docno": d, name: n} for _, d, n in ROWS]}])
        for field, name in (("results", "score"), ("relevant", "relevance"))
    ],
}


@pytest.mark.parametrize(("run", "qrels"), TWICE.values(), ids=TWICE)
@pytest.mark.parametrize(("kept", "number"), [("first", 3), ("last", 1)])
def test_one_of_repeated_documents_is_kept_as_asked(write, run, qrels, kept, number):
    assert read_run(write(run), kept) == {"q1": {"a": number, "b": 2}}
    assert read_qrels(write(qrels), kept) == {"q1": {"a": number, "b": 2}}


def test_errors_use_the_name_that_the_caller_gives(write):
    with raises(InputError, r"mine, line 2: expected 6 fields .* got 3"):
        read_run(write(TREC + "q1 Q0 a\n"), name="mine")


WRONG = {
    "no file": (None, "there is no such file"),
    "gzip, cut off": (gzip.compress(TREC.encode(), mtime=0)[:30], "the compressed file is damaged"),
    "no gzip": (b"\x1f\x8b\x08 and nothing of the kind", "the compressed file is damaged"),
}


@pytest.mark.parametrize(("content", "said"), WRONG.values(), ids=WRONG)
def test_files_that_cannot_be_read_are_named(read, write, content, said):
    if content is not None:
        write(content)
    with raises(InputError, f"file: {said}"):
        read("file")
