"""What docs/site/build.py makes of the pages, before a generator sees them."""

import importlib.util
import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
SITE = ROOT / "docs" / "site"

spec = importlib.util.spec_from_file_location("site_build", SITE / "build.py")
build = importlib.util.module_from_spec(spec)
spec.loader.exec_module(build)

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="


@pytest.fixture(scope="module")
def pages():
    """All files of the site before the generator runs."""
    made = build.Pages()
    made.add_all()
    return made.files


def linked(text, page="how-to/large-data.md"):
    made = build.Pages()
    made.add_page(page, text)
    text = made.files.pop(page).decode().partition("---\n\n")[2]
    return text, made.files


def test_links_to_notebooks_lead_to_their_pages():
    text, _ = linked(
        "See [this](../notebooks/ranx.ipynb) and [that](../notebooks/ranx.ipynb#files)."
    )
    assert text == "See [this](../notebooks/ranx.md) and [that](../notebooks/ranx.md#files)."


def test_links_in_other_notations_are_adapted_too():
    text, _ = linked('[a]: ../notebooks/ranx.ipynb\n\n<a href="../notebooks/ranx.ipynb">b</a>')
    assert text == '[a]: ../notebooks/ranx.md\n\n<a href="../notebooks/ranx.md">b</a>'


def test_code_is_left_alone():
    fence = "```text\n[a](../notebooks/ranx.ipynb)\n```"
    assert linked(fence)[0] == fence


@pytest.mark.parametrize(
    "link", ["https://example.org/a.ipynb", "#part", "start.md", "../missing.ipynb", "/x.ipynb"]
)
def test_other_links_are_left_alone(link):
    assert linked(f"[a]({link})")[0] == f"[a]({link})"


@pytest.mark.parametrize(
    ("link", "copied"),
    [
        ("../examples/patents.py", "examples/patents.py"),
        ("../../LICENSE", "files/LICENSE"),
        ("../../tests/conftest.py", "files/tests/conftest.py"),
    ],
)
def test_a_file_that_a_page_links_to_is_on_the_site(link, copied):
    source = ROOT / "docs" / "how-to" / link
    text, files = linked(f"[a]({link})")
    assert text == f"[a](../{copied})"
    assert files == {copied: source.read_bytes()}


def test_files_that_became_pages_are_linked_as_pages():
    assert linked("[a](../../CHANGELOG.md)")[0] == "[a](../changelog.md)"
    assert linked("[a](../../README.md)")[0] == "[a](../index.md)"


def test_the_changelog_is_on_its_page_once(pages):
    page = pages["changelog.md"].decode()
    versions = re.findall(r"^## .*", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert versions
    assert [*re.findall(r"^## .*", page, re.MULTILINE)] == versions
    assert page.count("\n# ") == 1
    assert not re.search(r"\]\(docs/", page)


def test_every_page_names_its_source(pages):
    for name, text in pages.items():
        if name.endswith(".md"):
            source = re.search(r"^edited_at: (.*)$", text.decode(), re.MULTILINE)[1]
            assert (ROOT / source).is_file()


def test_the_gallery_shows_the_pictures_of_notebooks(pages):
    gallery = pages["gallery.md"].decode()
    pictures = [name for name in pages if re.match(r"notebooks/.*\.png", name)]
    assert len(pictures) >= 15
    for name in pictures:
        assert gallery.count(f"]({name})") == 2, name  # the thumbnail, and its link
    assert len(re.findall(r"run_notebooks\.py docs/notebooks/\w", gallery)) == len(pictures)


def test_every_notebook_is_a_page_and_a_file(pages):
    for notebook in (ROOT / "docs" / "notebooks").glob("*.ipynb"):
        page = pages[f"notebooks/{notebook.stem}.md"].decode()
        description = json.loads(re.search(r"^description: (.*)$", page, re.MULTILINE)[1])
        assert 50 <= len(description) <= 160
        assert f"]({notebook.name})" in page
        assert pages[f"notebooks/{notebook.name}"] == notebook.read_bytes()
        for picture in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page):
            assert f"notebooks/{picture}" in pages


