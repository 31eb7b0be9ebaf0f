"""The site in build/site, as .ci/run builds it: its links, and its pages opened in Chromium.

Every page is opened from disk, once at the width of a desk in light mode, and once at the width of
a phone in dark mode.
"""

import functools
import http.server
import importlib.util
import os
import re
import subprocess
import sys
import threading
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parent.parent.parent
SITE = ROOT / "build" / "site"
PAGES = sorted(p.relative_to(SITE).as_posix() for p in SITE.rglob("*.html") if p.name != "404.html")

WINDOWS = {"desk": (1400, "light"), "phone": (390, "dark")}

pytestmark = pytest.mark.skipif(not PAGES, reason="the site has not been built")

# Opening all pages takes half a minute, so one process does it.
in_chromium = pytest.mark.xdist_group("chromium")
each_page = pytest.mark.parametrize("page", PAGES)

LOOK = r"""() => {
  const article = document.querySelector("article");
  const name = (element) => `${element.tagName} ${element.textContent.trim().slice(0, 60)}`;
  const all = (selector) => [...article.querySelectorAll(selector)].filter(
    (element) => element.checkVisibility());
  const style = (element) => getComputedStyle(element);
  const scrolls = (element) => element.scrollWidth > element.clientWidth + 1;
  const overlaps = (a, b) =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;

  const clipped = all("*").filter((element) =>
    ["hidden", "clip"].includes(style(element).overflowX) && scrolls(element)
    && element.clientWidth > 1 && style(element).position !== "absolute"
    && !element.closest("svg, .katex, .md-annotation"));

  const code = all("pre > code").filter(scrolls);
  const silent = code.filter((element) => style(element).overflowX !== "auto"
    || style(element).scrollbarColor.startsWith("rgba(0, 0, 0, 0)")
    || style(element).scrollbarColor.startsWith("transparent"));

  const tables = all("table:not([class])").filter((table) => !table.closest(".pres-plugin"));
  const loose = tables.filter((table) => [...table.rows].some(
    (row) => row.cells[0].colSpan === 1 && style(row.cells[0]).position !== "sticky"));
  const narrow = tables.flatMap((table) => [...table.rows].flatMap((row) => [...row.cells]))
    .filter((cell) => cell.textContent.trim().length > 40 && cell.clientWidth < 120);
  const stuck = tables.filter((table) => {
    const frame = table.closest(".md-typeset__scrollwrap");
    if (!frame || !scrolls(frame)) return false;
    frame.scrollLeft = 1e6;
    const cell = table.rows[table.rows.length - 1].cells[0];
    const moved = Math.abs(cell.getBoundingClientRect().left - frame.getBoundingClientRect().left);
    const covers = cell.clientWidth > frame.clientWidth / 2;
    frame.scrollLeft = 0;
    return moved > 2 || covers;
  });

  const buttons = [...document.querySelectorAll("button, .md-code__nav, .md-top")].filter(
    (element) => element.checkVisibility() && !element.closest("header, .try, .pres-try"));
  const readable = [...all("pre > code"), ...all(".katex")];
  const covered = buttons.flatMap((button) => {
    const box = button.getBoundingClientRect();
    return readable.filter((element) => !element.contains(button)
      && overlaps(box, element.getBoundingClientRect()));
  });

  return {
    width: document.documentElement.scrollWidth,
    pictures: [...document.images].map((image) => [image.alt, image.naturalWidth, image.src]),
    clipped: clipped.map(name),
    silent: silent.map(name),
    loose: loose.map(name),
    narrow: narrow.map(name),
    stuck: stuck.map(name),
    covered: covered.map(name),
    formulas: document.querySelectorAll(".arithmatex").length,
    unset: [...document.querySelectorAll(".arithmatex")]
      .filter((formula) => !formula.querySelector(".katex")).map(name),
    wrong: [...document.querySelectorAll(".katex-error")].map((error) => error.title),
  };
}"""


@pytest.fixture(scope="module", params=WINDOWS)
def seen(request, chromium):
    """What became of each page in a window, and the width of the window."""
    width, scheme = WINDOWS[request.param]
    context = chromium.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True
    )
    requests, problems, facts = [], [], {}
    context.on("request", lambda loaded: requests.append(loaded.url))
    tab = context.new_page()
    tab.on("pageerror", lambda error: problems.append(str(error)))
    tab.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
    for page in PAGES:
        requests.clear()
        problems.clear()
        tab.goto((SITE / page).as_uri())
        tab.wait_for_function("!document.querySelector('article img:not([src])')")
        facts[page] = {**tab.evaluate(LOOK), "requests": [*requests], "problems": [*problems]}
    context.close()
    return width, facts


@pytest.fixture(scope="module")
def address():
    """The site on a server of this machine."""
    handler = functools.partial(QuietHandler, directory=SITE)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


