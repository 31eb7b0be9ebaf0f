"""The site in build/site, as it was built last, in Chromium.

MkDocs reports dead links and anchors itself when it builds the site.
"""

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

ROOT = Path(__file__).parents[2]
SITE = ROOT / "build" / "site"
SETTINGS = (ROOT / "docs" / "site" / "mkdocs.yml").read_text(encoding="utf-8")
#: Old addresses, and the pages that they lead to.
MOVED = dict(re.findall(r"^ {8}(\S+)\.md: (\S+)\.md$", SETTINGS, re.MULTILINE))
NAMES = {path.relative_to(SITE).with_suffix("").as_posix() for path in SITE.rglob("*.html")}
PAGES = sorted(f"{name}.html" for name in NAMES - MOVED.keys() - {"404"})

pytestmark = pytest.mark.skipif(not PAGES, reason="the site has not been built")


def in_chromium(test):
    return pytest.mark.release(pytest.mark.xdist_group("chromium")(test))


def test_docstrings_have_links_instead_of_markup():
    texts = [page.read_text(encoding="utf-8") for page in (SITE / "reference").rglob("*.html")]
    markup = r":(?:attr|class|data|func|meth|mod):|\[\d+\]_|\.\. (?:\[\d|version)"
    assert re.findall(markup, "\n".join(texts)) == []


def test_no_page_is_replaced_by_a_redirect():
    pages = {
        path.relative_to(SITE.with_name("pages")).with_suffix("").as_posix()
        for path in SITE.with_name("pages").rglob("*.md")
    }
    assert len(pages) > 10
    assert MOVED.keys().isdisjoint(pages)


FACTS = """() => ({
  width: document.documentElement.scrollWidth,
  broken: [...document.images].filter((image) => !image.alt || !image.naturalWidth)
    .map((image) => image.src),
  formulas: document.querySelectorAll(".arithmatex").length,
  unset: [...document.querySelectorAll(".arithmatex")]
    .filter((formula) => !formula.querySelector(".katex")).length,
  wrong: [...document.querySelectorAll(".katex-error")].map((error) => error.title),
})"""


@in_chromium
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1400])
def test_every_page_can_be_read_from_disk(open_page, width, theme):
    """`open_page` fails if a page reports an error or loads something from elsewhere."""
    formulas = 0
    tab = open_page((SITE / PAGES[0]).as_uri(), width=width, color_scheme=theme)
    for page in PAGES:
        tab.goto((SITE / page).as_uri())
        tab.wait_for_function("!document.querySelector('article img:not([src])')")
        facts = tab.evaluate(FACTS)
        formulas += facts.pop("formulas")
        assert facts.pop("width") <= width, page
        assert facts == {"broken": [], "unset": 0, "wrong": []}, page
    assert formulas > 20


@in_chromium
def test_old_addresses_lead_to_pages(open_page):
    tab = open_page((SITE / PAGES[0]).as_uri())
    found = {}
    for name in MOVED:
        tab.goto((SITE / f"{name}.html").as_uri())
        tab.wait_for_selector("article h1")
        found[name] = Path(urlsplit(tab.url).path).relative_to(SITE).with_suffix("").as_posix()
    assert len(found) > 10
    assert found == MOVED


TRANSCRIPT = "$ pres-eval compare \\\n    --out here\nwritten\n$ wc -l <<'END'\n1\nEND\n1\n"
COMMANDS = "pres-eval compare \\\n    --out here\nwc -l <<'END'\n1\nEND"


@in_chromium
def test_only_the_commands_of_a_transcript_are_copied(open_page):
    tab = open_page("about:blank")
    tab.set_content("<div class='language-console highlight'><pre><code></code></pre></div>")
    tab.evaluate("text => { document.querySelector('code').textContent = text }", TRANSCRIPT)
    tab.add_script_tag(path=SITE / "site" / "extra.js")
    assert tab.locator("div").get_attribute("data-copy") == COMMANDS
