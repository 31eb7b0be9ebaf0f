"""What scripts make for the documentation is what the scripts make now, and so are its pictures."""

import csv
import gzip
import re
from pathlib import Path

import benchmark_picture
import explained_pictures
import make_vectors
import measure_pictures
import measure_tables
import patents
import pytest
import random_ranking
import spreadsheet
from marked_parts import with_parts

DOCS = Path(__file__).parents[2] / "docs"

PARTS = {
    **measure_tables.tables(),
    "benchmarks.md": {"compared": benchmark_picture.compared()},
}


@pytest.mark.parametrize(("name", "made"), PARTS.items())
def test_the_tables_of_a_page_are_up_to_date(name, made):
    page = (DOCS / name).read_text(encoding="utf-8")
    assert with_parts(page, made) == page


def test_the_table_of_published_systems_is_up_to_date(clef_tar, papers):
    page = (DOCS / "which-measure.md").read_text(encoding="utf-8")
    made = {"published": random_ranking.published_table(papers.parent)}
    assert with_parts(page, made) == page


@pytest.mark.release
def test_the_tables_and_pictures_of_systematic_reviews_are_up_to_date(clef_tar):
    import systematic_reviews

    study = systematic_reviews.Study(clef_tar)
    page = systematic_reviews.PAGE.read_text(encoding="utf-8")
    assert with_parts(page, study.tables()) == page
    drawn = {name for name, _ in study.pictures()}
    assert drawn == {path.stem for path in systematic_reviews.PICTURES.iterdir()}


def contents(folder):
    """Return the content of each file, decompressed."""
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    return {
        name: (gzip.decompress(data) if name.endswith(".gz") else data).decode()
        for name, data in files.items()
    }


def test_the_test_vectors_are_up_to_date():
    assert make_vectors.files().items() <= contents(DOCS / "vectors").items()


def test_the_made_up_patent_runs_are_up_to_date():
    made = {name: "".join(lines) for name, lines in patents.files().items()}
    assert contents(DOCS / "examples" / "patents") == made


def test_the_spreadsheets_are_up_to_date():
    stored = contents(DOCS / "examples" / "spreadsheet")
    rows = {name: list(csv.reader(text.splitlines())) for name, text in stored.items()}
    made = spreadsheet.tables()
    assert rows == {name: [[*map(str, row)] for row in table] for name, table in made.items()}


def test_the_page_on_spreadsheets_quotes_the_report():
    page = (DOCS / "how-to" / "from-a-spreadsheet.md").read_text(encoding="utf-8")
    quoted = re.findall(r"^- \*(.*?)\*$", page, flags=re.MULTILINE | re.DOTALL)
    assert {" ".join(each.split()) for each in quoted} < {*spreadsheet.comparison().sentences()}


def test_each_picture_is_drawn_by_its_script():
    drawn = {
        "benchmarks": {name for name, _ in benchmark_picture.pictures()},
        "explained": {name for name, _ in explained_pictures.pictures()},
        "reference/measures": {name for name, draw in measure_pictures.DRAWN.items() if draw()},
        "which-measure": {name for name, _ in random_ranking.pictures()},
    }
    stored = {folder: {path.stem for path in (DOCS / folder).glob("*.png")} for folder in drawn}
    assert drawn == stored


def test_the_pictures_of_table_4_are_drawn_by_their_script(papers):
    drawn = explained_pictures.pictures_of_table_4(papers / "table4-clef-ip-2009.tsv")
    stored = {path.stem for path in explained_pictures.PICTURES_OF_TABLE_4.iterdir()}
    assert {name for name, _ in drawn} == stored
