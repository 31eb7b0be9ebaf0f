"""The reference on the site, as .ci/run has built it: docstrings have links instead of markup."""

import re
from pathlib import Path

import pytest

REFERENCE = Path(__file__).parent.parent.parent / "build" / "site" / "reference"
PAGES = sorted(page.name for page in REFERENCE.glob("*.html"))

pytestmark = pytest.mark.skipif(not PAGES, reason="the site has not been built")


@pytest.mark.parametrize("page", PAGES)
def test_docstrings_have_no_markup_left(page):
    text = (REFERENCE / page).read_text(encoding="utf-8")
    markup = r":(?:attr|class|data|func|meth|mod):|\[\d+\]_|\.\. \[\d"
    assert re.findall(markup, text) == []


@pytest.mark.parametrize("page", PAGES)
def test_citations_link_to_references_on_the_page(page):
    text = (REFERENCE / page).read_text(encoding="utf-8")
    references = re.findall(r' id="([^"]+-reference-\d+)"', text)
    assert len(set(references)) == len(references)
    assert set(re.findall(r'href="#([^"]+-reference-\d+)"', text)) == set(references)


def test_functions_under_see_also_are_links():
    text = (REFERENCE / "ranks.html").read_text(encoding="utf-8")
    listed = re.findall(r"<summary>See Also</summary>\s*<ul>(.*?)</ul>", text, flags=re.DOTALL)
    assert len(listed) >= 5
    for entry in re.findall(r"<li>(.*?)</li>", "".join(listed)):
        assert re.match(r'<a class="autorefs[^>]* href="#pres_plugin\.\w+"><code>', entry)