@in_chromium
@each_page
def test_a_page_fits_its_window_and_nothing_is_clipped(seen, page):
    width, facts = seen
    assert facts[page]["width"] <= width
    assert facts[page]["clipped"] == []


@in_chromium
@each_page
def test_a_page_shows_its_pictures_and_says_what_is_in_them(seen, page):
    for alt, width, source in seen[1][page]["pictures"]:
        assert alt, source
        assert width > 0, source


@in_chromium
@each_page
def test_code_that_is_too_wide_shows_that_it_scrolls(seen, page):
    assert seen[1][page]["silent"] == []


@in_chromium
@each_page
def test_tables_scroll_beside_their_first_column_and_have_room_for_text(seen, page):
    facts = seen[1][page]
    assert facts["loose"] == []
    assert facts["stuck"] == []
    assert facts["narrow"] == []


@in_chromium
@each_page
def test_no_button_covers_code_or_a_formula(seen, page):
    assert seen[1][page]["covered"] == []


@in_chromium
@each_page
def test_formulas_are_typeset(seen, page):
    facts = seen[1][page]
    assert facts["unset"] == []
    assert facts["wrong"] == []


@in_chromium
def test_some_pages_have_formulas(seen):
    assert sum(facts["formulas"] for facts in seen[1].values()) > 20


@in_chromium
@each_page
def test_a_page_from_disk_loads_only_files_and_reports_no_errors(seen, page):
    facts = seen[1][page]
    elsewhere = [url for url in facts["requests"] if not url.startswith(("file:", "data:"))]
    assert elsewhere == []
    assert facts["problems"] == []


