"""CSV and TSV files score as the same rows in TREC's format do, and wrong rows are named."""

import csv
import gzip
import io
import re
from functools import partial

import command
import polars as pl
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from pres_plugin.files import score
from pres_plugin.formats import FileError, read_qrels, read_run
from pres_plugin.formats.base import UnclearError
from pres_plugin.formats.columns import NAMES
from pres_plugin.formats.csv import pieces as csv_pieces
from pres_plugin.formats.csv.files import CsvFile
from pres_plugin.formats.csv.header import BLANKS, looks_like_csv
from pres_plugin.formats.recognition import open_file

refused = partial(command.refused, "score")


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text("q1 0 a 1\nq1 0 b 0\nq2 0 a 1\n")
    return tmp_path


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


# Names of columns

RUN_NAMES = {
    "ir-measures": "query_id,doc_id,score",
    "PyTerrier": "qid\tdocno\tscore",
    "ranx": "q_id,doc_id,score",
    "BEIR": "query-id\tcorpus-id\tscore",
    "ranks": "qid,docno,rank",
}
QRELS_NAMES = {
    "ir-measures": "query_id,doc_id,relevance",
    "PyTerrier": "qid\tdocno\tlabel",
    "ranx": "q_id,doc_id,score",
    "ranx's rel": "q_id,doc_id,rel",
    "BEIR": "query-id\tcorpus-id\tscore",
}


@pytest.mark.parametrize("header", RUN_NAMES.values(), ids=RUN_NAMES)
def test_a_run_is_read_by_the_names_of_its_columns(here, header):
    separator = "\t" if "\t" in header else ","
    numbers = (1, 2) if "rank" in header else (2.5, -1)
    rows = [header, f"q1,a,{numbers[0]}", f"q1,b,{numbers[1]}"]
    write(here / "run", "\n".join(rows[:1] + [row.replace(",", separator) for row in rows[1:]]))
    expected = (-1.0, -2.0) if "rank" in header else numbers
    assert read_run("run") == {"q1": dict(zip("ab", expected, strict=True))}
    assert score("qrels", "run", "R@1")["value"].to_list() == [1.0, 0.0]


@pytest.mark.parametrize("header", QRELS_NAMES.values(), ids=QRELS_NAMES)
def test_judgements_are_read_by_the_names_of_their_columns(here, header):
    separator = "\t" if "\t" in header else ","
    write(here / "q", header + "\nq1,a,1\nq1,b,-2\n".replace(",", separator))
    assert read_qrels("q") == {"q1": {"a": 1, "b": -2}}


def test_the_names_are_those_of_the_tools():
    """They are spelled out here, since the other tests would follow a mistake in the table."""
    assert {"query_id", "qid", "q_id", "query-id"} == set(NAMES["query_id"])
    assert {"doc_id", "docno", "corpus-id", "corpus_id"} == set(NAMES["doc_id"])
    assert {"relevance", "label", "rel"} == set(NAMES["relevance"])


def test_scores_count_before_ranks_and_relevance_before_scores(here):
    write(here / "t.csv", "rank,score,qid,docno,label\n1,0.5,q1,a,0\n2,0.7,q1,b,3\n")
    assert read_run("t.csv") == {"q1": {"a": 0.5, "b": 0.7}}
    assert read_qrels("t.csv") == {"q1": {"a": 0, "b": 3}}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("qid,query_id,doc_id,score\n", "line 1: columns qid and query_id have the same meaning"),
        ("qid,doc_id,score,score\n", "line 1: columns score and score have the same meaning"),
        (
            "query,document,score\nq1,a,1\n",
            "line 1: these columns are missing: query_id (or qid, q_id, query-id) and doc_id (or "
            "docno, corpus-id, corpus_id); the columns are query, document, score; the first line "
            "must name the columns, separated by commas or tabs",
        ),
        (
            "query_id;doc_id;score\nq1;a;1\n",
            "the columns are separated by semicolons (query_id;doc_id;score); save the file with "
            "commas or tabs instead",
        ),
        (
            "q1,a,1\n",
            "line 1: these columns are missing: query_id (or qid, q_id, query-id), doc_id (or "
            "docno, corpus-id, corpus_id) and score (or rank); the columns are q1, a, 1; the first",
        ),
        (
            "qid,docno,points\nq1,a,1\n",
            "line 1: there is no column score (or rank); the columns are qid, docno, points",
        ),
    ],
)
@pytest.mark.parametrize("measure", ["PRES@5", "nDCG"], ids=["pieces", "dicts"])
def test_wrong_columns_are_named(here, content, said, measure):
    write(here / "run.csv", content)
    line = refused("qrels", "run.csv", "--run-format", "csv", "-m", measure)
    assert line.startswith("run.csv, line 1: ")
    assert said in line


