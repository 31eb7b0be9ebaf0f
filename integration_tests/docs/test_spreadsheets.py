"""The page on spreadsheets quotes the messages that its examples of wrong files cause."""

import io
import re
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("polars", reason="the command line is not installed")


from pres_plugin.cli.app import run_command
from pres_plugin.cli.commands.score import score

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "how-to" / "from-a-spreadsheet.md").read_text(encoding="utf-8")
EXAMPLE = DOCS / "examples" / "spreadsheet"

HEADER = "run,query_id,rank,doc_id\n"
RESULTS = f"{HEADER}keywords,INV-1,1,EP1927572\nkeywords,INV-1,2,EP1440666\n"
JUDGED = "query_id,doc_id,relevance\nINV-1,EP1927572,1\n"


def workbook():
    """Return the beginning of a workbook as Excel saves it."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in ("[Content_Types].xml", "_rels/.rels", "xl/workbook.xml"):
            archive.writestr(name, "")
    return file.getvalue()


WRONG = {
    "no file": {"results": None},
    "workbook": {"results": workbook()},
    "semicolons": {"results": RESULTS.replace(",", ";")},
    "other names": {
        "results": RESULTS.replace("query_id", "Invention").replace("doc_id", "Patent")
    },
    "decimal comma": {"results": 'query_id,score,doc_id\nINV-1,"9,5",EP1927572\n'},
    "a word": {"judged": JUDGED.replace(",1\n", ",yes\n")},
    "empty rows": {"results": f"{RESULTS},,,\n,,,\n"},
    "blanks": {"results": RESULTS.replace("EP1927572", "EP1927572 ")},
    "other encoding": {"results": RESULTS.replace("EP1927572", "Müller").encode("latin-1")},
    "UTF-16": {"results": RESULTS.encode("utf-16")},
    "other topics": {"results": RESULTS.replace("INV-1", "INV-01")},
    "a document twice": {"results": RESULTS.replace("EP1440666", "EP1927572")},
}

QUOTED = re.findall(r"```text\n(pres-eval: .*)\n```", PAGE)


@pytest.fixture
def printed(tmp_path, monkeypatch, capsys):
    """What the command prints on standard output and standard error about two files."""
    monkeypatch.chdir(tmp_path)

    def score_files(results=RESULTS, judged=JUDGED):
        is_workbook = isinstance(results, bytes) and results.startswith(b"PK")
        results_name = "results.xlsx" if is_workbook else "results.csv"
        for name, content in ((results_name, results), ("judged.csv", judged)):
            if content is not None:
                data = content if isinstance(content, bytes) else content.encode()
                Path(name).write_bytes(data)
        arguments = ["-m", "PRES@2", "judged.csv", results_name]
        run_command(score, "pres-eval score", arguments)
        return capsys.readouterr()

    return score_files


@pytest.mark.parametrize("files", WRONG.values(), ids=WRONG)
def test_the_page_quotes_the_message(printed, files):
    assert printed(**files).err.rstrip("\n") in QUOTED


def test_all_messages_are_tested():
    assert len(QUOTED) == len(WRONG)


@pytest.mark.parametrize(
    "results",
    [
        pytest.param(RESULTS.replace(",", "\t"), id="tabs"),
        pytest.param(b"\xef\xbb\xbf" + RESULTS.replace("\n", "\r\n").encode(), id="as Excel"),
    ],
)
def test_what_spreadsheets_save_is_read(printed, results):
    assert printed(results) == printed()


def test_the_page_shows_rows_of_the_example():
    rows = re.findall(r"^\| (?:\w+ \| )?INV-\d .*\|$", PAGE, re.MULTILINE)
    assert len(rows) == 7
    example = {
        tuple(line.split(","))
        for path in EXAMPLE.iterdir()
        for line in path.read_text(encoding="utf-8").splitlines()
    }
    assert {tuple(cell.strip() for cell in row.split("|")[1:-1]) for row in rows} <= example
