"""The made-up examples are what their scripts make."""

import csv
import gzip
from pathlib import Path

import patents
import spreadsheet

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def test_the_script_makes_the_files_that_are_there():
    folder = EXAMPLES / "patents"
    found = {}
    for path in folder.iterdir():
        data = path.read_bytes()
        found[path.name] = gzip.decompress(data) if path.suffix == ".gz" else data
    assert found == {name: "".join(lines).encode() for name, lines in patents.files().items()}


def test_the_script_makes_the_spreadsheets_that_are_there():
    folder = EXAMPLES / "spreadsheet"
    found = {}
    for path in folder.iterdir():
        with open(path, newline="", encoding="utf-8") as file:
            found[path.name] = list(csv.reader(file))
    made = spreadsheet.tables()
    assert found == {name: [[*map(str, row)] for row in rows] for name, rows in made.items()}
