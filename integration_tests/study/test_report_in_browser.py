"""The pages that studies write, opened in Chromium: tables, themes, widths and printing."""

import io
import math
import re

import pytest
from command import EXAMPLES, pres_eval

from pres_plugin.study.output.parts import Section
from pres_plugin.study.output.report import Report
from pres_plugin.study.output.tables import (
    Table,
    count,
    estimate,
    p_value,
    percent,
    score,
    text,
)

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

pytestmark = [pytest.mark.release, pytest.mark.xdist_group("chromium")]

RUNS = [f"{name}.run" for name in ("bm25", "boolean", "citations", "dense")]
FILES = ["patents/qrels.txt", *(f"patents/{name}.gz" for name in RUNS)]

STUDIES = {
    "explain": [*FILES, "--query", "T02", "--n-max", "100"],
    "compare": [*FILES, "-m", "PRES@100 AP@100 R@100", "--ci", "0.95", "--resamples", "999"],
    "sweep": [*FILES, "-m", "PRES AP R", "--n-max", "10:100:5"],
    "robustness": [*FILES, "-m", "PRES@100 AP@100 R@100", "--processes", "1"],
}

NAN = math.nan

# Each kind of column: names, scores, ranks with dashes, p-values, intervals and fractions.
KINDS = Table({
    "run": text(["b", "a", "C", "d", "é"]),
    "topic": text(["10", "9", "301", "2", "100"]),
    "doc_id": text(["1" * 20, "9" * 19, "2.10.3", "2.9.1", "3"]),
    "score": score([0.5, -0.25, 1.0, 0.75, 0.125]),
    "rank": count([12, None, 3, None, 1000]),
    "p_value": p_value([0.00001, 0.0001, 1.0, 0.25, NAN]),
    "mean": estimate([0.5, 0.125, 0.375, 0, 0.25], [0.4, 0.025, 0.275, -0.1, 0.15], [1] * 5),
    "fraction": percent([1, 0.2, 0.05, 0.5, 0.005]),
})  # fmt: skip


