"""Spreadsheets as people save them: each is scored right, or refused with the one thing to change.

The files in the folder ``spreadsheets`` were saved by LibreOffice 26.8 and Gnumeric 1.12, from a
workbook with the judgements below. The others are what Excel, Google Sheets and Numbers write.
"""

import csv
import io
from datetime import datetime
from pathlib import Path

import pytest
from command import pres_eval
from repetitions import every
from written import workbook as sheets_of

FOLDER = Path(__file__).with_name("spreadsheets")

HEADER = ["Topic", "Publication Number", "Relevant?"]
JUDGED = [["A", "7257313", "yes"], ["A", "EP1000001", "no"], ["B", "EP1000002", "yes"]]
TABLE = [HEADER, *JUDGED]
RESULTS = [
    ["Tool", "Query", "Rank", "Publication No."],
    *(["words", *row] for row in (["A", 1, "7257313"], ["B", 1, "EP9"], ["B", 2, "EP1000002"])),
    *(["image", *row] for row in (["A", 1, "EP8"], ["A", 2, "7257313"], ["B", 1, "EP9"])),
]
#: PRES@2 by its definition. A relevant document at rank 2 instead of 1 costs 1/2 of a topic.
SCORES = {"words": (1 + 0.5) / 2, "image": (0.5 + 0) / 2}


def text(rows, separator=",", encoding="utf-8", line_break="\r\n"):
    """Return what programs save as CSV: only what has to be quoted is quoted."""
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=separator, lineterminator=line_break).writerows(rows)
    return file.getvalue().encode(encoding)


def saved(name):
    return (FOLDER / name).read_bytes()


def workbook(*sheets, change=None):
    return sheets_of({f"Sheet{i}": rows for i, rows in enumerate(sheets, 1)}, change)


def words(yes, no):
    """Return the judgements in other words."""
    return [HEADER, *([*ids, yes if word == "yes" else no] for *ids, word in JUDGED)]


def noted(note):
    """Return the judgements with a column that is ignored."""
    return [[*row, note] for row in TABLE]


def with_number(value):
    """Return the judgements with another cell in place of the number of the first document."""
    return [HEADER, ["A", value, "yes"], *JUDGED[1:]]


def shifted(rows):
    """Return a table that begins at B3."""
    return [[], [], *([None, *row] for row in rows)]


def hide_rows(_, sheet):
    sheet.autofilter(0, 0, 3, 2)
    sheet.filter_column(2, "x == yes")
    sheet.set_row(2, None, None, {"hidden": True})


def merge_topics(_, sheet):
    sheet.merge_range(1, 0, 2, 0, "A")


def date(book, sheet):
    sheet.write_datetime(1, 1, datetime(2024, 3, 1), book.add_format({"num_format": "mmm-yy"}))


def formulas(_, sheet):
    for row in range(1, 4):
        sheet.write_formula(row, 0, f'=TRIM("{TABLE[row][0]}")', value="")


NUMBER = [HEADER, ["A", 7257313, True], ["A", "EP1000001", False], ["B", "EP1000002", True]]
GERMAN = words("ja", "nein")
NUMBERS = [
    [
        ["This document was exported from Numbers. Each table is a worksheet."],
        ["Numbers Sheet Name", "Numbers Table Name", "Excel Worksheet Name"],
        ["Sheet 1", "Table 1", "Sheet2"],
    ],
    TABLE,
]
MERGED = [HEADER, JUDGED[0], [None, *JUDGED[1][1:]], JUDGED[2]]
OTHER_NAMES = [["Erfindung", "Veröff.-Nr.", "Urteil"], *JUDGED]
GIVEN = ["query_id=Erfindung", "doc_id=Veröff.-Nr.", "relevance=Urteil"]