def test_judgements_without_relevance_say_so(here):
    write(here / "q.csv", "qid,docno\nq1,a\n")
    with pytest.raises(FileError, match=r"no column relevance \(or label, rel, score\); the col"):
        read_qrels("q.csv")


# Recognition

TABS = "qid\t0\tdocno\t1\n"
RECOGNISED = {
    "a header": ("run", "query_id,doc_id,score\nq1,a,1\n", "csv"),
    "a header and nothing else": ("run", "qid\tdocno", "csv"),
    "a header in quotes": ("run", '"qid","docno","score"\n', "csv"),
    "a header of Excel": ("run", "\ufeffqid,docno,score\r\n", "csv"),
    "a header with old line breaks": ("run", "qid,docno,score\rq1,a,1\r", "csv"),
    "other columns, with commas": ("run", '"title, text"\tqid\tdocno\trank\n', "csv"),
    "an index in front": ("run", ",qid,docno,score\n0,q1,a,1\n", "csv"),
    "a header that TREC's qrels could begin with": ("run", TABS, "csv"),
    "a header in a file called JSON": ("run.json", "qid,docno,score\n", "csv"),
    "TREC's lines in a file called TSV": ("run.tsv", "q1\tQ0\ta\t1\t2\tt\n", "trec"),
    "TREC's lines in a file called CSV": ("run.csv", "q1 Q0 a 1 2 t\n", "trec"),
    "TREC's qrels with a comma in an id": ("run", "qid,docno 0 a 1\n", "trec"),
    "other columns in a file called CSV": ("run.csv", "a,b,c\n", "csv"),
    "other columns in a file called TSV.GZ": ("run.TSV.gz", "a\tb\tc\n", "csv"),
    "a header separated by blanks": ("run", "qid docno score\n", "trec"),
    "nothing, in a file called CSV": ("run.csv", "", "csv"),
}


@pytest.mark.parametrize(("name", "content", "expected"), RECOGNISED.values(), ids=RECOGNISED)
def test_the_format_is_recognised_from_the_content_and_then_from_the_name(
    here, name, content, expected
):
    data = content.encode()
    write(here / name, gzip.compress(data) if name.endswith(".gz") else data)
    assert type(open_file(name)).__name__ == {"csv": "CsvFile", "trec": "TrecFile"}[expected]


def test_binary_files_are_not_decoded(here):
    assert not looks_like_csv(b"qid,docno,\0")


def test_a_file_that_fits_two_formats_can_be_read_as_either(here):
    write(here / "q", TABS + "q1\t0\ta\t2\n")
    with pytest.raises(FileError, match="there is no column relevance"):
        read_qrels("q")
    assert read_qrels("q", format="trec") == {"qid": {"docno": 1}, "q1": {"a": 2}}


@pytest.mark.parametrize(
    ("name", "called"),
    [("bm25.csv", "bm25"), ("bm25.tsv.gz", "bm25"), ("bm25.v2", "bm25.v2")],
)
def test_the_run_is_named_after_its_file(here, name, called):
    data = b"qid,docno,score\nq1,a,1\n"
    write(here / name, gzip.compress(data) if name.endswith(".gz") else data)
    assert score("qrels", name, "R@1")["run"].unique().to_list() == [called]


# Whole files, by both readers

