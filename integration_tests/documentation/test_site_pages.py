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


def test_a_notebook_becomes_a_page_with_its_outputs_and_a_description(tmp_path):
    table = '<style>x</style>\n<table border="1" class="dataframe">\n\n<tr><td>a</td></tr></table>'
    outputs = [
        {"output_type": "display_data", "data": data}
        for data in ({"text/plain": "1\n"}, {"text/html": table}, {"image/png": PNG})
    ]
    text = "# T\n\nIt compares [seven](x.md) `runs`\nof thirty topics in a table."
    cells = [
        {"cell_type": "markdown", "source": text, "metadata": {}},
        {
            "cell_type": "code",
            "source": "show()",
            "outputs": outputs,
            "metadata": {"alt": "Curves"},
        },
    ]
    (tmp_path / "some.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")
    text, pictures, description = build.notebook_page(tmp_path / "some.ipynb")
    for shown in (
        "```python\nshow()\n```",
        "```{ .text .output }\n1\n```",
        '<div class="output">\n<table>\n<tr><td>a</td></tr></table></div>',
        f"![Curves]({next(iter(pictures))})",
    ):
        assert f"\n\n{shown}\n" in text
    assert description == "It compares seven runs of thirty topics in a table."
    assert [picture[:4] for picture in pictures.values()] == [b"\x89PNG"]


def test_the_site_contains_what_its_pages_load():
    made = build.Pages()
    made.add_all()
    settings = (ROOT / "docs" / "site" / "mkdocs.yml").read_text(encoding="utf-8")
    loaded = re.findall(r"site/[\w./-]+\.(?:js|css|svg)", settings)
    assert len(loaded) > 5
    assert set(loaded) <= made.files.keys()
