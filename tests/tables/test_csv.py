"""CSV and TSV files are read by the names of their columns, and wrong rows are named."""

import csv
import io

import pytest
from beginnings import raises
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pres_plugin import InputError
from pres_plugin.files import read_qrels, read_run, score
from pres_plugin.tables import text as pieces


def table(*rows, **options):
    """Return a table as Python's csv module writes it."""
    text = io.StringIO(newline="")
    csv.writer(text, **options).writerows(rows)
    return text.getvalue()


# A lone carriage return is left out: csv.writer quotes it only from Python 3.13 on.
IDS = st.text(
    st.sampled_from("aB1,;\t\"'é文#.") | st.characters(exclude_categories=["Cs", "Cc"]),
    min_size=1,
    max_size=6,
).filter(lambda text: text == text.strip())
NUMBERS = st.floats(allow_nan=False), st.integers(-(1 << 63), (1 << 63) - 1)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.dictionaries(st.tuples(IDS, IDS), st.tuples(*NUMBERS), min_size=1),
    st.text('a,\n" '),
    st.sampled_from(",\t"),
    st.sampled_from(["\n", "\r\n"]),
)
def test_tables_of_pythons_csv_module_are_read_back(write, rows, text, delimiter, lineterminator):
    for i, read in enumerate([read_run, read_qrels]):
        lines, expected = [("", "qid", "text", "docno", ("score", "label")[i])], {}
        for (q, d), values in rows.items():
            lines.append((9, q, text, d, values[i]))
            expected.setdefault(q, {})[d] = values[i]
        content = table(*lines, delimiter=delimiter, lineterminator=lineterminator)
        assert read(write(content)) == expected


TEXT = "query_id,doc_id,score\nq1,a,2\nq1,b,1\n"
PLAIN = {"q1": {"a": 2.0, "b": 1.0}}
EUROPEAN = {"q1": {"a": 2.5, "b": 1.5}}
RUNS = {
    "CR, and LF at the end": (TEXT[:-1].replace("\n", "\r") + "\n", PLAIN),
    "LF, and CR in between": ("query_id,doc_id,score\nq1,a,2\rq1,b,1\r\n", PLAIN),
    "semicolons and decimal commas": ("qid;docno;score\nq1;a;2,5\nq1;b;1,5\n", EUROPEAN),
    "a separator for Excel": ('sep=;\r\nqid;docno;score\r\nq1;a;"2,5"\r\nq1;b;1,5\r\n', EUROPEAN),
    "rows without content": (TEXT + ",,\n,\n\n \u00a0,,\u00a0\n", PLAIN),
    "fields left out at the end": ("qid,docno,score,title\nq1,a,2\nq1,b,1,x\n", PLAIN),
    "other bytes in other columns": (b"qid,docno,score,x\nq1,a,2,\xe4\nq1,b,1,\n", PLAIN),
    "semicolons in a name": ("a;b;c;d,qid,docno,score\nx,q1,a,2\n,q1,b,1\n", PLAIN),
    "numbers of all kinds": (
        "qid,docno,score\nq,a,-1.5E3\nq,b,+.5\nq,c,inf\nq,d,-Infinity\nq,e,007\n",
        {"q": {"a": -1500, "b": 0.5, "c": float("inf"), "d": -float("inf"), "e": 7}},
    ),
    "ids that look like numbers": (
        "qid,docno,score\n01,1.0,2\n01,1e3,1\n1,NaN,1\n",
        {"01": {"1.0": 2.0, "1e3": 1.0}, "1": {"NaN": 1.0}},
    ),
    "ranks": ("qid,docno,rank\nq1,a,0\nq1,b,1.0\n", {"q1": {"a": 0.0, "b": -1.0}}),
    "scores before ranks": ("rank,score,qid,docno,label\n1,2,q1,a,0\n2,1,q1,b,3\n", PLAIN),
    "texts longer than Python's limit": (
        f'qid,docno,score,text\nq1,a,2,"{"x, " * 50_000}\n"\nq1,b,1,\n',
        PLAIN,
    ),
}


@pytest.mark.parametrize(("content", "run"), RUNS.values(), ids=RUNS)
def test_runs_are_read(write, content, run):
    assert read_run(write(content)) == run


