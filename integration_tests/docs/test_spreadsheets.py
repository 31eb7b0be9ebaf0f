"""The page on spreadsheets quotes a message and a report, and describes a picture."""

import re
from pathlib import Path

import pytest

pytest.importorskip("fastexcel", reason="workbooks cannot be read")

import spreadsheet
import xlsxwriter

from pres_plugin.cli.app import run_command
from pres_plugin.cli.commands.score import score
from pres_plugin.study.compare.picture import differences

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "how-to" / "from-a-spreadsheet.md").read_text(encoding="utf-8")

SHEETS = {
    "results": [("run", "Invention", "rank", "Patent"), ("keywords", "INV-1", 1, "EP1927572")],
    "judged": [("query_id", "doc_id", "relevance"), ("INV-1", "EP1927572", 1)],
}


def test_the_page_quotes_the_message(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with xlsxwriter.Workbook("searches.xlsx") as workbook:
        for name, rows in SHEETS.items():
            sheet = workbook.add_worksheet(name)
            for number, row in enumerate(rows):
                sheet.write_row(number, 0, row)
    arguments = ["-m", "PRES@2", "--qrels-sheet", "judged", "searches.xlsx", "searches.xlsx"]
    run_command(score, "pres-eval score", arguments)
    quoted = re.findall(r"```text\n(pres-eval: .*)\n```", PAGE)
    assert quoted == [capsys.readouterr().err.rstrip("\n")]


def test_the_page_quotes_the_report_and_describes_its_picture():
    found = spreadsheet.comparison()
    (quoted,) = re.findall(r"^- \*(.*?)\*$", PAGE, flags=re.MULTILINE | re.DOTALL)
    assert " ".join(quoted.split()) == found.sentences()[0]
    (axes,) = differences(found, found.two).axes
    assert axes.get_xlabel() == "PRES@50 of similarity minus that of keywords"
    assert len(axes.patches) == 8
    assert min(bar.get_width() for bar in axes.patches) > 0