#: The program and what is special, the judgements, and the words of the refusal if there is one.
SPREADSHEETS = {
    "Excel, CSV UTF-8": (text(noted("é"), encoding="utf-8-sig"), None),
    "Excel, CSV with notes in cp1252": (text(noted("Müller"), encoding="cp1252"), None),
    "Excel, CSV (Macintosh)": (text(noted("Müller"), ",", "mac_roman", "\r"), None),
    "Excel, Unicode Text": (text(noted("é"), "\t", "utf-16"), None),
    "Excel in German, CSV": (text(words("WAHR", "FALSCH"), ";", "cp1252"), None),
    "Excel in German, a shortened id": (text(with_number("7,26E+06"), ";"), "format the column"),
    "Excel, CSV with empty rows": (text([*TABLE[:2], [""] * 3, *TABLE[2:], [""] * 3]), None),
    "Excel, CSV from B3": (text([[""] * 4, [""] * 4, *(["", *row] for row in TABLE)]), None),
    "Excel, CSV with a total": (text([*TABLE, ["Total", "", "2"]]), "delete the row"),
    "Excel, an x for relevant": (text(words("x", "")), '--grades "x=…"'),
    "Excel, a row without a document": (text([*TABLE, ["B", "", "no"]]), "document is empty"),
    "Excel, a blank after an id": (text(with_number("7257313 ")), "remove it"),
    "Excel, workbook": (workbook(NUMBER), None),
    "Excel, workbook from B3": (workbook(shifted(NUMBER)), None),
    "Excel, workbook with empty rows": (workbook([*NUMBER[:2], [], *NUMBER[2:], ["\u00a0"]]), None),
    "Excel, filtered and hidden rows": (workbook(TABLE, change=hide_rows), None),
    "Excel, merged cells": (
        workbook(MERGED, change=merge_topics),
        "the topic is empty; fill it in",
    ),
    "Excel, a date in place of an id": (workbook(TABLE, change=date), "format the column as text"),
    "openpyxl, formulas not computed": (workbook(TABLE, change=formulas), "topic is empty"),
    "Excel, another sheet first": (workbook([["Notes"]], TABLE), "choose another one: Sheet2"),
    "Excel, other names": (workbook(OTHER_NAMES), '--columns query_id="NAME" doc_id='),
    "Excel, two columns of topics": (
        workbook([[*HEADER, "Query"], *([*row, "words"] for row in JUDGED)]),
        '(--columns query_id="Topic")',
    ),
    "Excel, a password": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(3000), "without a password"),
    "LibreOffice, .ods": (saved("libreoffice.ods"), None),
    "LibreOffice, .xls": (saved("libreoffice.xls"), None),
    "LibreOffice, CSV": (saved("libreoffice.csv"), None),
    "LibreOffice, CSV with semicolons": (saved("libreoffice-semicolons.csv"), None),
    "LibreOffice, HTML": (saved("libreoffice.html"), "save it as .xlsx"),
    "Gnumeric, .xlsx": (saved("gnumeric.xlsx"), None),
    "Gnumeric in German, CSV": (saved("gnumeric-german.csv"), None),
    "Gnumeric, .ods": (saved("gnumeric.ods"), "save it as .xlsx"),
    "Gnumeric, .gnumeric": (saved("gnumeric.gnumeric"), "save it as .xlsx"),
    "Google Sheets, CSV": (text(words("TRUE", "FALSE")), None),
    "Numbers, exported to Excel": (workbook(*NUMBERS), "choose another one: Sheet2"),
}
#: The same with options that the user adds.
WITH_OPTIONS = {
    "Excel, other names": ([f"--columns={each}" for each in GIVEN], workbook(OTHER_NAMES)),
    "Numbers, exported to Excel": (["--qrels-sheet", "Sheet2"], workbook(*NUMBERS)),
}


def command(folder, subcommand, *options):
    files = ("--columns", "run=Tool", "-m", "PRES@2", "judged", "results")
    return pres_eval(subcommand, *options, *files, cwd=folder)


def check_scores(folder, *options):
    lines = command(folder, "score", "-f", "tsv", *options).stdout.splitlines()[1:]
    found = {name: float(value) for name, _, value in map(str.split, lines)}
    assert found == SCORES
    assert command(folder, "compare", "--out", "report", *options).returncode == 0
    assert (folder / "report" / "report.html").exists()


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "results").write_bytes(text(RESULTS))
    return tmp_path


@pytest.mark.parametrize("name", every(8, SPREADSHEETS, pytest.mark.ci))
def test_judgements_are_read_or_refused(folder, name):
    judged, refusal = SPREADSHEETS[name]
    (folder / "judged").write_bytes(judged)
    if refusal is None:
        check_scores(folder)
        return
    for subcommand, *options in (["score"], ["compare", "--out", "report"]):
        result = command(folder, subcommand, *options)
        assert (result.returncode, result.stdout) == (2, "")
        assert refusal in result.stderr
    assert not (folder / "report").exists()


@pytest.mark.parametrize(("options", "judged"), WITH_OPTIONS.values(), ids=WITH_OPTIONS)
def test_judgements_are_read_with_options(folder, options, judged):
    (folder / "judged").write_bytes(judged)
    check_scores(folder, *options)