NAMED = {
    "Query ID, Doc_ID ,SCORE": {},
    "Topic,Publication No.,Score": {},
    "Question,Publication Number,%": {
        "query_id": "Question",
        "doc_id": ["publication number"],
        "score": "%",
    },
    # Exact names come before others, and before both, names that are asked for.
    "qid,docno,score,Query,Document,Doc No": {},
    "Thema,Patent,score,qid,docno,rank": {"query_id": "Thema", "doc_id": "Patent"},
}


@pytest.mark.parametrize(("header", "columns"), NAMED.items(), ids=NAMED)
def test_columns_may_have_other_names(write, header, columns):
    rest = ",?" * (header.count(",") - 2)
    path = write(f"{header}\nq1,a,2{rest}\nq1,b,1{rest}\n")
    assert read_run(path, columns=columns) == PLAIN


@pytest.mark.parametrize(
    ("row", "columns", "read"),
    [
        ("q1\ta\t9.5", {"query_id": "q1", "doc_id": "a", "score": "9.5"}, read_run),
        ("q1\t0\ta\tyes", {"query_id": "q1", "doc_id": "a", "relevance": "yes"}, read_qrels),
    ],
)
def test_a_row_of_data_is_no_header(write, row, columns, read):
    with raises(InputError, "file: no row names the columns, .* found q1, .* values"):
        read(write(f"{row}\n" * 2), format="csv", columns=columns)


def test_a_name_that_no_file_has_is_wrong(write):
    missing = r"no file contains a column 'x'; .* qid, docno, score in line 1 \(file\)"
    with raises(InputError, missing):
        read_run(write("qid,docno,score\nq1,a,1\n"), columns={"run": "x"})
    with raises(ValueError, "columns must have keys among run, query_id, .* got 'topic'"):
        read_run("file", columns={"topic": "x"})


YES, NO = ["1", "yes", "Y", "TRUE", "ja", "Wahr"], ["0", "no", "N", "False", "Nein", "FALSCH"]


def test_a_relevance_may_be_yes_or_no(write):
    rows = [("q1", word, word) for word in YES + NO]
    path = write(table(("qid", "docno", "Relevant?"), *rows))
    assert read_qrels(path) == {"q1": dict.fromkeys(YES, 1) | dict.fromkeys(NO, 0)}


HEADER = "query_id,doc_id,score\n"
WRONG_RUNS = {
    "decimal comma between commas": (
        HEADER + 'q1,a,"2,5"\n',
        ", line 2: topic 'q1', document 'a': the score is '2,5', not a number",
    ),
    "header only": (HEADER, ": the file is empty, or contains no rows"),
    "two topics in other words": (
        "Topic,Query,docno,score\n",
        r": columns Topic and Query .*columns={'query_id': 'Topic'}",
    ),
    "no header": (
        "q1\ta\t1\n",
        r": no row names .* columns=.*--columns query_id=1 doc_id=2 rank=3\)",
    ),
    "missing field": (
        HEADER + "q1,a,1\nq1,b\n",
        ", line 3: topic 'q1', document 'b': the score is missing",
    ),
    "extra field": (HEADER + "q1,a,1\nq1,b,1,5\n", ", line 3: there are more than 3 fields"),
    "empty document": (HEADER + 'q1,"",1\n', ", line 2: topic 'q1': the document is empty"),
    "NaN": (
        HEADER + "q1,a,1\nq1,b,nan\n",
        ", line 3: topic 'q1', document 'b': the score is missing or NaN",
    ),
    "blanks": (HEADER + "q1, a,1\n", ", line 2: topic 'q1', document ' a'"),
    "NUL": (HEADER + "q1,a\0,1\n", ", line 2: this is a binary file"),
    "latin-1": ((HEADER + "q1,\xe4,1\n").encode("latin-1"), ", line 2: topic 'q1', .*as CSV UTF-8"),
    "open quote": (HEADER + 'q1,a,1\nq1,"b,1\n\n', ", line 3: there are more than 3 fields"),
    "document twice": (
        'qid,docno,score,title\nq1,a,1,"one\ntwo"\nq1,b,1\nq1,b,1\n',
        r", line 5: document 'b' is in topic 'q1' twice; .* columns={'run': 'NAME'}",
    ),
    "rank of 1.5": (
        "qid,docno,rank\nq1,a,1.5\n",
        r", line 2: topic 'q1', document 'a': the rank .*'1\.5'",
    ),
    "large rank": (
        "qid,docno,rank\nq1,a,1e13\n",
        ", line 2: topic 'q1', document 'a': the rank .*'1e13'",
    ),
    "separators of thousands": (
        'qid;docno;score\nq1;a;"1,234"\nq1;b;999.5\n',
        r", line 3: '999\.5' in column score .* decimal signs, or separate thousands",
    ),
    "same rank": (
        "qid,docno,rank\nq1,a,3\nq2,x,3\nq1,b,3\n",
        ": topic 'q1': documents 'a' and 'b' .*rank 3",
    ),
    "after carriage returns": (
        "qid,docno,score\rq1,a,1\rq1,b,x\r",
        ", line 3: topic 'q1', document 'b': the score is 'x'",
    ),
}