TEXT = "query_id,doc_id,score\nq1,a,2\nq1,b,1\n"
PLAIN = {"q1": {"a": 2.0, "b": 1.0}}
READ = {
    "plain": (TEXT, PLAIN),
    "no line break at the end": (TEXT[:-1], PLAIN),
    "CRLF": (TEXT.replace("\n", "\r\n"), PLAIN),
    "CR": (TEXT.replace("\n", "\r"), PLAIN),
    "byte order mark": ("\ufeff" + TEXT, PLAIN),
    "tabs": (TEXT.replace(",", "\t"), PLAIN),
    "blank lines": ("\n" + TEXT.replace("\n", "\n\n") + "\n\n", PLAIN),
    "blank lines at the end": (TEXT + "\n\n\r\n", PLAIN),
    "all quoted": ('"' + TEXT[:-1].replace(",", '","').replace("\n", '"\n"') + '"\n', PLAIN),
    "commas in ids": (
        'query_id,doc_id,score\n"q,1","a,b",2\n"q,1","b""c",1\n',
        {"q,1": {"a,b": 2.0, 'b"c': 1.0}},
    ),
    "quotes in the middle": (
        'qid\tdocno\tscore\nq1\t5"\t2\nq1\tb"c\t1\n',
        {"q1": {'5"': 2, 'b"c': 1}},
    ),
    "line breaks in ids": ('qid,docno,score\nq1,"a\nb",2\n', {"q1": {"a\nb": 2.0}}),
    "CRLF in ids": ('qid,docno,score\r\nq1,"a\r\nb",2\r\n', {"q1": {"a\r\nb": 2.0}}),
    "texts": (
        'qid,query,docno,score\nq1,"one, ""two""\n\nthree",a,2\nq1,,b,1\n',
        PLAIN,
    ),
    "texts in the last column": ('qid,docno,score,"a\nb"\nq1,a,2,\nq1,b,1,"x,\r\ny"\n', PLAIN),
    "names twice": (",x,x,qid,docno,score\n0,,,q1,a,2\n1,,,q1,b,1\n", PLAIN),
    "numbers of all kinds": (
        "qid,docno,score\nq,a,-1.5E3\nq,b,+.5\nq,c,inf\nq,d,-Infinity\nq,e,007\nq,f, 3\nq,g,3 \n",
        {
            "q": dict(
                zip("abcdefg", [-1500, 0.5, float("inf"), -float("inf"), 7, 3, 3], strict=True)
            )
        },
    ),
    "ids that look like numbers": (
        "qid,docno,score\n01,1.0,2\n01,1e3,1\n1,NaN,1\n",
        {"01": {"1.0": 2.0, "1e3": 1.0}, "1": {"NaN": 1.0}},
    ),
    "other alphabets": ("qid,docno,score\nä,文,2\n", {"ä": {"文": 2.0}}),
    "comments are rows": ("qid,docno,score\n#1,a,2\n", {"#1": {"a": 2.0}}),
    "ranks from 0": ("qid,docno,rank\nq1,a,0\nq1,b,1\n", {"q1": {"a": 0.0, "b": -1.0}}),
    "the largest rank": ("qid,docno,rank\nq1,a,16777216\n", {"q1": {"a": -16777216.0}}),
    "texts longer than Python's limit": (
        f'qid,docno,score,text\nq1,a,2,"{"x, " * 400_000}\n"\nq1,b,1,\n',
        PLAIN,
    ),
}
FAST = set(READ) - {
    "CR",
    "blank lines",
    "quotes in the middle",
    "CRLF in ids",
    "numbers of all kinds",
}


def dicts_of(frame, value):
    found = {}
    for query_id, doc_id, number in frame.select("query_id", "doc_id", value).iter_rows():
        found.setdefault(query_id, {})[doc_id] = number
    return found


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", READ)
def test_both_readers_read_the_same(here, name, packed):
    content, expected = READ[name]
    data = content.encode()
    write(here / "run", gzip.compress(data) if packed else data)
    assert read_run("run", format="csv") == expected
    file = CsvFile("run")
    assert dicts_of(file.carefully("score", "error"), "score") == expected
    if name in FAST:
        assert dicts_of(pl.concat(file.pieces("score")), "score") == expected
    else:
        with pytest.raises(UnclearError):
            list(file.pieces("score"))


# Wrong files, by both readers

