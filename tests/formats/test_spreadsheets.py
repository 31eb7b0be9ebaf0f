"""Files of spreadsheet programs that cannot be read are recognised, and what to save is said."""

import gzip
import io
import re
import zipfile
from pathlib import Path

import pytest
from asreview_files import members, write
from command import pres_eval, refused

from pres_plugin.files import score
from pres_plugin.formats import FileError, read_qrels, read_run
from pres_plugin.formats.recognition import FORMATS
from pres_plugin.study.check.values import read_values

RUN = "run,query_id,rank,doc_id\nmine,q1,1,a\n"
QRELS = "query_id,doc_id,relevance\nq1,a,1\n"


def archive(*names, **content):
    """Return a zip archive with these members, in this order."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as members:
        for name in names:
            kind = zipfile.ZIP_STORED if name == "mimetype" else None
            members.writestr(name, content.get(name, "<x/>"), kind)
    return file.getvalue()


EXCEL = archive("[Content_Types].xml", "_rels/.rels", "xl/workbook.xml", "xl/worksheets/sheet1.xml")
WORKBOOKS = {
    "Excel": EXCEL,
    "openpyxl": archive("docProps/app.xml", "docProps/core.xml", "xl/theme/theme1.xml"),
    "sheets first": archive("xl/worksheets/sheet1.xml", "[Content_Types].xml"),
    "Excel 97": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(1000),
    "compressed": gzip.compress(EXCEL),
}
OPEN_DOCUMENT = archive(
    "mimetype", "content.xml", mimetype="application/vnd.oasis.opendocument.spreadsheet"
)
UTF_16 = {
    "little-endian": b"\xff\xfe" + RUN.replace(",", "\t").encode("utf-16-le"),
    "big-endian": b"\xfe\xff" + RUN.encode("utf-16-be"),
    "a TREC run": b"\xff\xfe" + "q1 Q0 a 1 1 t\n".encode("utf-16-le"),
    "compressed": gzip.compress(b"\xff\xfe" + RUN.encode("utf-16-le")),
}
IN_UTF_16 = "this text is in UTF-16, like Excel's Unicode Text; save it as UTF-8"
WRONG = {
    **{
        name: (data, "this looks like an Excel workbook; save the sheet as CSV UTF-8")
        for name, data in WORKBOOKS.items()
    },
    "OpenDocument": (
        OPEN_DOCUMENT,
        "this looks like an OpenDocument spreadsheet; save the sheet as CSV UTF-8",
    ),
    **{f"UTF-16, {name}": (data, IN_UTF_16) for name, data in UTF_16.items()},
}


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("run").write_text(RUN, encoding="utf-8")
    Path("qrels").write_text(QRELS, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(("data", "said"), WRONG.values(), ids=WRONG)
@pytest.mark.parametrize("name", ["file", "file.csv"])
def test_workbooks_and_utf_16_are_recognised(here, data, said, name):
    Path(name).write_bytes(data)
    for read in (
        lambda: read_run(name),
        lambda: read_qrels(name),
        lambda: score(name, "run", ["PRES@2"]),
        lambda: score("qrels", name, ["PRES@2"]),
        lambda: read_values(name, 2, ["q1"]),
    ):
        with pytest.raises(FileError) as caught:
            read()
        assert str(caught.value) == f"{name}: {said}"


@pytest.mark.parametrize("format", FORMATS)
def test_a_workbook_is_recognised_if_the_format_is_given(here, format):
    Path("file").write_bytes(EXCEL)
    with pytest.raises(FileError, match=r"^file: this looks like an Excel workbook; save"):
        read_run("file", format=format)


@pytest.mark.parametrize(("data", "said"), WRONG.values(), ids=WRONG)
def test_workbooks_and_utf_16_are_recognised_on_standard_input(here, data, said, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(Standard(data))))
    with pytest.raises(FileError) as caught:
        read_run("-")
    assert str(caught.value) == f"standard input: {said}"


class Standard(io.BytesIO):
    """Standard input without a number of the system."""


def test_a_workbook_in_a_folder_of_runs_is_named(here):
    Path("runs").mkdir()
    Path("runs", "mine.xlsx").write_bytes(EXCEL)
    line = refused("score", "qrels", "runs")
    assert line.endswith(
        "mine.xlsx: this looks like an Excel workbook; save the sheet as CSV UTF-8"
    )


def test_a_project_that_contains_a_workbook_is_no_workbook(here):
    project = members([0, 1, 1], [2, 0])
    for content in (
        {**project, "data/data.xlsx": EXCEL},
        {"data/data.xlsx": EXCEL, **project},
    ):
        write("sim.asreview", content, zipfile.ZIP_STORED)
        assert list(*read_run("sim.asreview").values()) == ["2", "0"]


def test_other_documents_of_office_are_no_workbooks(here):
    Path("file").write_bytes(archive("[Content_Types].xml", "_rels/.rels", "word/document.xml"))
    with pytest.raises(FileError, match=r"^file: not an ASReview project: "):
        read_run("file")


def semicolons(table):
    return table.replace(",", ";")


SEMICOLONS = {
    "a header": ("", semicolons),
    "Excel's mark and line breaks": ("\ufeff", lambda t: semicolons(t).replace("\n", "\r\n")),
    "quotes": ("", lambda t: re.sub("([^;\n]+)", r'"\1"', semicolons(t))),
    "decimal commas": ("", lambda t: semicolons(t).replace(";1", ";1,5")),
    "Excel's first line": ("", lambda t: "sep=;\n" + semicolons(t)),
}


@pytest.mark.parametrize(("mark", "changed"), SEMICOLONS.values(), ids=SEMICOLONS)
@pytest.mark.parametrize("name", ["file.txt", "file.csv", "file.csv.gz"])
def test_semicolons_are_named(here, mark, changed, name):
    for table, arguments in ((RUN, ("qrels", name)), (QRELS, (name, "run"))):
        text = changed(table)
        data = (mark + text).encode()
        Path(name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        first = text.splitlines()[0].replace('"', "")
        for measure in ("PRES@2", "nDCG"):  # in pieces, and as dicts
            assert refused("score", *arguments, "-m", measure) == (
                f"{name}, line 1: the columns are separated by semicolons ({first}); save the "
                "file with commas or tabs instead"
            )


def test_semicolons_are_named_in_tables_with_other_columns(here):
    Path("file.csv").write_text("Title;Patent;Score\nA, b;EP1;9,5\n", encoding="utf-8")
    line = refused("score", "qrels", "file.csv")
    assert "are separated by semicolons (Title;Patent;Score); save" in line


def test_semicolons_are_named_on_standard_input(here):
    result = pres_eval("score", "qrels", "-", "-m", "PRES@2", stdin=semicolons(RUN))
    assert "standard input, line 1: the columns are separated by semicolons (run;" in result.stderr


def test_semicolons_within_names_are_read(here):
    Path("file.csv").write_text("a;b;c;d,query_id,doc_id,score\nx,q1,a,1\n", encoding="utf-8")
    assert read_run("file.csv") == {"q1": {"a": 1.0}}


@pytest.mark.parametrize("separator", [",", "\t"])
def test_a_line_for_excel_is_to_be_deleted(here, separator):
    Path("file").write_text(f"sep={separator}\n" + RUN.replace(",", separator), encoding="utf-8")
    with pytest.raises(FileError) as caught:
        read_run("file")
    assert str(caught.value) == (
        f"file, line 1: delete this line ({f'sep={separator}'!r}); the first line must name the "
        "columns"
    )


def test_a_topic_like_a_line_for_excel_is_read(here):
    Path("file").write_text("sep=; Q0 a 1 1 t\n", encoding="utf-8")
    assert read_run("file") == {"sep=;": {"a": 1.0}}