@pytest.mark.parametrize(("content", "said"), WRONG_RUNS.values(), ids=WRONG_RUNS)
def test_wrong_runs_are_located(read, write, content, said):
    with raises(InputError, f"file{said}.*$"):
        read(write(content), format="csv")


WRONG_QRELS = {
    "half": (
        "qid,docno,score\nq1,a,0.5\n",
        ", line 2: topic 'q1', document 'a': the relevance .*'0.5'",
    ),
    "65 bits": (
        "qid,docno,score\nq1,a,9223372036854775808\n",
        ", line 2: topic 'q1', document 'a': the relevance .*808'",
    ),
    "a run with ranks": ("qid,docno,score,rank\nq1,a,1,1\n", ": there is no column relevance"),
    "a run with a name": ("qid,docno,score,run\nq1,a,1,1\n", ": there is no column relevance"),
}


@pytest.mark.parametrize(("content", "said"), WRONG_QRELS.values(), ids=WRONG_QRELS)
def test_wrong_judgements_are_named(write, content, said):
    with raises(InputError, f"file{said}"):
        read_qrels(write(content))


def test_dicts_do_not_express_gaps_in_ranks(write):
    with raises(InputError, r"file: topic 'q2': the ranks have gaps, .* list all"):
        read_run(write("qid,docno,rank\nq1,a,0\nq2,a,0\nq2,b,2\n"))


ROWS_OF_RUNS = [
    ("one", "q1", "b", 2),
    ("two", "q1", "a", 2),
    ("two", "q1", "c", 1),
    ("one", "q1", "a", 1),
    ("two", "q2", "a", 1),
]


@pytest.mark.parametrize("order", [list, sorted], ids=["scattered", "contiguous"])
@pytest.mark.parametrize(
    ("number", "expected"), [("score", [0.0, 0.0, 1.0, 1.0]), ("rank", [1.0, 0.0, 0.0, 1.0])]
)
def test_a_column_run_contains_the_names_of_several_runs(write, order, number, expected):
    write("q1 0 a 1\nq1 0 b 0\nq2 0 a 1\n", "qrels")
    path = write(table(("Tool", "qid", "docno", number), *order(ROWS_OF_RUNS)))
    found = score("qrels", path, "R@1", columns={"run": "Tool"}).sort("run", "query_id")
    assert found["run"].to_list() == ["one", "one", "two", "two"]
    assert found["value"].to_list() == expected
    sign = 1 if number == "score" else -1
    of_two = {"q1": {"a": 2 * sign, "c": sign}, "q2": {"a": sign}}
    assert read_run(path, run="two", columns={"run": "Tool"}) == of_two
    with raises(InputError, "file: the file contains several runs.* one, two"):
        read_run(path, columns={"run": "Tool"})


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_texts_with_line_breaks_do_not_disturb_files_of_many_pieces(write, monkeypatch, line_break):
    monkeypatch.setattr(pieces, "PIECE", 5000)
    text = f'one, "two"{line_break}q1,x,1{line_break}' * 5
    run = {f"q{i}": {f"d,{j}": j % 11 for j in range(100)} for i in range(5)}
    rows = [(q, text * (n % 7), d, n) for q, docs in run.items() for d, n in docs.items()]
    content = table(("qid", "query", "docno", "score"), *rows, lineterminator=line_break)
    assert read_run(write(content)) == run