HEADER = "query_id,doc_id,score\n"
WRONG = {
    "empty": ("", "run: the file is empty"),
    "byte order mark alone": ("\ufeff", "run: the file is empty"),
    "header only": (HEADER, "run: there are no rows after the header"),
    "missing field": (
        HEADER + "q1,a,1\nq1,b\n",
        "run, line 3: expected 3 fields (query_id, doc_id, score), got 2",
    ),
    "extra field": (HEADER + "q1,a,1\nq1,b,1,\n", "run, line 3: expected 3 fields "),
    "missing and extra": (HEADER + "q1,a,1,2\nq1,b\n", "run, line 2: expected 3 fields "),
    "decimal comma": (HEADER + "q1,a,1,5\n", "run, line 2: expected 3 fields "),
    "decimal comma in quotes": (
        HEADER + 'q1,a,"1,5"\n',
        "run, line 2: the score '1,5' is not a number",
    ),
    "other separator": (
        HEADER + "q1\ta\t1\n",
        "run, line 2: expected 3 fields (query_id, doc_id, score), got 1",
    ),
    "empty topic": (HEADER + ",a,1\n", "run, line 2: the topic is empty"),
    "empty document": (HEADER + 'q1,"",1\n', "run, line 2: the document is empty"),
    "empty score": (HEADER + "q1,a,\n", "run, line 2: the score '' is not a number"),
    "nothing but commas": (HEADER + "q1,a,1\n,,\n", "run, line 3: the topic is empty"),
    "no number": (HEADER + "q1,a,high\n", "run, line 2: the score 'high' is not a number"),
    "underscore": (HEADER + "q1,a,1_0\n", "run, line 2: the score '1_0' is not a number"),
    "other digits": (HEADER + "q1,a,\u0663\n", "run, line 2: the score '\u0663' is not a number"),
    "NaN": (HEADER + "q1,a,1\nq1,b,nan\n", "run, line 3: the score is NaN, which has no order"),
    "NULL": (HEADER + "q1,a,NULL\n", "run, line 2: the score 'NULL' is not a number"),
    "blanks": (HEADER + "q1, a,1\n", "run, line 2: the document ' a' begins or ends with white"),
    "blanks in quotes": (HEADER + '"q1\t",a,1\n', r"run, line 2: the topic 'q1\t' begins or ends"),
    "NUL": (HEADER + "q1,a\0,1\n", "run, line 2: this is a binary file, not text"),
    "latin-1": ((HEADER + "q1,\xe4,1\n").encode("latin-1"), "run, line 2: this is not UTF-8 text"),
    "latin-1 in another column": (
        (HEADER.replace("query_id", "query_id,text") + "q1,\xe4,a,1\n").encode("latin-1"),
        "run, line 2: this is not UTF-8 text",
    ),
    "UTF-16": (HEADER.encode("utf-16"), "run: this text is in UTF-16, like Excel's Unicode Text"),
    "UTF-16 without a mark": (HEADER.encode("utf-16-le"), "run, line 1: this is a binary file"),
    "header twice": (HEADER + "q1,a,1\n" + HEADER, "run, line 3: the header is repeated"),
    "header twice, with marks": (
        "\ufeff" + HEADER + "q1,a,1\n\ufeff" + HEADER,
        "run, line 3: the score 'score' is not a number",
    ),
    "open quote": (
        HEADER + 'q1,a,1\nq1,"b,1\n\n',
        "run, line 3: this is not a row of CSV (unexpected end",
    ),
    "text after a quote": (
        HEADER + 'q1,"a"b,1\n',
        "run, line 2: this is not a row of CSV (',' expected",
    ),
    "document twice": (
        HEADER + 'x,y,1\n"q\n1",a,1\n"q\n1",a,1\n',
        r"run, line 5: document 'a' is in topic 'q\n1' already; keep one of them with --duplicates",
    ),
    "long row": (
        HEADER + f"q1,{'x' * (1 << 23)},1\n",
        "run, line 2: a row may be at most 8,388,608 bytes long",
    ),
    "long row in lines": (
        HEADER + "q1,a,1\n" + 'q1,"' + ("x" * 1000 + "\n") * 9000 + '",1\n',
        "run, line 3: a row may be at most 8,388,608 bytes long",
    ),
    "rank of 1.0": (
        "qid,docno,rank\nq1,a,1.0\n",
        "run, line 2: the rank '1.0' is not a whole number",
    ),
    "negative rank": (
        "qid,docno,rank\nq1,a,-1\n",
        "run, line 2: a rank must be from 0 to 16,777,216, got -1",
    ),
    "large rank": (
        "qid,docno,rank\nq1,a,16777217\n",
        "run, line 2: a rank must be from 0 to 16,777,216, got 16777217",
    ),
    "same rank": (
        "qid,docno,rank\nq1,a,3\nq2,x,3\nq1,b,3\n",
        "run: topic 'q1': documents 'a' and 'b' both have rank 3",
    ),
}


