"""docs/gallery.md: it contains every picture in docs, and the commands that it names exist."""

import re
import shlex
from pathlib import Path

import gallery
import pytest

PROJECT = Path(__file__).parents[2]
TEXT = gallery.PAGE.read_text(encoding="utf-8")


def test_the_page_is_what_the_script_writes():
    part = re.search(r"<!-- pictures: all -->\n\n(.*)\n\n<!-- end -->", TEXT, re.DOTALL)[1]
    assert part == gallery.cards(), "run python docs/gallery.py"


def test_each_picture_in_docs_is_in_the_gallery_once():
    thumbnails = re.findall(r"^-   \[!\[.+\]\((.+)\)\{ width=\"\d+\" \}\]\((.+)\)$", TEXT, re.M)
    assert sorted(thumbnails) == [(path, path) for path in gallery.files()]


@pytest.mark.parametrize("script", sorted({*re.findall(r"^    Drawn by `(.+)`$", TEXT, re.M)}))
def test_a_script_exists(script):
    python, path, *_ = shlex.split(script)
    assert python == "python"
    assert (PROJECT / path).is_file()


@pytest.mark.parametrize(
    "command", sorted({*re.findall(r"^    From your files: `(.+)`$", TEXT, re.M)})
)
def test_a_command_and_its_options_exist(command):
    click = pytest.importorskip("click", reason="the command line is not installed")
    from pres_plugin.cli.app import pres_eval

    program, name, *arguments = shlex.split(command)
    assert program == "pres-eval"
    found = pres_eval.get_command(click.Context(pres_eval), name)
    options = {option for parameter in found.params for option in parameter.opts}
    assert {argument for argument in arguments if argument.startswith("--")} <= options


@pytest.fixture
def docs(tmp_path, monkeypatch):
    """A folder of documentation with a picture that a page shows."""
    monkeypatch.setattr(gallery, "DOCS", tmp_path)
    monkeypatch.setattr(gallery, "PAGE", tmp_path / "gallery.md")
    for folder in ("site", "explained", "new"):
        (tmp_path / folder).mkdir()
    (tmp_path / "site" / "mkdocs.yml").write_text(
        "nav:\n  - B: b.md\n  - A: explained/a.md\n", encoding="utf-8"
    )
    (tmp_path / "explained" / "one.png").touch()
    (tmp_path / "explained" / "a.md").write_text(
        "# A\n\n![What it shows](one.png)\n", encoding="utf-8"
    )
    (tmp_path / "b.md").write_text("# B\n\n![The same](explained/one.png)\n", encoding="utf-8")
    return tmp_path


def test_the_page_of_a_pictures_own_folder_explains_it(docs):
    (found,) = gallery.pictures()
    assert (found.page.title, found.caption) == ("A", "What it shows")


def test_pictures_are_in_the_order_of_the_navigation(docs):
    (docs / "explained" / "two.svg").touch()
    (docs / "b.md").write_text('# B\n\n<img src="explained/two.svg" alt="Two">\n', encoding="utf-8")
    assert [found.path for found in gallery.pictures()] == [
        "explained/two.svg",
        "explained/one.png",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "docs/new/three.png: no page shows this picture"),
        ("![](new/three.png)", "docs/new/three.png: add an alternative text in docs/b.md"),
        ("![Three](new/three.png)", "docs/new/three.png: add its folder to FOLDERS"),
    ],
)
def test_a_picture_that_the_gallery_cannot_describe_is_named(docs, text, message):
    (docs / "new" / "three.png").touch()
    (docs / "b.md").write_text(f"# B\n\n{text}\n", encoding="utf-8")
    with pytest.raises(gallery.GalleryError, match=re.escape(message)):
        gallery.cards()