@pytest.fixture
def opened(open_page):
    """A function that opens a file."""

    def show(file, width=1400, **options):
        return open_page(file.as_uri(), width, **options)

    return show


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The page of each study, by name."""
    root = tmp_path_factory.mktemp("pages")
    for study, arguments in STUDIES.items():
        result = pres_eval(study, *arguments, "--out", root / study, cwd=EXAMPLES)
        assert result.returncode == 0, result.stderr
    return {study: root / study / "report.html" for study in STUDIES}


def report(folder, *tables):
    """Write a report of these tables and return its page."""
    # Pages show means with their intervals in one column, and files in several.
    sections = [
        Section(f"t{i}", f"Table {i}", table.without("mean"), views=[(f"Table {i}", table)])
        for i, table in enumerate(tables)
    ]
    Report("Tables", "Only tables.", sections, "command").write(folder / "out")
    return folder / "out" / "report.html"


def column(page, number, table=0):
    """Return the texts of a column."""
    cells = page.locator("table").nth(table).locator(f"tbody tr > :nth-child({number + 1})")
    return cells.all_text_contents()


def sort_states(page):
    return [header.get_attribute("aria-sort") for header in page.locator("thead th").all()]


# What the keys of each column's texts are, in ascending order.
ORDERS = {
    "run": ["C", "a", "b", "d", "é"],
    "topic": ["2", "9", "10", "100", "301"],
    "doc_id": ["1" * 20, "2.10.3", "2.9.1", "3", "9" * 19],
    "score": ["-0.2500", "0.1250", "0.5000", "0.7500", "1.0000"],
    "rank": ["3", "12", "1000", "–", "–"],
    "p_value": ["<0.0001", "0.0001", "0.2500", "1.0000", "–"],
    "mean": [f"{m / 8:.4f} [{m / 8 - 0.1:.4f}, 1.0000]" for m in range(5)],
    "fraction": ["0.5 %", "5 %", "20 %", "50 %", "100 %"],
}


def test_a_column_is_sorted_up_then_down_then_as_before(opened, tmp_path):
    page = opened(report(tmp_path, KINDS))
    assert sort_states(page) == [None] * len(ORDERS)
    for number, expected in enumerate(ORDERS.values()):
        original = KINDS.texts()[number]
        assert column(page, number) == original
        button = page.locator("thead button").nth(number)
        dashes = [each for each in expected if each == "–"]
        numbers = [each for each in expected if each != "–"]
        steps = (
            ("ascending", [*numbers, *dashes]),
            ("descending", [*numbers[::-1], *dashes]),
            (None, original),
        )
        for state, order in steps:
            button.press("Enter")
            assert column(page, number) == order
            others = [None] * len(ORDERS)
            others[number] = state
            assert sort_states(page) == others


def test_a_row_stays_together_and_a_long_table_can_be_sorted(opened, tmp_path):
    n = 2_000
    ranks = [i * 7 % n for i in range(n)]
    table = Table({"doc_id": text([f"d{rank}" for rank in ranks]), "rank": count(ranks)})
    page = opened(report(tmp_path, KINDS, table))
    page.locator("table").nth(1).locator("thead button").nth(1).click()
    assert column(page, 1, table=1) == [str(i) for i in range(n)]
    assert column(page, 0, table=1) == [f"d{i}" for i in range(n)]
    # Other tables stay as they are.
    assert column(page, 0) == KINDS["run"].to_list()


def test_without_a_script_tables_are_complete_and_titles_are_tips(opened, pages):
    page = opened(pages["sweep"], java_script_enabled=False)
    assert page.locator("thead button").count() == 0
    assert not page.locator("#theme").is_visible()
    assert page.locator("svg use > title").count() > 0


# Returns each element whose text does not fit into it, and each column that cannot be seen.
CLIPPED = """() => {
  const clipped = [];
  for (const element of document.querySelectorAll("h1, h2, h3, p, li, th, td, figcaption, pre"))
    if (element.scrollWidth > element.clientWidth + 1)
      clipped.push(`${element.tagName} ${element.textContent}`);
  for (const frame of document.querySelectorAll(".scroll")) {
    const content = frame.querySelector("table, svg");
    frame.scrollLeft = 1e6;
    const inside = frame.getBoundingClientRect().right - frame.clientLeft;
    if (content.getBoundingClientRect().right > inside + 1)
      clipped.push(frame.getAttribute("aria-label"));
    frame.scrollLeft = 0;
  }
  for (const svg of document.querySelectorAll("svg")) {
    const box = svg.getBoundingClientRect();
    for (const text of svg.querySelectorAll("text")) {
      const at = text.getBoundingClientRect();
      if (at.left < box.left - 1 || at.right > box.right + 1 || at.bottom > box.bottom + 1)
        clipped.push(`picture: ${text.textContent}`);
    }
  }
  return clipped;
}"""
TOO_WIDE = """() => [...document.querySelectorAll(".scroll")]
  .filter((frame) => frame.scrollWidth > frame.clientWidth)
  .map((frame) => frame.getAttribute("aria-label"))"""


@pytest.mark.parametrize("width", [390, 1400])
@pytest.mark.parametrize("study", STUDIES)
def test_nothing_is_clipped(opened, pages, study, width):
    page = opened(pages[study], width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CLIPPED) == []
    assert page.locator("svg").count() > 0
    if width == 1400:
        assert page.evaluate(TOO_WIDE) == []
        for svg in page.locator("svg").all():
            assert svg.bounding_box()["width"] > 1300


@pytest.mark.parametrize("width", [390, 1400])
def test_long_names_and_many_columns_are_not_clipped(opened, tmp_path, width):
    names = ["x" * 300, "a rather long name, " * 10, "short"]
    wide = {"run": text(names)} | {f"measure-{i}@1000": score([0.5] * 3) for i in range(30)}
    pairs = {"first": text(names), "second": text(names[::-1]), "why": text(["because " * 30] * 3)}
    page = opened(report(tmp_path, Table(wide), Table(pairs)), width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CLIPPED) == []


# Returns the lowest contrast of any text with the ground behind it, and the text.
LOWEST_CONTRAST = """() => {
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const [r, g, b] = numbers(colour).slice(0, 3)
      .map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    const colour = getComputedStyle(element).backgroundColor;
    const isClear = numbers(colour)[3] === 0;
    return isClear && element.parentElement ? ground(element.parentElement) : colour;
  };
  let lowest = [Infinity, ""];
  for (const element of document.querySelectorAll("body *")) {
    const text = [...element.childNodes].filter((node) => node.nodeType === 3)
      .map((node) => node.data.trim()).join("");
    if (!text || !element.checkVisibility() || element.closest("svg")) continue;
    const style = getComputedStyle(element);
    const [a, b] = [light(style.color), light(ground(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < lowest[0]) lowest = [contrast, text];
  }
  return lowest;
}"""
GROUND = "getComputedStyle(document.body).backgroundColor"


def is_dark(page):
    return page.evaluate(GROUND) != "rgb(255, 255, 255)"


@pytest.mark.parametrize("study", STUDIES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_theme_follows_the_system_and_is_legible(opened, pages, study, scheme):
    page = opened(pages[study], color_scheme=scheme)
    assert is_dark(page) == (scheme == "dark")
    contrast, words = page.evaluate(LOWEST_CONTRAST)
    assert contrast >= 4.5, words


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_button_switches_the_theme_and_the_choice_is_remembered(opened, pages, scheme):
    page = opened(pages["sweep"], color_scheme=scheme)
    other = {"light": "dark", "dark": "light"}[scheme]
    button = page.get_by_role("button", name=f"{other} theme")
    button.click()
    assert is_dark(page) == (other == "dark")
    assert page.evaluate(LOWEST_CONTRAST)[0] >= 4.5
    for _ in range(20):  # a busy browser stores the choice a little later
        page.reload()
        if is_dark(page) == (other == "dark"):
            break
    page.get_by_role("button", name=f"{scheme} theme").click()
    assert is_dark(page) == (scheme == "dark")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_print_is_light_and_shows_only_the_results(opened, pages, scheme):
    page = opened(pages["compare"], color_scheme=scheme)
    page.get_by_role("button", name=re.compile("theme")).click()
    page.locator("thead button").first.click()
    page.emulate_media(media="print")
    assert not is_dark(page)
    assert page.evaluate(LOWEST_CONTRAST)[0] >= 4.5
    for hidden in ("nav", "#theme", ".skip"):
        assert not page.locator(hidden).is_visible()
    looks = page.evaluate(
        """() => [...document.querySelectorAll("thead button")].map((button) =>
        [getComputedStyle(button).display, getComputedStyle(button, "::after").display,
         getComputedStyle(button, "::before").display].join(" "))"""
    )
    assert set(looks) == {"contents none none"}
    frames = page.evaluate(
        """() => [...document.querySelectorAll(".scroll")].map((frame) =>
        [getComputedStyle(frame).overflow, getComputedStyle(frame).maxHeight].join(" "))"""
    )
    assert set(frames) == {"visible none"}


def test_a_long_table_is_printed_completely(opened, tmp_path):
    pypdf = pytest.importorskip("pypdf", reason="pypdf is not installed")
    n = 500
    names = [f"doc-{i:04}" for i in range(n)]
    table = Table({"doc_id": text(names, "document"), "rank": count(range(n))})
    page = opened(report(tmp_path, table))
    printed = pypdf.PdfReader(io.BytesIO(page.pdf(format="A4")))
    texts = [sheet.extract_text() for sheet in printed.pages]
    found = re.findall(r"doc-\d{4}", "".join(texts))
    assert found == names
    # Each sheet repeats the headings.
    assert len(texts) > 3
    assert all("document" in text for text in texts if "doc-" in text)