@pytest.mark.parametrize("measure", ["PRES@5", "nDCG"], ids=["pieces", "dicts"])
@pytest.mark.parametrize(("content", "said"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_named(here, content, said, measure):
    write(here / "run", content)
    line = refused("qrels", "run", "--run-format", "csv", "-m", measure)
    assert line.startswith(said)
    with pytest.raises(FileError, match=re.escape(said.partition(" with --")[0])):
        read_run("run", format="csv")


RELEVANCES = {
    "half": ("0.5", "the relevance '0.5' is not a whole number"),
    "whole, but written as a float": ("1.0", "the relevance '1.0' is not a whole number"),
    "large": ("9223372036854775808", "a relevance must fit 64 bits, got 9223372036854775808"),
    "true": ("true", "the relevance 'true' is not a whole number"),
}


@pytest.mark.parametrize("subcommand", ["score", "compare"])
@pytest.mark.parametrize(("written", "said"), RELEVANCES.values(), ids=RELEVANCES)
def test_a_wrong_relevance_is_named(here, written, said, subcommand):
    write(here / "q.tsv", f"query-id\tcorpus-id\tscore\nq1\ta\t1\nq1\tb\t{written}\n")
    for name in "xy":
        write(here / name, "q1 Q0 a 1 1 t\n")
    assert command.refused(subcommand, "q.tsv", "x", "y") == f"q.tsv, line 3: {said}"


@pytest.mark.parametrize("column", ["rank", "run"])
def test_the_scores_of_a_run_are_not_read_as_relevances(here, column):
    write(here / "q.csv", f"qid,docno,score,{column}\nq1,a,1,1\n")
    with pytest.raises(FileError, match=r"no column relevance \(or label, rel\); the columns"):
        read_qrels("q.csv")


def test_one_of_two_rows_with_the_same_document_can_be_kept(here):
    write(here / "run", "qid,docno,rank\nq1,a,1\nq1,b,2\nq1,a,3\nq1,c,3\n")
    assert read_run("run", "first") == {"q1": {"a": -1, "b": -2, "c": -3}}
    with pytest.raises(FileError, match="documents 'a' and 'c' both have rank 3"):
        read_run("run", "last")
    for measure in ("R@1", "nDCG@1"):
        options = ("-m", measure, "--duplicates")
        assert command.pres_eval("score", "qrels", "run", *options, "first").returncode == 0
        line = refused("qrels", "run", *options, "last")
        assert line == "run: topic 'q1': documents 'a' and 'c' both have rank 3"


# Several runs in one file

RUNS = [("one", "q1", "b", 2), ("two", "q1", "a", 2), ("one", "q1", "a", 1), ("two", "q2", "a", 1)]


def table(rows, *names, line_break="\n"):
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator=line_break)
    writer.writerow(names)
    writer.writerows(rows)
    return text.getvalue()


@pytest.mark.parametrize("unusual", [False, True], ids=["pieces", "rows"])
@pytest.mark.parametrize("ordered", [False, True], ids=["scattered", "contiguous"])
def test_a_column_run_contains_the_names_of_several_runs(here, unusual, ordered):
    rows = sorted(RUNS) if ordered else RUNS
    text = table(rows, "run", "qid", "docno", "score")
    write(here / "all.csv", text.replace("\n", "\n\n") if unusual else text)
    found = score("qrels", "all.csv", "R@1").sort("run", "query_id")
    assert found["run"].to_list() == ["one", "one", "two", "two"]
    assert found["value"].to_list() == [0.0, 0.0, 1.0, 1.0]
    assert read_run("all.csv", run="two") == {"q1": {"a": 2.0}, "q2": {"a": 1.0}}
    with pytest.raises(FileError, match="contains several runs; set run to one of one, two"):
        read_run("all.csv")
    again = command.pres_eval("score", "qrels", "all.csv", "-m", "R@1 nDCG@1", "-f", "tsv")
    assert re.findall(r"(\w+)\tR@1\t([0-9.]+)", again.stdout) == [
        ("one", "0.0000"),
        ("two", "1.0000"),
    ]


TWO_FILES = {
    "document": (("rank", 1, 2), "document 'a' is in topic 'q1' twice; keep one of them with"),
    "document, by scores": (("score", 1, 2), "document 'a' is in topic 'q1' twice; keep one of"),
    "rank": (("rank", 1, 1), "topic 'q1': documents 'a' and 'b' both have rank 1"),
}


@pytest.mark.parametrize("measure", ["PRES@5", "nDCG"], ids=["pieces", "dicts"])
@pytest.mark.parametrize("case", TWO_FILES)
def test_what_is_wrong_in_two_files_together_is_named(here, case, measure):
    (kind, *numbers), said = TWO_FILES[case]
    (here / "runs").mkdir()
    for name, number in zip("ab", numbers, strict=True):
        doc = name if case == "rank" else "a"
        write(here / "runs" / name, table([("x", "q1", doc, number)], "run", "qid", "docno", kind))
    assert refused("qrels", "runs", "-m", measure).startswith(f"runs: {said}")


def test_judgements_ignore_the_column_run(here):
    write(here / "q.csv", "run,qid,docno,label\nx,q1,a,1\n,q1,b,0\n")
    assert read_qrels("q.csv") == {"q1": {"a": 1, "b": 0}}
    assert dicts_of(CsvFile("q.csv").carefully("relevance", "error"), "relevance") == {
        "q1": {"a": 1, "b": 0}
    }


def test_ranks_are_compared_within_a_run(here):
    rows = [("one", "q1", "a", 1), ("two", "q1", "b", 1), ("one", "q1", "b", 2)]
    write(here / "all.csv", table(rows, "run", "qid", "docno", "rank"))
    assert score("qrels", "all.csv", "R@1")["value"].to_list() == [1.0, 0.0, 0.0, 0.0]
    write(here / "all.csv", table([*rows, ("one", "q1", "c", 2)], "run", "qid", "docno", "rank"))
    for measure in ("R@1", "nDCG@1"):
        line = refused("qrels", "all.csv", "-m", measure)
        assert line == "all.csv: topic 'q1': documents 'b' and 'c' both have rank 2"


def test_ranks_and_scores_cannot_be_mixed_in_one_table(here):
    (here / "runs").mkdir()
    write(here / "runs" / "a.csv", table(RUNS[:2], "run", "qid", "docno", "score"))
    write(here / "runs" / "b.csv", table(RUNS[3:], "run", "qid", "docno", "rank"))
    assert refused("qrels", "runs") == (
        "runs/b.csv: the documents of this file are ordered by rank, "
        "but those of runs/a.csv by score"
    )


# Pieces

IDS = st.text(
    st.sampled_from("aB1,;\t\"'\n\r é文#.") | st.characters(exclude_categories=["Cs", "Cc"]),
    min_size=1,
    max_size=6,
).filter(lambda text: not {text[0], text[-1]} & set(BLANKS))
SCORES = st.floats(allow_nan=False) | st.integers(-5, 5).map(float)
ROWS = st.lists(st.tuples(IDS, IDS, SCORES, st.text('a,\n" ', max_size=5)), min_size=1, max_size=12)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(
    ROWS, st.sampled_from(",\t"), st.sampled_from(["\n", "\r\n"]), st.booleans(), st.integers(1, 40)
)
def test_rows_written_by_pythons_csv_module_are_read_in_pieces_of_any_size(
    here, rows, separator, line_break, all_quoted, size
):
    rows = list({row[:2]: row for row in rows}.values())
    if not all_quoted:  # before Python 3.13, csv.writer did not quote a lone \\r
        rows = [row for row in rows if not any("\r" in text for text in row[:2])]
        assume(rows)
    text = io.StringIO(newline="")
    writer = csv.writer(
        text,
        delimiter=separator,
        lineterminator=line_break,
        quoting=csv.QUOTE_ALL if all_quoted else csv.QUOTE_MINIMAL,
    )
    writer.writerow(("qid", "docno", "score", "text"))
    writer.writerows(rows)
    write(here / "run", text.getvalue())
    expected = {}
    for query_id, doc_id, number, _ in rows:
        expected.setdefault(query_id, {})[doc_id] = number
    assert read_run("run", format="csv") == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_pieces, "PIECE", size)
        try:
            pieces = list(CsvFile("run").pieces("score"))
        except UnclearError:  # line breaks in ids, or without quotes
            assert "\r" in text.getvalue()
            return
    assert dicts_of(pl.concat(pieces), "score") == expected


@pytest.mark.slow
@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_texts_with_line_breaks_do_not_disturb_large_pieces(here, line_break):
    """Polars reads the parts of a piece in several threads, whose borders it has to find."""
    text = 'one, "two"\nq1,x,1\n' * 20
    rows = [(f"q{i // 1000}", text * (i % 7), f"d,{i}", i % 11) for i in range(30_000)]
    content = table(rows, "qid", "query", "docno", "score", line_break=line_break)
    assert len(content) > 20_000_000
    write(here / "run.csv", content)
    assert dicts_of(pl.concat(CsvFile("run.csv").pieces("score")), "score") == read_run("run.csv")
