"""CSV and TSV files are read by the names of their columns, and wrong rows are named."""

import csv
import io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from written import COLUMNS

from pres_plugin.files import score
from pres_plugin.formats import FileError, read_qrels, read_run
from pres_plugin.formats import text as pieces


def table(header, rows, **options):
    """Return a table as Python's csv module writes it."""
    text = io.StringIO(newline="")
    csv.writer(text, **options).writerows([header, *rows])
    return text.getvalue()


# Names of columns

# A lone carriage return is left out: csv.writer quotes it only from Python 3.13 on.
IDS = st.text(
    st.sampled_from("aB1,;\t\"'\né文#.") | st.characters(exclude_categories=["Cs", "Cc"]),
    min_size=1,
    max_size=6,
).filter(lambda text: text == text.strip())
NUMBERS = st.floats(allow_nan=False) | st.integers(-5, 5)
ROWS = st.dictionaries(
    st.tuples(IDS, IDS), st.tuples(NUMBERS, st.integers(-(1 << 63), (1 << 63) - 1)), min_size=1
)


@pytest.mark.parametrize("names", COLUMNS.values(), ids=COLUMNS)
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    max_examples=settings.default.max_examples // 3,
)
@given(
    ROWS,
    st.text('a,\n" '),
    st.sampled_from(",\t"),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
)
def test_tables_of_pythons_csv_module_are_read_back(
    write, names, rows, text, delimiter, lineterminator, quoting
):
    style = {"delimiter": delimiter, "lineterminator": lineterminator, "quoting": quoting}
    topic, doc, number, relevance = names
    for name, read, i in ((number, read_run, 0), (relevance, read_qrels, 1)):
        header = ("", topic, "text", doc, name)
        lines = [(9, q, text, d, numbers[i]) for (q, d), numbers in rows.items()]
        expected = {}
        for _, q, _, d, n in lines:
            expected.setdefault(q, {})[d] = n
        assert read(write(table(header, lines, **style))) == expected


def test_scores_count_before_ranks_and_relevance_before_scores(write):
    path = write("run,rank,score,qid,docno,label\nx,1,0.5,q1,a,0\nx,2,0.7,q1,b,3\n")
    assert read_run(path) == {"q1": {"a": 0.5, "b": 0.7}}
    assert read_qrels(path) == {"q1": {"a": 0, "b": 3}}


@pytest.mark.parametrize("column", ["rank", "run"])
def test_the_scores_of_a_run_are_not_read_as_relevances(write, column):
    path = write(f"qid,docno,score,{column}\nq1,a,1,1\n")
    with pytest.raises(FileError, match="no column relevance"):
        read_qrels(path)


# Whole files

