"""The pages that studies write, opened in Chromium: tables, tips, themes, widths and printing."""

import io
import re

import pandas as pd
import pytest
from command import EXAMPLES, pres_eval

from pres_plugin.study.cells import Estimate, written
from pres_plugin.study.report import Report, Table

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("chromium")]

RUNS = [f"{name}.run" for name in ("bm25", "boolean", "citations", "dense")]
FILES = ["patents/qrels.txt", *(f"patents/{name}.gz" for name in RUNS)]

STUDIES = {
    "explain": [*FILES, "--query", "T02", "--n-max", "100"],
    "compare": [*FILES, "-m", "PRES@100 AP@100 R@100", "--ci", "0.95", "--resamples", "999"],
    "sweep": [*FILES, "-m", "PRES AP R", "--n-max", "10:100:5"],
    "robustness": [*FILES, "-m", "PRES@100 AP@100 R@100", "--processes", "1"],
}

# Each kind of column: names, scores, ranks with dashes, p-values and intervals.
KINDS = pd.DataFrame({
    "run": ["b", "a", "C", "d", "é"],
    "topic": ["10", "9", "301", "2", "100"],
    "doc_id": ["1" * 20, "9" * 19, "2.10.3", "2.9.1", "3"],
    "score": [0.5, -0.25, 1.0, 0.75, 0.125],
    "rank": [12.0, None, 3.0, None, 1000.0],
    "p_value": [0.00001, 0.0001, 1.0, 0.25, None],
    "mean": pd.Series([Estimate(m / 8, m / 8 - 0.1, 1) for m in (4, 1, 3, 0, 2)], dtype=object),
    "fraction": ["100 %", "20 %", "5 %", "50 %", "0.5 %"],
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


def report(folder, *frames):
    """Write a report of these tables and return its page."""
    tables = [Table(f"t{i}", f"Table {i}", frame) for i, frame in enumerate(frames)]
    Report("Tables", "Only tables.", tables, "command").write(folder / "out")
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


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_a_column_is_sorted_up_then_down_then_as_before(opened, tmp_path, by):
    page = opened(report(tmp_path, KINDS))
    assert sort_states(page) == [None] * len(ORDERS)
    for number, (name, expected) in enumerate(ORDERS.items()):
        original = written(KINDS[name])
        assert column(page, number) == original
        button = page.locator("thead button").nth(number)
        dashes = [text for text in expected if text == "–"]
        numbers = [text for text in expected if text != "–"]
        steps = (
            ("ascending", [*numbers, *dashes]),
            ("descending", [*numbers[::-1], *dashes]),
            (None, original),
        )
        for state, order in steps:
            if by == "mouse":
                button.click()
            else:
                button.focus()
                page.keyboard.press("Enter")
            assert column(page, number) == order
            others = [None] * len(ORDERS)
            others[number] = state
            assert sort_states(page) == others


def test_a_row_stays_together_and_a_long_table_can_be_sorted(opened, tmp_path):
    n = 2_000
    frame = pd.DataFrame(
        {"doc_id": [f"d{i}" for i in range(n)], "rank": [i * 7 % n for i in range(n)]}
    )
    page = opened(report(tmp_path, KINDS, frame))
    page.locator("table").nth(1).locator("thead button").nth(1).click()
    assert column(page, 1, table=1) == [str(i) for i in range(n)]
    at = frame.set_index("rank")["doc_id"]
    assert column(page, 0, table=1) == [at[i] for i in range(n)]
    # Other tables stay as they are.
    assert column(page, 0) == list(KINDS["run"])


def test_without_a_script_tables_are_complete_and_titles_are_tips(opened, pages):
    page = opened(pages["sweep"], java_script_enabled=False)
    assert page.locator("thead button").count() == 0
    assert not page.locator("#theme").is_visible()
    assert page.locator("svg .tip > title").count() == page.locator("svg .tip").count() > 0


@pytest.mark.parametrize("study", STUDIES)
def test_a_tip_shows_what_is_at_a_place(opened, pages, study):
    page = opened(pages[study])
    tip = page.locator("#tip")
    assert not tip.is_visible()
    for picture in page.locator(".picture").all():
        places = picture.locator(".tip")
        for i in sorted({0, places.count() // 2, places.count() - 1}):
            places.nth(i).hover(force=True)
            assert tip.is_visible()
            shown = tip.text_content()
            assert shown == places.nth(i).get_attribute("data-tip")
            box, window = tip.bounding_box(), page.viewport_size
            assert 0 <= box["x"] <= window["width"] - box["width"]
            assert 0 <= box["y"] <= window["height"] - box["height"]
    page.mouse.move(1, 1)
    assert not tip.is_visible()


def test_tips_name_the_run_and_its_value(opened, pages):
    page = opened(pages["compare"])
    tips = [place.get_attribute("data-tip") for place in page.locator("#sorted-scores .tip").all()]
    means = pd.read_csv(pages["compare"].parent / "scores.tsv", sep="\t", index_col="run")
    text = "\n".join(tips)
    for run, row in means.iterrows():
        for measure, value in row.items():
            (found,) = (line for line in text.splitlines() if run in line and measure in line)
            assert f"{value:.4f}" in found


@pytest.mark.parametrize("study", STUDIES)
def test_the_arrow_keys_go_through_the_tips(opened, pages, study):
    page = opened(pages[study])
    picture = page.locator(".picture").first
    expected = [place.get_attribute("data-tip") for place in picture.locator(".tip").all()]
    picture.focus()
    for key, text in [
        ("ArrowRight", expected[0]),
        ("ArrowRight", expected[1]),
        ("ArrowLeft", expected[0]),
        ("ArrowLeft", expected[-1]),
    ]:
        page.keyboard.press(key)
        playwright.expect(page.locator("#tip")).to_have_text(text)
        playwright.expect(page.locator("#tip")).to_be_visible()
    page.keyboard.press("Escape")
    assert not page.locator("#tip").is_visible()


def test_a_tap_shows_a_tip(opened, pages):
    page = opened(pages["sweep"], width=390, has_touch=True)
    place = page.locator(".tip").first
    place.scroll_into_view_if_needed()
    place.tap(force=True)
    assert page.locator("#tip").text_content() == place.get_attribute("data-tip")
    assert page.locator("#tip").is_visible()


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
    wide = pd.DataFrame({"run": names} | {f"measure-{i}@1000": [0.5] * 3 for i in range(30)})
    pairs = pd.DataFrame({"first": names, "second": names[::-1], "why": ["because " * 30] * 3})
    page = opened(report(tmp_path, wide, pairs), width)
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
    page.locator(".tip").first.hover(force=True)
    contrast, text = page.evaluate(LOWEST_CONTRAST)
    assert contrast >= 4.5, text


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_button_switches_the_theme_and_the_choice_is_remembered(opened, pages, scheme):
    page = opened(pages["sweep"], color_scheme=scheme)
    other = {"light": "dark", "dark": "light"}[scheme]
    button = page.get_by_role("button", name=f"{other} theme")
    button.click()
    assert is_dark(page) == (other == "dark")
    assert page.evaluate(LOWEST_CONTRAST)[0] >= 4.5
    page.reload()
    assert is_dark(page) == (other == "dark")
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
    for hidden in ("nav", "#theme", ".skip", "#tip"):
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
    frame = pd.DataFrame({"doc_id": [f"doc-{i:04}" for i in range(n)], "rank": range(n)})
    page = opened(report(tmp_path, frame))
    printed = pypdf.PdfReader(io.BytesIO(page.pdf(format="A4")))
    texts = [sheet.extract_text() for sheet in printed.pages]
    found = re.findall(r"doc-\d{4}", "".join(texts))
    assert found == list(frame["doc_id"])
    # Each sheet repeats the headings.
    assert len(texts) > 3
    assert all("document" in text for text in texts if "doc-" in text)
