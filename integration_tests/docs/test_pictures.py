"""The pictures that the pages show are those that docs/explained_pictures.py draws."""

import re
from pathlib import Path

import pytest

pytest.importorskip("matplotlib", reason="matplotlib is not installed")

import explained_pictures

PROJECT = Path(__file__).parents[2]
DOCS = PROJECT / "docs"
SHOWN = [DOCS / "explained.md", DOCS / "reproduction.md", PROJECT / "README.md"]


def test_each_picture_is_drawn_is_there_and_is_shown():
    drawn = dict(explained_pictures.pictures())
    assert {path.stem for path in explained_pictures.PICTURES.iterdir()} == set(drawn)
    pages = "".join(page.read_text(encoding="utf-8") for page in SHOWN)
    assert set(re.findall(r"explained/([\w-]+)\.png", pages)) == set(drawn)


def test_the_sweep_is_of_the_systems_that_the_page_makes():
    figure = dict(explained_pictures.pictures())["sweep"]
    curves = {line.get_label() for line in figure.axes[0].lines}
    assert set(explained_pictures.made_on_the_page("sweep")["runs"]) <= curves