TEXT = "query_id,doc_id,score\nq1,a,2\nq1,b,1\n"
PLAIN = {"q1": {"a": 2.0, "b": 1.0}}
EUROPEAN = {"q1": {"a": 2.5, "b": 1.5}}
RUNS = {
    "CR": (TEXT.replace("\n", "\r"), PLAIN),
    "byte order mark": ("\ufeff" + TEXT, PLAIN),
    "UTF-16, as Excel's Unicode Text": (TEXT.replace(",", "\t").encode("utf-16"), PLAIN),
    "semicolons and decimal commas": ("qid;docno;score\nq1;a;2,5\nq1;b;1,5\n", EUROPEAN),
    "a separator for Excel": ('sep=;\r\nqid;docno;score\r\nq1;a;"2,5"\r\nq1;b;1,5\r\n', EUROPEAN),
    "rows without content": (TEXT + ",,\n,\n\n \u00a0,,\u00a0\n", PLAIN),
    "titles above the header": ("Report,,\n,,\n\n" + TEXT, PLAIN),
    "fields left out at the end": ("qid,docno,score,title\nq1,a,2\nq1,b,1,x\n", PLAIN),
    "other bytes in other columns": (b"qid,docno,score,x\nq1,a,2,\xe4\nq1,b,1,\n", PLAIN),
    "CR, and LF at the end": (TEXT[:-1].replace("\n", "\r") + "\n", PLAIN),
    "LF, and CR in between": ("query_id,doc_id,score\nq1,a,2\rq1,b,1\r\n", PLAIN),
    "semicolons in a name": ("a;b;c;d,qid,docno,score\nx,q1,a,2\n,q1,b,1\n", PLAIN),
    "numbers of all kinds": (
        "qid,docno,score\nq,a,-1.5E3\nq,b,+.5\nq,c,inf\nq,d,-Infinity\nq,e,007\n",
        {"q": {"a": -1500, "b": 0.5, "c": float("inf"), "d": -float("inf"), "e": 7}},
    ),
    "ids that look like numbers": (
        "qid,docno,score\n01,1.0,2\n01,1e3,1\n1,NaN,1\n",
        {"01": {"1.0": 2.0, "1e3": 1.0}, "1": {"NaN": 1.0}},
    ),
    "ranks": (
        "qid,docno,rank\nq1,a,0\nq1,b,1.0\nq2,a,0\n",
        {"q1": {"a": 0.0, "b": -1.0}, "q2": {"a": 0.0}},
    ),
    "a separator that is a quote": ('sep="\n' + TEXT, PLAIN),
    "a name in a row below titles": ("search URL:,https://x,\n" + TEXT, PLAIN),
    "texts longer than Python's limit": (
        f'qid,docno,score,text\nq1,a,2,"{"x, " * 50_000}\n"\nq1,b,1,\n',
        PLAIN,
    ),
}


@pytest.mark.parametrize(("content", "run"), RUNS.values(), ids=RUNS)
def test_runs_are_read(write, content, run):
    assert read_run(write(content)) == run


HEADER = "query_id,doc_id,score\n"
WRONG_RUNS = {
    "decimal comma between commas": (HEADER + 'q1,a,"2,5"\n', ", line 2: .*'2,5'.*not a number"),
    "empty": ("", ": .*empty"),
    "header only": (HEADER, ": .*no rows"),
    "no topic": (
        "question,docno,score\nq1,a,1\n",
        ".*no column query_id; the columns in line 1 are question, docno, score; .*columns=",
    ),
    "two topics in other words": (
        "Topic,Query,docno,score\n",
        r": columns Topic and Query .*columns={'query_id': 'Topic'} or {'query_id': 'Query'}",
    ),
    "a number shortened by Excel": (HEADER + 'q1,"7,26E+06",1\n', ", line 2: .*format .* as text"),
    "no header": ("q1,a,1\n", ".*columns.* q1, a, 1"),
    "two topics": ("qid,query_id,doc_id,score\n", ".*qid and query_id"),
    "missing field": (HEADER + "q1,a,1\nq1,b\n", ", line 3: .*b.*score is missing"),
    "extra field": (HEADER + "q1,a,1\nq1,b,1,5\n", ", line 3: .*more than 3 fields"),
    "empty document": (HEADER + 'q1,"",1\n', ", line 2: .*document is empty"),
    "text": (HEADER + "q1,a,high\n", ", line 2: .*score 'high'"),
    "NaN": (HEADER + "q1,a,1\nq1,b,nan\n", ", line 3: .*NaN"),
    "blanks": (HEADER + "q1, a,1\n", ", line 2: .*document ' a'"),
    "NUL": (HEADER + "q1,a\0,1\n", ".*binary"),
    "latin-1": ((HEADER + "q1,\xe4,1\n").encode("latin-1"), ".*as CSV UTF-8"),
    "open quote": (HEADER + 'q1,a,1\nq1,"b,1\n\n', ", line 3: "),
    "text after a quote": (HEADER + 'q1,"a"b,1\n', ", line 2: "),
    "document twice, after a row of two lines": (
        'qid,docno,score,title\nq1,a,1,"one\ntwo"\nq1,b,1\nq1,b,1\n',
        r", line 5: document 'b' is in topic 'q1'",
    ),
    "several ids in a cell": (HEADER + 'q1,a,2\nq1,"US1\nUS2",1\n', ", line 3: .*a line break; .*"),
    "rank of 1.5": ("qid,docno,rank\nq1,a,1.5\n", r", line 2: .*rank .*'1\.5'"),
    "large rank": ("qid,docno,rank\nq1,a,1e13\n", ", line 2: .*rank.*'1e13'"),
    "separators of thousands": (
        'qid;docno;score\nq1;a;"1,234"\nq1;b;999.5\n',
        r", line 3: '999\.5' in column score .* decimal signs, or separate thousands",
    ),
    "same rank": (
        "qid,docno,rank\nq1,a,3\nq2,x,3\nq1,b,3\n",
        ": topic 'q1': documents 'a' and 'b' .*rank 3",
    ),
}


