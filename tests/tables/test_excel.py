"""Sheets of Excel workbooks are read like CSV files."""

import pytest
import written
from beginnings import raises

from pres_plugin import InputError
from pres_plugin.files import read_qrels, read_run, score

RUN = [["qid", "docno", "score", "Titel"], [1, "EP1", 2, "a"], [1, 7, "1,25", None]]
QRELS = [
    ["Judged in 2024"],
    [],
    [None, "Topic ID", "Document", "Relevant?"],
    [None, "1", "EP1", True],
    [None, "\u00a0"],
    [None, "1", "7", False],
]


@pytest.fixture
def workbook(write):
    return lambda **sheets: write(written.workbook(sheets), "book.xlsx")


def test_the_first_sheet_or_the_one_that_is_named_is_read(workbook, write):
    path = workbook(run=RUN, judged=QRELS)
    assert read_run(path) == {"1": {"EP1": 2.0, "7": 1.25}}
    assert read_qrels(path, sheet="judged") == {"1": {"EP1": 1, "7": 0}}
    qrels = write("1 0 EP1 1\n")
    assert score(qrels, path, "AP", sheet="run").height == 1
    with raises(InputError, r"sheet 'x' .* no file is a workbook"):
        read_qrels(qrels, sheet="x")


def test_numbers_in_cells_are_the_same_as_their_text(workbook):
    scores = [0.1, 3e-10, 2e-10, 123456789.1234567, -3]
    rows = [["qid", "docno", "score"], *([20240101, 10**12 + i, s] for i, s in enumerate(scores))]
    docs = read_run(workbook(run=rows))["20240101"]
    assert docs == {str(10**12 + i): score for i, score in enumerate(scores)}


WRONG = {
    "no such sheet": (RUN, {"sheet": "x"}, "there is no sheet 'x'.*run"),
    "no header": (RUN[1:], {}, "no row names .* found 1, EP1, 2, a in row 1: .* values"),
    "several ids in a cell": (
        [RUN[0], [1, "US1111111B2\nUS3333333B1", 2]],
        {},
        r"topic '1', document .*: the document contains a line break",
    ),
    "nothing": ([], {}, "there is no column doc_id; .*first row must name the columns"),
    "no score": ([*RUN, [1, "EP2"]], {}, "topic '1', document 'EP2'.*missing"),
}


@pytest.mark.parametrize(("rows", "options", "said"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_with_a_sheet_is_said(workbook, rows, options, said):
    with raises(InputError, f"book.xlsx: {said}"):
        read_run(workbook(run=rows), **options)


def test_a_damaged_workbook_is_named(workbook):
    with open(path := workbook(run=RUN), "r+b") as file:
        file.truncate(2000)
    with raises(InputError, r"book\.xlsx: cannot be read as a workbook .* save it as"):
        read_run(path)
