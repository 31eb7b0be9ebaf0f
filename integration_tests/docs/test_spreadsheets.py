"""The page on spreadsheets quotes the messages that its examples of wrong workbooks cause."""

import re
from pathlib import Path

import pytest

pytest.importorskip("fastexcel", reason="workbooks cannot be read")

import xlsxwriter

from pres_plugin.cli.app import run_command
from pres_plugin.cli.commands.score import score

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "how-to" / "from-a-spreadsheet.md").read_text(encoding="utf-8")

RESULTS = "run,query_id,rank,doc_id\nkeywords,INV-1,1,EP1927572\nkeywords,INV-1,2,EP1440666\n"
JUDGED = "query_id,doc_id,relevance\nINV-1,EP1927572,1\n"

WRONG = {
    "no file": {"file": None},
    "old workbook": {"file": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"},
    "no sheet": {"sheet": "Judged"},
    "other names": {
        "results": RESULTS.replace("query_id", "Invention").replace("doc_id", "Patent")
    },
    "a word": {"judged": JUDGED.replace(",1\n", ",perhaps\n")},
    "another name of the runs": {
        "results": "Tool,query_id,rank,doc_id\nkeywords,INV-1,1,EP1927572\n"
        "similarity,INV-1,2,EP1927572\n"
    },
    "blanks": {"results": RESULTS.replace("EP1927572", "EP1927572 ")},
    "other topics": {"results": RESULTS.replace("INV-1", "INV-01")},
    "a document twice": {"results": RESULTS.replace("EP1440666", "EP1927572")},
}

QUOTED = re.findall(r"```text\n(pres-eval: .*)\n```", PAGE)


def write_workbook(**sheets):
    """Write a workbook with these sheets, in which numbers are numbers."""
    with xlsxwriter.Workbook("searches.xlsx", {"strings_to_numbers": True}) as workbook:
        for name, text in sheets.items():
            sheet = workbook.add_worksheet(name)
            for number, line in enumerate(text.splitlines()):
                sheet.write_row(number, 0, line.split(","))


@pytest.fixture
def printed(tmp_path, monkeypatch, capsys):
    """What the command prints on standard output and standard error about a workbook."""
    monkeypatch.chdir(tmp_path)

    def score_workbook(results=RESULTS, judged=JUDGED, sheet="judged", file=b""):
        if file:
            Path("searches.xlsx").write_bytes(file)
        elif file is not None:
            write_workbook(results=results, judged=judged)
        arguments = ["-m", "PRES@2", "--qrels-sheet", sheet, "searches.xlsx", "searches.xlsx"]
        run_command(score, "pres-eval score", arguments)
        return capsys.readouterr()

    return score_workbook


@pytest.mark.parametrize("files", WRONG.values(), ids=WRONG)
def test_the_page_quotes_the_message(printed, files):
    assert printed(**files).err.rstrip("\n") in QUOTED


def test_all_messages_are_tested():
    assert len(QUOTED) == len(WRONG)