class Reader(HTMLParser):
    """What a page refers to and can be referred to by."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.sources, self.description = set(), [], [], []
        self.edits = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        self.ids |= {named[key] for key in ("id", "name") if named.get(key)}
        loads = tag in {"script", "img", "iframe", "source", "video", "audio", "link"}
        for key in ("href", "src"):
            if named.get(key):
                (self.sources if loads else self.links).append(named[key])
        if tag == "meta" and named.get("name") == "description":
            self.description.append(named.get("content", ""))
        if tag == "a" and named.get("rel") == "edit":
            self.edits.append(named["href"])


@functools.cache
def read(page, site=SITE):
    return Reader((site / page).read_text(encoding="utf-8"))


def is_elsewhere(link):
    return bool(urlsplit(link).scheme or urlsplit(link).netloc)


def is_dead(link, page):
    """Whether a file or an anchor is missing."""
    path, anchor = unquote(urlsplit(link).path), unquote(urlsplit(link).fragment)
    target = Path(os.path.normpath((SITE / page).parent / path)) if path else SITE / page
    if not target.is_relative_to(SITE) or not target.is_file():
        return True
    # The theme's own anchors, such as those of its buttons, begin with underscores.
    if not anchor or anchor.startswith("__") or target.suffix != ".html":
        return False
    return anchor not in read(target.relative_to(SITE).as_posix()).ids


@each_page
def test_links_lead_somewhere(page):
    links = [*read(page).links, *read(page).sources]
    assert [link for link in links if not is_elsewhere(link) and is_dead(link, page)] == []


@each_page
def test_a_page_loads_nothing_from_elsewhere(page):
    assert read(page).sources
    assert [source for source in read(page).sources if is_elsewhere(source)] == []


def test_styles_load_nothing_from_elsewhere_and_nothing_that_is_missing():
    styles = list(SITE.rglob("*.css"))
    assert styles
    for style in styles:
        text = style.read_text(encoding="utf-8")
        assert "@import" not in text, style.name
        for address in re.findall(r"url\([\"']?([^)\"']+)", text):
            if not address.startswith(("data:", "#")):
                assert (style.parent / address.partition("?")[0]).is_file(), address


@each_page
def test_a_page_has_a_description_that_fits_a_list_of_results(page):
    assert len(read(page).description) == 1
    assert 50 <= len(read(page).description[0]) <= 160


def test_no_two_pages_have_the_same_description():
    pages = {}
    for page in PAGES:
        pages.setdefault(read(page).description[0], []).append(page)
    assert [same for same in pages.values() if len(same) > 1] == []


@each_page
def test_without_an_address_no_page_links_to_its_source(page):
    assert read(page).edits == []


def test_with_an_address_every_page_links_to_its_source(tmp_path):
    if importlib.util.find_spec("mkdocs") is None:
        pytest.skip("MkDocs is not installed")
    repository = "https://example.org/pres-plugin"
    subprocess.run(
        [
            sys.executable,
            ROOT / "docs" / "site" / "build.py",
            "build",
            "--",
            "--site-dir",
            tmp_path,
        ],
        env={**os.environ, "PRES_PLUGIN_REPOSITORY": repository},
        check=True,
        capture_output=True,
    )
    sources = set()
    for page in PAGES:
        (edit,) = read(page, tmp_path).edits
        source = edit.removeprefix(f"{repository}/edit/main/")
        assert (ROOT / source).is_file(), edit
        sources.add(source)
        assert Path(source).stem.lower() == Path(page).stem
        assert repository in read(page, tmp_path).links
    assert len(sources) == len(PAGES)
    assert "CHANGELOG.md" in sources
    assert {path.suffix for path in map(Path, sources)} == {".md", ".ipynb"}


FOUND_FIRST = {
    "cite": "cite.html",
    "bpref": "which-measure.html",
    "latex": "how-to/report-in-a-paper.html",
    "WSS": "reference/measures/wss.html",
    "Nmax": "explained/choosing-nmax.html",
}


@in_chromium
@pytest.mark.parametrize("served", [True, False], ids=["served", "from disk"])
def test_searching_finds_the_right_page_first(chromium, address, served):
    tab = chromium.new_page(viewport={"width": 1400, "height": 900})
    root = address if served else SITE.as_uri()
    # From a page in a folder, because the addresses of results are relative.
    tab.goto(f"{root}/reference/errors.html")
    found = {}
    for word in FOUND_FIRST:
        tab.locator(".md-search__input").click()
        tab.locator(".md-search__input").fill("")
        tab.locator(".md-search__input").press_sequentially(word, delay=20)
        # The results of the first letters are replaced after a while.
        tab.wait_for_timeout(1000)
        first = tab.locator(".md-search-result__link").first
        first.wait_for(state="attached")
        path = urlsplit(first.evaluate("link => link.href")).path
        found[word] = path.removeprefix(urlsplit(root).path).lstrip("/")
    tab.close()
    assert found == FOUND_FIRST


TRANSCRIPTS = {
    "a command and its output": (
        "console",
        "$ pres-eval score qrels.txt a.run\nrun  PRES@100\na    0.2800\n",
        "pres-eval score qrels.txt a.run",
    ),
    "several commands": (
        "console",
        "$ cd docs\n$ ls\nexamples  site\n$ pwd\n/docs\n",
        "cd docs\nls\npwd",
    ),
    "a command of several lines": (
        "console",
        "$ pres-eval compare qrels.txt a.run \\\n    -m PRES@100 \\\n    --out here\nwritten\n",
        "pres-eval compare qrels.txt a.run \\\n    -m PRES@100 \\\n    --out here",
    ),
    "lines after the shell's second prompt": (
        "console",
        "$ echo one \\\n> two\none two\n",
        "echo one \\\ntwo",
    ),
    "a here-document": (
        "console",
        "$ cat > a.run <<'END'\n1 Q0 d1 1 9 a\n1 Q0 d2 2 8 a\nEND\n$ wc -l a.run\n2 a.run\n",
        "cat > a.run <<'END'\n1 Q0 d1 1 9 a\n1 Q0 d2 2 8 a\nEND\nwc -l a.run",
    ),
    "output with a dollar sign": ("console", "$ cat prices\n5 $ each\n", "cat prices"),
    "PowerShell": (
        "powershell",
        "PS> py -m venv .venv\nPS> Get-Item `\n>>   a.run\na.run\n",
        "py -m venv .venv\nGet-Item `\n  a.run",
    ),
    "PowerShell without a prompt": ("powershell", "py -m venv .venv\n", None),
    "code": ("python", "print('$ 5')\n", None),
}


@in_chromium
@pytest.mark.parametrize("case", TRANSCRIPTS)
def test_only_commands_are_copied(chromium, case):
    language, shown, copied = TRANSCRIPTS[case]
    tab = chromium.new_page()
    tab.set_content(f"<div class='language-{language} highlight'><pre><code></code></pre></div>")
    tab.evaluate("text => { document.querySelector('code').textContent = text }", shown)
    tab.add_script_tag(path=SITE / "site" / "extra.js")
    assert tab.locator("div").get_attribute("data-copy") == copied
    tab.close()


@in_chromium
def test_the_copy_button_copies_commands(chromium, address):
    pages = [page for page in PAGES if "language-console" in (SITE / page).read_text("utf-8")]
    assert pages
    context = chromium.new_context(permissions=["clipboard-read", "clipboard-write"])
    tab = context.new_page()
    tab.goto(f"{address}/{pages[0]}")
    block = tab.locator(".language-console:visible").first
    button = block.locator(".md-code__button[data-md-type=copy]")
    button.scroll_into_view_if_needed()
    button.click()
    first, *_ = block.locator("code").inner_text().splitlines()
    copied = tab.evaluate("navigator.clipboard.readText()")
    context.close()
    assert copied.splitlines()[0] == first.removeprefix("$ ")
    assert not re.search(r"^\$ ", copied, flags=re.MULTILINE)


@in_chromium
def test_the_cheat_sheet_is_one_printed_page(chromium):
    tab = chromium.new_page(color_scheme="dark")
    tab.goto((SITE / "cheat-sheet.html").as_uri())
    pdf = tab.pdf(format="A4")
    tab.close()
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1
