"""Runs are found in files, folders and pipes, and each gets a name of its own."""

import gzip
import os
import threading
from pathlib import Path

import polars as pl
import pytest
from beginnings import raises
from command import pres_eval

from pres_plugin.files import score
from pres_plugin.measures import PRES

RUN = b"q1 Q0 a 1 2 t\nq1 Q0 x 2 1 t\n"
TABLE = pl.DataFrame({"qid": ["q1", "q1"], "docno": ["a", "x"], "score": [2.0, 1.0]})
NAMED = TABLE.with_columns(run=pl.Series(["z", "y"]))


def write(path):
    """Write a run, or the two runs z and y if the file is called like them."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    table = NAMED if path.stem == "zy" else TABLE
    match path.suffix:
        case ".parquet":
            table.write_parquet(path)
        case ".csv":
            table.write_csv(path)
        case ".gz":
            path.write_bytes(gzip.compress(RUN))
        case _:
            path.write_bytes(RUN)


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text("q1 0 a 1\nq1 0 b 1\n")


def test_the_result_has_a_row_for_each_run_topic_and_measure_in_the_given_order():
    Path("qrels").write_text("q2 0 a 1\nq1 0 a 1\nq1 0 b 1\n")
    for run in "ab":
        write(run)
    found = score("qrels", ["b", "a"], ["R@1", PRES @ 2])
    assert found.columns == ["run", "query_id", "measure", "value"]
    values = {("q2", "R@1"): 0.0, ("q2", "PRES@2"): 0.0, ("q1", "R@1"): 0.5, ("q1", "PRES@2"): 0.5}
    assert found.rows() == [(run, *key, value) for run in "ba" for key, value in values.items()]


#: Files, arguments, and the names of the runs, in their order.
NAMES = {
    # Polars would take one of these names for a pattern.
    "a folder": ("r/b*[1].parquet r/a r/.hidden r/_half", "r", "a b*[1]"),
    "two runs in a folder": ("r/zy.parquet r/a.csv", "r", "a z y"),
    "run=NAME": ("r/run=d%65/0.parquet r/run=c/x/y/0.parquet", "r", "c de"),
    "one run=NAME": ("r/run=c/0.parquet", "r/run=c", "c"),
    "endings of formats": ("a.run.gz b.1.RES c.trec.txt", "a.run.gz b.1.RES c.trec.txt", "a b.1 c"),
    "equal names": ("x/a.run y/a z/y/a b", "x/a.run y/a z/y/a b", "x/a y/a z/y/a b"),
    "names that differ in their endings": ("a.run a.csv x/b", "a.run a.csv x/b", "a.run a.csv b"),
    "two paths of a file": ("x/a y/a", "x/a {}/y/a", "x/a y/a"),
}


@pytest.mark.parametrize(("files", "runs", "names"), NAMES.values(), ids=NAMES)
def test_each_run_is_scored_by_its_name(files, runs, names):
    for file in files.split():
        write(file)
    found = score("qrels", runs.format(os.getcwd()).split(), "R@1")
    assert found["run"].to_list() == names.split()


def test_a_label_replaces_the_name_of_a_file_but_not_that_of_another_run():
    for name in ("x/a", "y/a", "k=v", "r/run=c/0.parquet"):
        write(name)
    labelled = {"a": "x/a", "v": "y/a", "w": "r/run=c"}
    assert score("qrels", labelled, "R@1")["run"].to_list() == ["a", "v", "w"]
    # A file whose name contains "=" is this file.
    said = pres_eval("score", "qrels", "a=x/a", "b=y/a", "k=v", "-f", "tsv", "-m", "R@1").stdout
    assert [line.split("\t")[0] for line in said.splitlines()[1:]] == ["a", "b", "k=v"]


def test_judgements_may_be_a_folder_of_parquet_files():
    Path("q.parquet").mkdir()
    for doc in "ab":
        row = {"query_id": ["q1"], "doc_id": [doc], "relevance": [1]}
        pl.DataFrame(row).write_parquet(f"q.parquet/{doc}.parquet")
    write("a")
    assert score("q.parquet", "a", "AP").equals(score("qrels", "a", "AP"))


@pytest.mark.parametrize("file", ["a.gz", "a.parquet"])
def test_runs_come_through_pipes_and_standard_input(file):
    write(file)
    expected = pres_eval("score", "qrels", file, "-f", "tsv").stdout
    content = Path(file).read_bytes()
    os.mkfifo("a_pipe")
    # A daemon, which does not keep pytest waiting if nobody reads.
    threading.Thread(target=Path("a_pipe").write_bytes, args=[content], daemon=True).start()
    for name, stdin in (("a_pipe", ""), ("-", content)):
        result = pres_eval("score", "qrels", name, "-f", "tsv", stdin=stdin)
        assert result.stdout == expected.replace("a\t", f"{name}\t"), result.stderr


#: Files besides the run `a`, with their content if it matters; arguments; the error.
WRONG = {
    "no file": ({}, {"runs": "none"}, "none: there is no such file"),
    "the same run": ({}, {"runs": ["a", "./a"]}, "two runs are called a: a and ./a"),
    "one label for two files": (
        {"f/a": None, "f/b": None},
        {"runs": {"z": "f"}},
        "f: there are several runs.* z;",
    ),
    "one label for two runs": (
        {"zy.csv": None},
        {"runs": {"x": "zy.csv"}},
        "zy.csv: there are several runs.* x;",
    ),
    "unknown name": (
        {"zy.csv": None},
        {"runs": "zy.csv", "run_names": ["x"]},
        r"the run 'x' .* \(z, y\)",
    ),
    "standard input twice": ({}, {"qrels": "-", "runs": ["a", "-"]}, "standard input .*once"),
    "N below the judgements": (
        {},
        {"measures": "Rnorm(N=1)"},
        r"qrels: Rnorm\(N=1\): topic 'q1' has 2",
    ),
    "N below the run": ({}, {"measures": "Rnorm(N=2)"}, r"a: Rnorm\(N=2\): topic 'q1' has 3"),
    "another package's measure": (
        {},
        {"measures": "nDCG@10"},
        "measure 'nDCG@10' is unknown; .*ir_measures",
    ),
    "unknown duplicates": ({}, {"duplicates": "best"}, "duplicates must be .*first"),
    "unknown format": ({}, {"run_format": "word"}, "format must be .*word"),
    "a wrong line far down": (
        {"b": RUN * 50_000 + b"q1 Q0 b 3 high t\n"},
        {"runs": "b", "duplicates": "first"},
        "b, line 100001: topic 'q1', document 'b': the score is 'high'",
    ),
}


@pytest.mark.parametrize(("files", "asked", "said"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_with_files_is_said(files, asked, said):
    write("a")
    for name, content in files.items():
        write(name)
        if content is not None:
            Path(name).write_bytes(content)
    with raises(ValueError, said):
        score(**{"qrels": "qrels", "runs": "a", "measures": "AP"} | asked)
