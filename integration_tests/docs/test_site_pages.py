"""What docs/site/build.py makes of the pages, before a generator sees them."""

import importlib.util
import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

spec = importlib.util.spec_from_file_location("site_build", ROOT / "docs" / "site" / "build.py")
build = importlib.util.module_from_spec(spec)
spec.loader.exec_module(build)

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="


@pytest.mark.parametrize(
    ("link", "on_the_site"),
    [
        ("../notebooks/ranx.ipynb#files", "../notebooks/ranx.md#files"),
        ("../../CHANGELOG.md", "../changelog.md"),
        ("../../README.md", "../index.md"),
        ("../examples/patents.py", "../examples/patents.py"),
        ("../../LICENSE", "../files/LICENSE"),
        ("https://example.org/a.ipynb", "https://example.org/a.ipynb"),
    ],
)
def test_links_lead_to_what_is_on_the_site(link, on_the_site):
    made = build.Pages()
    made.add_page(
        "how-to/screening.md", f'[a]({link})\n\n<a href="{link}">b</a>\n\n```text\n[a]({link})\n```'
    )
    text = made.files.pop("how-to/screening.md").decode().partition("---\n\n")[2]
    assert (
        text == f'[a]({on_the_site})\n\n<a href="{on_the_site}">b</a>\n\n```text\n[a]({link})\n```'
    )
    copied = on_the_site.removeprefix("../")
    assert made.files.keys() <= {copied}
    for data in made.files.values():
        assert data == (ROOT / "docs" / "how-to" / link).read_bytes()


def notebook(folder, **data):
    """Return the page of a notebook with one output."""
    output = {
        "output_type": "display_data",
        "data": {k.replace("_", "/"): v for k, v in data.items()},
    }
    text = "# T\n\nIt compares [seven](x.md) `runs`\nof thirty topics in a table."
    code = {"source": "show()", "outputs": [output], "metadata": {"alt": "Curves"}}
    cells = [
        {"cell_type": "markdown", "source": text, "metadata": {}},
        {"cell_type": "code", **code},
    ]
    (folder / "some.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")
    return build.notebook_page(folder / "some.ipynb")


def test_a_notebook_becomes_a_page_with_its_outputs_and_a_description(tmp_path):
    table = '<style>x</style>\n<table border="1" class="dataframe">\n\n<tr><td>a</td></tr></table>'
    for data, shown in (
        ({"text_plain": "1\n"}, "```{ .text .output }\n1\n```"),
        ({"text_html": table}, '<div class="output">\n<table>\n<tr><td>a</td></tr></table></div>'),
        ({"image_png": PNG}, "![Curves](some/2-1.png)"),
    ):
        text, pictures, description = notebook(tmp_path, **data)
        assert text.endswith(f"\n\n```python\nshow()\n```\n\n{shown}\n")
        assert description == "It compares seven runs of thirty topics in a table."
    assert pictures["some/2-1.png"].startswith(b"\x89PNG")


def test_an_output_that_cannot_be_shown_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"some\.ipynb, cell 2: cannot show display_data"):
        notebook(tmp_path, video_mp4="")


def test_the_site_contains_the_changelog_the_notebooks_and_what_its_pages_load():
    made = build.Pages()
    made.add_all()
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## .*", changes, re.MULTILINE)[0]
    assert made.files["changelog.md"].decode().count(newest) == 1
    assert {
        f"notebooks/{p.stem}.md" for p in ROOT.glob("docs/notebooks/*.ipynb")
    } <= made.files.keys()
    settings = (ROOT / "docs" / "site" / "mkdocs.yml").read_text(encoding="utf-8")
    loaded = re.findall(r"site/[\w./-]+\.(?:js|css|svg)", settings)
    assert len(loaded) > 5
    assert set(loaded) <= made.files.keys()
