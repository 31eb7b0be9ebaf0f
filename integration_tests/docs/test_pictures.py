"""The pictures that the pages show are those that docs/explained_pictures.py draws."""

import importlib.util
import re
from pathlib import Path

import pytest

pytest.importorskip("matplotlib", reason="matplotlib is not installed")

PROJECT = Path(__file__).parents[2]
DOCS = PROJECT / "docs"
SHOWN = [DOCS / "explained.md", DOCS / "reproduction.md", PROJECT / "README.md"]


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("pictures", DOCS / "explained_pictures.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_each_picture_is_drawn_is_there_and_is_shown(script):
    drawn = dict(script.pictures())
    assert {path.stem for path in script.PICTURES.iterdir()} == set(drawn)
    pages = "".join(page.read_text(encoding="utf-8") for page in SHOWN)
    assert set(re.findall(r"explained/([\w-]+)\.png", pages)) == set(drawn)


def test_the_sweep_is_of_the_systems_that_the_page_makes(script):
    figure = dict(script.pictures())["sweep"]
    curves = {line.get_label() for line in figure.axes[0].lines}
    assert set(script.made_on_the_page("sweep")["runs"]) <= curves
