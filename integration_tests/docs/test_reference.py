"""The reference on the site, as it was built last: docstrings have links instead of markup."""

import re
from pathlib import Path

import pytest

REFERENCE = Path(__file__).parents[2] / "build" / "site" / "reference"
PAGES = sorted(REFERENCE.glob("*.html"))


@pytest.mark.skipif(not PAGES, reason="the site has not been built")
def test_docstrings_have_no_markup_left():
    texts = {page.name: page.read_text(encoding="utf-8") for page in PAGES}
    markup = r":(?:attr|class|data|func|meth|mod):|\[\d+\]_|\.\. \[\d"
    assert {
        name: re.findall(markup, text) for name, text in texts.items() if re.search(markup, text)
    } == {}
    assert re.search(r"<summary>See Also</summary>\s*<ul>\s*<li><a ", texts["python.html"])