def notebook(tmp_path, *cells):
    path = tmp_path / "some.ipynb"
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    return build.notebook_page(path)


def markdown(text, **metadata):
    return {"cell_type": "markdown", "source": text, "metadata": metadata}


def code(source, *outputs, **metadata):
    return {"cell_type": "code", "source": source, "outputs": outputs, "metadata": metadata}


def result(**data):
    kinds = {kind.replace("_", "/"): value for kind, value in data.items()}
    return {"output_type": "execute_result", "data": kinds}


def test_a_notebook_keeps_its_text_code_and_output(tmp_path):
    text, pictures, _ = notebook(
        tmp_path,
        markdown("# Title\n\nText."),
        code("print(1)", {"output_type": "stream", "name": "stdout", "text": ["1\n", "2\n"]}),
    )
    assert pictures == {}
    shown = "```{ .text .output }\n1\n2\n```\n"
    assert text == f"# Title\n\nText.\n\n```python\nprint(1)\n```\n\n{shown}"


def test_a_table_takes_the_look_of_the_site(tmp_path):
    table = '<style>x</style>\n<table border="1" class="dataframe">\n\n<tr><td>a</td></tr></table>'
    text, _, _ = notebook(
        tmp_path, markdown("# T"), code("t", result(text_html=table, text_plain="a"))
    )
    assert '<div class="output">\n<table>\n<tr><td>a</td></tr></table></div>' in text


def test_a_picture_is_a_file_with_a_text(tmp_path):
    text, pictures, _ = notebook(
        tmp_path,
        markdown("# T"),
        markdown("## Scores"),
        code("draw()", result(image_png=PNG)),
        code("draw()", result(image_png=PNG), alt="Two curves"),
    )
    assert "![The picture drawn by this code: Scores](some/3-1.png)" in text
    assert "![Two curves](some/4-1.png)" in text
    assert all(data.startswith(b"\x89PNG") for data in pictures.values())
    assert set(pictures) == {"some/3-1.png", "some/4-1.png"}


def test_what_cannot_be_shown_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"some\.ipynb, cell 2: cannot show display_data"):
        notebook(
            tmp_path,
            markdown("# T"),
            code("v", {"output_type": "display_data", "data": {"video/mp4": ""}}),
        )


@pytest.mark.parametrize(
    ("cell", "description"),
    [
        (
            markdown(
                "# T\n\nThis compares [seven](x.md) `runs`\nof thirty topics. It needs:\n\nMore."
            ),
            "This compares seven runs of thirty topics. It needs",
        ),
        (markdown("# T\n\nText.", description="Written for it."), "Written for it."),
    ],
)
def test_a_notebook_is_described_by_its_first_sentences(tmp_path, cell, description):
    assert notebook(tmp_path, cell)[2] == description


def test_a_long_sentence_is_cut_between_words(tmp_path):
    description = notebook(tmp_path, markdown("# T\n\n" + "word " * 60 + "end."))[2]
    assert description.endswith("word …")
    assert 100 < len(description) <= 155


def test_the_styles_of_formulas_need_only_files_that_are_there(pages):
    css = pages["site/katex/katex.min.css"].decode()
    files = re.findall(r"url\(([^)]+)\)", css)
    assert sum(file.startswith("data:font/woff2") for file in files) > 10
    assert all(f"site/katex/{f}" in pages for f in files if not f.startswith("data:"))


def test_scripts_and_styles_that_pages_load_are_there(pages):
    listed = re.findall(r"site/[\w./-]+\.(?:js|css|svg)", (SITE / "mkdocs.yml").read_text("utf-8"))
    assert len(listed) > 5
    assert all(name in pages for name in listed)


def test_preparing_again_changes_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(build, "BUILD", tmp_path)
    build.prepare()
    (tmp_path / "pages" / "old" / "x.md").parent.mkdir()
    (tmp_path / "pages" / "old" / "x.md").write_text("old", encoding="utf-8")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.*") if path.is_file()}
    build.prepare()
    after = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.*") if path.is_file()}
    assert before.items() - after.items() == {
        (path, time) for path, time in before.items() if path.parent.name == "old"
    }
    assert not (tmp_path / "pages" / "old").exists()