@pytest.mark.parametrize(("content", "said"), WRONG_RUNS.values(), ids=WRONG_RUNS)
def test_wrong_runs_are_located(read, write, content, said):
    with pytest.raises(FileError, match=f"^file{said}.*$"):
        read(write(content), format="csv")


@pytest.mark.parametrize("relevance", ["0.5", "perhaps", "9223372036854775808", "nan"])
def test_a_wrong_relevance_is_named(write, relevance):
    path = write(f"query-id\tcorpus-id\tscore\nq1\ta\t1\nq1\tb\t{relevance}\n")
    with pytest.raises(FileError, match=f"^file, line 3: .*relevance.*{relevance}"):
        read_qrels(path)


NAMED = {
    "Query ID, Doc_ID ,SCORE": {},
    "QUERY-ID,Doc. ID,Score": {},
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


def test_ranks_that_are_asked_for_come_before_scores(write):
    path = write("qid,docno,score,Place\nq1,a,1,1\nq1,b,2,2\n")
    assert read_run(path, columns={"rank": "Place"}) == {"q1": {"a": -1, "b": -2}}


@pytest.mark.parametrize(
    ("row", "columns", "read"),
    [
        ("q1\ta\t9.5", {"query_id": "q1", "doc_id": "a", "score": "9.5"}, read_run),
        ("q1\t0\ta\tyes", {"query_id": "q1", "doc_id": "a", "relevance": "yes"}, read_qrels),
    ],
)
def test_a_row_of_data_is_no_header(write, row, columns, read):
    path = write(f"{row}\n" * 2)
    with pytest.raises(
        FileError, match=r"no row names the columns: .* in line 1 are values"
    ) as said:
        read(path, format="csv", columns=columns)
    assert "columns=" not in str(said.value)


def test_dicts_do_not_express_gaps_in_ranks(write):
    with pytest.raises(FileError, match=r"^file: topic 'q2': the ranks have gaps, .* list all"):
        read_run(write("qid,docno,rank\nq1,a,0\nq2,a,0\nq2,b,2\n"))


def test_a_name_that_no_file_has_is_wrong(write):
    missing = r"no file contains a column 'x'; .* qid, docno, score in line 1 \(file\)"
    with pytest.raises(FileError, match=missing):
        read_run(write("qid,docno,score\nq1,a,1\n"), columns={"run": "x"})
    with pytest.raises(ValueError, match=r"keys among run, query_id, .* got 'topic'"):
        read_run("file", columns={"topic": "x"})


YES, NO = ["1", "yes", "Y", "TRUE", "ja", "Wahr"], ["0", "no", "N", "False", "Nein", "FALSCH"]


def test_a_relevance_may_be_yes_or_no(write):
    rows = [("q1", word, word) for word in YES + NO]
    path = write(table(("qid", "docno", "Relevant?"), rows))
    assert read_qrels(path) == {"q1": dict.fromkeys(YES, 1) | dict.fromkeys(NO, 0)}


def test_one_of_two_rows_with_the_same_document_can_be_kept(write):
    path = write("qid,docno,rank\nq1,a,1\nq1,b,2\nq1,a,3\nq1,c,3\n")
    assert read_run(path, "first") == {"q1": {"a": -1, "b": -2, "c": -3}}
    with pytest.raises(FileError, match=r"documents 'a' and 'c' .*rank 3"):
        read_run(path, "last")


# Several runs in one file

ROWS_OF_RUNS = [
    ("one", "q1", "b", 2),
    ("two", "q1", "a", 2),
    ("two", "q1", "c", 1),
    ("one", "q1", "a", 1),
    ("two", "q2", "a", 1),
]


@pytest.mark.parametrize("order", [list, sorted], ids=["scattered", "contiguous"])
def test_a_column_run_contains_the_names_of_several_runs(write, order):
    write("q1 0 a 1\nq1 0 b 0\nq2 0 a 1\n", "qrels")
    for number, by_document in (("score", [0.0, 0.0, 1.0, 1.0]), ("rank", [1.0, 0.0, 0.0, 1.0])):
        header = ("run", "qid", "docno", number)
        path = write(table(header, order(ROWS_OF_RUNS)), "all.csv")
        found = score("qrels", path, "R@1").sort("run", "query_id")
        assert found["run"].to_list() == ["one", "one", "two", "two"]
        assert found["value"].to_list() == by_document
    assert read_run(path, run="two") == {"q1": {"a": -2.0, "c": -1.0}, "q2": {"a": -1.0}}
    with pytest.raises(FileError, match=r"several runs.* one, two"):
        read_run(path)
    write(table(header, [*ROWS_OF_RUNS, ("one", "q1", "c", 2)]), path)
    with pytest.raises(FileError, match=r"^all\.csv.*: topic 'q1': documents 'b' and 'c' .*rank 2"):
        score("qrels", path, "R@1")


TWO_TOOLS = [
    ("q1", place, doc, tool, f"{doc}, in English", "en")
    for tool, docs in {"Alpha": "abcd", "Beta": "bcde"}.items()
    for place, doc in enumerate(docs, 1)
]


@pytest.mark.parametrize("number", ["score", "rank"])
def test_the_column_of_several_runs_is_to_be_named(write, number):
    path = write(table(("qid", number, "docno", "Tool", "Title", "Language"), TWO_TOOLS))
    with pytest.raises(FileError, match=r"column of the run with columns={'run': 'Tool'}$"):
        read_run(path)
    assert len(read_run(path, run="Beta", columns={"run": "Tool"})["q1"]) == 4


def test_a_document_that_is_repeated_by_mistake_names_no_runs(write):
    rows = [(*row[:2], "a" if row[1] > 3 else row[2], *row[3:]) for row in TWO_TOOLS[:4]]
    path = write(table(("qid", "rank", "docno", "Tool", "Title", "Language"), rows))
    with pytest.raises(FileError, match=r"keep one of them with duplicates="):
        read_run(path)


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_texts_with_line_breaks_do_not_disturb_files_of_many_pieces(write, monkeypatch, line_break):
    monkeypatch.setattr(pieces, "PIECE", 5000)
    text = f'one, "two"{line_break}q1,x,1{line_break}' * 5
    run = {f"q{i}": {f"d,{j}": j % 11 for j in range(100)} for i in range(5)}
    rows = [(q, text * (n % 7), d, n) for q, docs in run.items() for d, n in docs.items()]
    content = table(("qid", "query", "docno", "score"), rows, lineterminator=line_break)
    assert read_run(write(content)) == run


def test_lines_that_end_with_carriage_returns_are_counted(tmp_path):
    path = tmp_path / "run.csv"
    path.write_bytes(b"qid,docno,score\rq1,EP1,1\rq1,EP2,x\r")
    with pytest.raises(FileError, match=r"run\.csv, line 3: .*'EP2'"):
        read_run(path)
