"""The page "Try it" in Chromium: its numbers, keys, pointers and links.

The tests open a small page that loads the three files of the site from disk. Its numbers are
compared with the kernel, and R-precision and nDCG with ir-measures.
"""

import random
import re
import shutil
from pathlib import Path

import ir_measures
import pytest
from ir_measures import Rprec, nDCG

from pres_plugin import average_precision, pres, pres_est, recall

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

pytestmark = [pytest.mark.release, pytest.mark.xdist_group("chromium")]

DOCS = Path(__file__).parent.parent.parent / "docs"
FILES = DOCS / "site" / "try"
EXAMPLE = 'data-ranks="50,51,53,54" data-n="4" data-nmax="100"'
PAGE = f"""<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Try it</title>
<style>:root {{ color-scheme: light dark; font-family: sans-serif }} body {{ margin: 16px }}</style>
<link rel="stylesheet" href="try.css">
<div class="pres-try" id="try" {EXAMPLE}>Without scripts</div>
<div class="pres-try" id="home-try" data-compact {EXAMPLE}>Without scripts</div>
<p style="height: 3000px">More</p>
<script src="pres.js"></script>
<script src="widget.js"></script>
</html>
"""

SYSTEMS = {
    "System 1": (1,),
    "System 2": (50, 51, 53, 54),
    "System 3": (1, 2, 3, 4),
    "System 4": (1, 98, 99, 100),
}


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The address of the small page, on disk."""
    folder = tmp_path_factory.mktemp("try")
    for file in FILES.iterdir():
        shutil.copy(file, folder)
    (folder / "page.html").write_text(PAGE, encoding="utf-8")
    return (folder / "page.html").as_uri()


@pytest.fixture
def opened(open_page, address):
    """A function that opens the page, with a link's hash if there is one."""

    def show(link="", **options):
        return open_page(address + link, **options)

    return show


def random_rankings(count):
    """Return n, Nmax and ranks of random rankings, of which some find all or none."""
    rng = random.Random(2010)
    for i in range(count):
        n = rng.randint(1, 50)
        # One in three has more relevant documents than are checked.
        n_max = rng.randint(1, n) if i % 3 == 0 else rng.randint(1, 1000)
        last = rng.choice([n_max, 1000])
        most = min(n, last)
        retrieved = {0: 0, 1: most}.get(i % 5, rng.randint(0, most))
        yield n, n_max, sorted(rng.sample(range(1, last + 1), retrieved))


RANKINGS = list(random_rankings(1000))


def expected(n, n_max, ranks):
    """Return what the kernel and ir-measures compute, by the names of the page's functions."""
    qrels = {"topic": {f"relevant-{i}": 1 for i in range(n)}}
    order = {rank: f"relevant-{i}" for i, rank in enumerate(ranks)}
    last = max([n_max, n, *ranks])
    docs = [order.get(rank, f"other-{rank}") for rank in range(1, last + 1)]
    run = {"topic": {doc: float(last - i) for i, doc in enumerate(docs)}}
    others = ir_measures.calc_aggregate([Rprec, nDCG @ n_max], qrels, run)
    found = [rank for rank in ranks if rank <= n_max]
    counted = found + [n_max + i for i in range(len(found) + 1, n + 1)]
    return {
        "found": len(found),
        "a1": sum(counted) - n * (n + 1) // 2,
        "a2": n * n_max + n * (n + 1) // 2 - sum(counted),
        "pres": pres(ranks, n, n_max),
        "presEst": pres_est(ranks, n, n_max),
        "ap": average_precision(ranks, n, n_max),
        "recall": recall(ranks, n, n_max),
        "rPrecision": others[Rprec],
        "ndcg": others[nDCG @ n_max],
    }


SCORE_ALL = "rankings => rankings.map(([n, nMax, ranks]) => pres.score(ranks, n, nMax))"


def test_numbers_are_the_kernels_on_1000_random_rankings(opened):
    assert any(not ranks for *_, ranks in RANKINGS)
    assert any(n > n_max for n, n_max, _ in RANKINGS)
    assert any(len(ranks) == n and ranks[-1] <= n_max for n, n_max, ranks in RANKINGS)
    assert any(ranks and ranks[-1] > n_max for _, n_max, ranks in RANKINGS)
    computed = opened().evaluate(SCORE_ALL, RANKINGS)
    assert len(computed) == 1000
    for ranking, scores in zip(RANKINGS, computed, strict=True):
        wanted = expected(*ranking)
        for exact in ("found", "a1", "a2", "pres", "presEst", "recall"):
            assert scores[exact] == wanted[exact], (exact, ranking)
        assert scores == pytest.approx(wanted, rel=1e-12, abs=1e-12), ranking


def shown(page, widget="#try"):
    """Return the values that a widget shows, as texts."""
    values = page.locator(f"{widget} [data-measure]")
    return {value.get_attribute("data-measure"): value.text_content() for value in values.all()}


def check_shown(page, n, n_max, ranks, widget="#try"):
    """Check that a widget shows the kernel's values, rounded to four decimals."""
    values = shown(page, widget)
    assert list(values) == ["pres", "presEst", "ap", "recall", "ndcg", "rPrecision"]
    scores = expected(n, n_max, ranks)
    for name, text in values.items():
        assert re.fullmatch(r"[01]\.\d{4}", text)
        assert float(text) == pytest.approx(scores[name], abs=0.5e-4 + 1e-12), name


def markers(page, widget="#try"):
    return page.locator(f"{widget} [role=slider]")


def ranks_of(page, widget="#try"):
    """Return what each marker tells a screen reader."""
    return [marker.get_attribute("aria-valuetext") for marker in markers(page, widget).all()]


def named(*ranks):
    return [f"rank {rank}" if rank else "missed" for rank in ranks]


def go_to(page, link):
    """Follow a link within the page."""
    page.evaluate(
        """link => new Promise((done) => {
             addEventListener("hashchange", done, { once: true });
             location.hash = link;
           })""",
        link,
    )


def status(page, widget="#try"):
    return page.locator(f"{widget} [role=status]")


def link_to(n, n_max, ranks, widget="try"):
    return f"#{widget}&n={n}&nmax={n_max}&ranks={','.join(map(str, ranks))}"


def test_the_page_shows_these_numbers(opened):
    page = opened()
    for n, n_max, ranks in RANKINGS[:100]:
        go_to(page, link_to(n, n_max, ranks))
        check_shown(page, n, n_max, ranks)
        scores, sentence = expected(n, n_max, ranks), page.locator("#try .sentence").text_content()
        areas = f"PRES = A2 / (A1 + A2) = {scores['a2']} / {n * n_max} = "
        assert sentence.startswith(f"{scores['found']} of {n} found. {areas}")
        assert sentence.endswith(shown(page)["pres"])


@pytest.mark.parametrize("widget", ["#try", "#home-try"])
def test_presets_are_the_four_systems(opened, widget):
    page = opened()
    for name, ranks in SYSTEMS.items():
        preset = page.locator(widget).get_by_role("button", name=name)
        preset.click()
        assert preset.get_attribute("aria-pressed") == "true"
        assert page.locator(f"{widget} [aria-pressed=true]").count() == 1
        assert ranks_of(page, widget) == named(*ranks, *[None] * (4 - len(ranks)))
        check_shown(page, 4, 100, ranks, widget)
    assert status(page, widget).text_content() == ""


# Keys pressed on the marker of that index, and the ranks and focused marker afterwards.
KEYS = [
    (0, "ArrowLeft", (49, 51, 53, 54), 0),
    (0, "ArrowDown", (49, 51, 53, 54), 0),
    # An occupied rank is skipped, and the focus stays on the document that moved.
    (0, "ArrowRight", (51, 52, 53, 54), 1),
    (0, "ArrowUp", (51, 52, 53, 54), 1),
    (3, "ArrowLeft", (50, 51, 52, 53), 2),
    (3, "PageDown", (44, 50, 51, 53), 0),
    (0, "PageUp", (51, 53, 54, 60), 3),
    (3, "Home", (1, 50, 51, 53), 0),
    (1, "End", (50, 53, 54, None), 3),
    (0, "ArrowRight PageUp PageUp PageUp PageUp PageUp", (51, 53, 54, None), 3),
    (0, "End ArrowLeft", (51, 53, 54, 100), 3),
    (0, "End PageDown", (51, 53, 54, 91), 3),
    (0, "End ArrowRight End", (51, 53, 54, None), 3),
    (0, "Home PageDown ArrowLeft", (1, 51, 53, 54), 0),
    (3, "Home Tab Home ArrowLeft", (1, 2, 51, 53), 1),
]


@pytest.mark.parametrize(("index", "keys", "ranks", "focused"), KEYS)
def test_keys_move_a_document(opened, index, keys, ranks, focused):
    page = opened()
    markers(page).nth(index).focus()
    for key in keys.split():
        page.keyboard.press(key)
    assert ranks_of(page) == named(*ranks)
    playwright.expect(markers(page).nth(focused)).to_be_focused()
    known = [rank for rank in ranks if rank]
    check_shown(page, 4, 100, known)
    tip = page.locator("#try .tip")
    assert tip.text_content() == named(*ranks)[focused]


def test_a_marker_is_a_slider(opened):
    page = opened(link_to(3, 10, [4, 20]))
    attributes = ("aria-label", "aria-valuemin", "aria-valuemax", "aria-valuenow", "aria-valuetext")
    found = [[marker.get_attribute(name) for name in attributes] for marker in markers(page).all()]
    beyond = "rank 20, after Nmax, counts as missed"
    assert found == [
        ["Relevant document 1 of 3", "1", "11", "4", "rank 4"],
        ["Relevant document 2 of 3", "1", "11", "11", beyond],
        ["Relevant document 3 of 3", "1", "11", "11", "missed"],
    ]


# Returns the name of the focused element and the width of the ring around it.
FOCUSED = """() => {
  const focused = document.activeElement, dot = focused.querySelector(".dot");
  const name = focused.ariaLabel || focused.textContent || focused.parentElement.textContent;
  const style = getComputedStyle(dot || focused);
  return [name, parseFloat(dot ? style.strokeWidth : style.outlineWidth)];
}"""


def test_everything_can_be_reached_with_tab(opened):
    page = opened()
    names = []
    for _ in range(15):
        page.keyboard.press("Tab")
        name, ring = page.evaluate(FOCUSED)
        names.append(name)
        assert ring >= 3
    assert names == [
        *SYSTEMS,
        *[f"Relevant document {i} of 4" for i in (1, 2, 3, 4)],
        *["Results checked (Nmax)"] * 2,
        *["Relevant documents (n)"] * 2,
        "Ranks of the relevant documents",
        "Copy link",
        "Reset",
    ]


def centre(marker):
    box = marker.locator(".dot").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def per_rank(page):
    """Return the width of one rank in pixels, from the positions of two markers."""
    return (centre(markers(page).nth(3))[0] - centre(markers(page).nth(0))[0]) / 4


def drag(page, marker, ranks):
    x, y = centre(marker)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + ranks * per_rank(page), y, steps=8)
    page.mouse.up()


def test_the_mouse_drags_a_document(opened):
    page = opened()
    drag(page, markers(page).nth(0), -30)
    assert ranks_of(page) == named(20, 51, 53, 54)
    check_shown(page, 4, 100, [20, 51, 53, 54])
    page.get_by_role("button", name="Reset").first.click()
    # Past the others, beyond Nmax, and back.
    drag(page, markers(page).nth(0), 10)
    assert ranks_of(page) == named(51, 53, 54, 60)
    playwright.expect(markers(page).nth(3)).to_be_focused()
    page.get_by_role("button", name="System 2").first.click()
    drag(page, markers(page).nth(0), 55)
    assert ranks_of(page) == named(51, 53, 54, None)
    page.get_by_role("button", name="System 2").first.click()
    # Onto another: the nearest free rank is taken, and the lower one of two.
    drag(page, markers(page).nth(0), 3)
    assert ranks_of(page) == named(51, 52, 53, 54)
    page.get_by_role("button", name="System 2").first.click()
    drag(page, markers(page).nth(3), -500)
    assert ranks_of(page) == named(1, 50, 51, 53)


def test_a_missed_document_can_be_dragged_into_the_ranking(opened):
    page = opened()
    width = per_rank(page)
    page.get_by_role("button", name="System 1").first.click()
    x, y = centre(markers(page).nth(1))
    page.mouse.move(x, y)
    page.mouse.down()
    # It is drawn at rank 102.
    page.mouse.move(x - 82 * width, y, steps=5)
    assert ranks_of(page) == named(1, 20, None, None)
    page.mouse.move(x + 300, y, steps=5)
    page.mouse.up()
    assert ranks_of(page) == named(1, None, None, None)


def test_a_click_moves_nothing(opened):
    page = opened()
    markers(page).nth(1).locator(".dot").click()
    assert ranks_of(page) == named(50, 51, 53, 54)
    playwright.expect(markers(page).nth(1)).to_be_focused()


def swipe(page, start, end):
    """Move a finger across the page."""
    session = page.context.new_cdp_session(page)

    def touch(kind, *points):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", {"x": start[0], "y": start[1]})
    for step in range(1, 9):
        x, y = (a + (b - a) * step / 8 for a, b in zip(start, end, strict=True))
        touch("touchMove", {"x": x, "y": y})
    touch("touchEnd")


def test_a_finger_drags_a_document_and_scrolls_elsewhere(opened):
    page = opened(width=390, has_touch=True, is_mobile=True)
    width = per_rank(page)
    x, y = centre(markers(page).nth(0))
    swipe(page, (x, y), (x - 30 * width, y - 60))
    assert ranks_of(page) == named(20, 51, 53, 54)
    check_shown(page, 4, 100, [20, 51, 53, 54])
    assert page.evaluate("scrollY") == 0
    box = page.locator("#try svg").bounding_box()
    at = (box["x"] + box["width"] * 0.35, box["y"] + 30)
    swipe(page, (at[0], at[1] + 150), at)
    page.wait_for_function("scrollY > 0")
    assert ranks_of(page) == named(20, 51, 53, 54)


def test_n_and_nmax_change_by_number_and_slider(opened):
    page = opened()
    n_max = page.locator("#try").get_by_role("spinbutton", name="Nmax")
    n = page.locator("#try").get_by_role("spinbutton", name="(n)")
    n_max.fill("52")
    beyond = ", after Nmax, counts as missed"
    expected_ranks = [*named(50, 51), f"rank 53{beyond}", f"rank 54{beyond}"]
    assert ranks_of(page) == expected_ranks
    check_shown(page, 4, 52, [50, 51, 53, 54])
    n_max.fill("100")
    assert ranks_of(page) == named(50, 51, 53, 54)
    n.fill("2")
    assert ranks_of(page) == named(50, 51)
    check_shown(page, 2, 100, [50, 51])
    n.fill("6")
    assert ranks_of(page) == named(50, 51, 53, 54, None, None)
    check_shown(page, 6, 100, [50, 51, 53, 54])
    slider = page.locator("#try").get_by_role("slider", name="(n)")
    slider.fill("50")
    assert n.input_value() == "50"
    assert markers(page).count() == 50
    page.locator("#try").get_by_role("slider", name="Nmax").fill("10")
    assert n_max.input_value() == "10"
    assert shown(page)["pres"] == "0.0000"
    # The other widget has not changed.
    assert ranks_of(page, "#home-try") == named(50, 51, 53, 54)


@pytest.mark.parametrize(
    ("name", "typed", "message"),
    [
        ("Nmax", "0", "Nmax must be a whole number from 1 to 1000, not “0”."),
        ("Nmax", "1001", "Nmax must be a whole number from 1 to 1000, not “1001”."),
        ("Nmax", "2.5", "Nmax must be a whole number from 1 to 1000, not “2.5”."),
        ("(n)", "51", "n must be a whole number from 1 to 50, not “51”."),
        ("(n)", "", "n must be a whole number from 1 to 50, not “”."),
    ],
)
def test_an_invalid_number_is_explained_and_not_used(opened, name, typed, message):
    page = opened()
    field = page.locator("#try").get_by_role("spinbutton", name=name)
    before = field.input_value(), shown(page)
    field.fill(typed)
    assert status(page).text_content() == message
    field.press("Tab")
    playwright.expect(field).to_have_value(before[0])
    assert shown(page) == before[1]


def test_ranks_can_be_typed(opened):
    page = opened()
    field = page.get_by_label("Ranks of the relevant documents")
    field.fill("7 3,  9")
    field.press("Enter")
    assert ranks_of(page) == named(3, 7, 9, None)
    assert field.input_value() == "3, 7, 9"
    for typed, message in [
        ("1, 1", "Rank 1 occurs more than once."),
        ("1, 2, 3, 4, 5", "There are 5 ranks, but n is 4."),
        ("1, x", "Each rank must be a whole number from 1 to 1000, not “x”."),
    ]:
        field.fill(typed)
        field.press("Enter")
        assert status(page).text_content() == message
        # What was typed can be corrected, and the ranking is as before.
        assert field.input_value() == typed
        assert ranks_of(page) == named(3, 7, 9, None)


def test_a_copied_link_restores_the_state(opened):
    page = opened(permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="System 4").first.click()
    markers(page).nth(0).press("ArrowRight")
    page.locator("#try").get_by_role("spinbutton", name="(n)").fill("5")
    page.locator("#try").get_by_role("button", name="Copy link").click()
    playwright.expect(status(page)).to_have_text("Link copied.")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.url
    assert link.endswith(link_to(5, 100, [2, 98, 99, 100]))
    other = opened(re.search("#.*", link)[0])
    assert ranks_of(other) == ranks_of(page) == named(2, 98, 99, 100, None)
    assert shown(other) == shown(page)
    check_shown(page, 5, 100, [2, 98, 99, 100])


def test_without_a_clipboard_the_link_is_in_the_address_bar(opened):
    page = opened()
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error()); }")
    page.locator("#home-try").get_by_role("button", name="Copy link").click()
    expected_text = "Copy the link from the address bar."
    playwright.expect(status(page, "#home-try")).to_have_text(expected_text)
    assert page.url.endswith(link_to(4, 100, SYSTEMS["System 2"], "home-try"))


def test_a_link_is_for_one_widget(opened):
    page = opened(link_to(2, 10, [3], "home-try"))
    assert ranks_of(page) == named(50, 51, 53, 54)
    assert ranks_of(page, "#home-try") == named(3, None)
    playwright.expect(page.locator("#home-try")).to_be_in_viewport()
    go_to(page, link_to(1, 10, [5]))
    playwright.expect(markers(page)).to_have_count(1)
    assert ranks_of(page) == named(5)
    assert ranks_of(page, "#home-try") == named(3, None)
    # An anchor of the page is not a state.
    for anchor in ("#try", "#elsewhere", "#%E0%A4%A"):
        go_to(page, anchor)
        assert ranks_of(page) == named(5)
    page.locator("#try").get_by_role("button", name="Reset").click()
    assert ranks_of(page) == named(50, 51, 53, 54)


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ("n=0&nmax=100&ranks=1", "n must be a whole number from 1 to 50, not “0”."),
        ("n=4&nmax=1e3&ranks=1", "Nmax must be a whole number from 1 to 1000, not “1e3”."),
        ("n=4&nmax=100&ranks=0", "Each rank must be a whole number from 1 to 1000, not “0”."),
        ("n=4&nmax=100&ranks=-1", "Each rank must be a whole number from 1 to 1000, not “-1”."),
        ("n=4&nmax=100&ranks=7,7", "Rank 7 occurs more than once."),
        ("n=1&nmax=100&ranks=7,8", "There are 2 ranks, but n is 1."),
        ("n=4&ranks=7", "The value of “nmax” is missing."),
        ("n=<img>&nmax=1&ranks=", "n must be a whole number from 1 to 50, not “<img>”."),
    ],
)
def test_an_invalid_link_is_explained_and_the_default_is_shown(opened, link, message):
    page = opened(f"#try&{link}")
    text = f"The link cannot be used. {message} The default is shown."
    assert status(page).text_content() == text
    assert ranks_of(page) == named(50, 51, 53, 54)
    check_shown(page, 4, 100, SYSTEMS["System 2"])


def test_an_escaped_link_and_one_without_ranks_work(opened):
    page = opened("#try&n=4&nmax=100&ranks=1%2C98%2C99%2C100")
    assert ranks_of(page) == named(1, 98, 99, 100)
    go_to(page, "#try&n=2&nmax=7&ranks=")
    playwright.expect(markers(page)).to_have_count(2)
    assert ranks_of(page) == named(None, None)


def test_without_scripts_the_fallback_is_shown(opened):
    page = opened(java_script_enabled=False)
    assert page.locator("#try").text_content() == "Without scripts"


def test_areas_are_drawn_to_scale(opened):
    page = opened()
    sizes = """() => ["a1", "a2"].map((name) => {
      const d = document.querySelector(`#try path.${name}`).getAttribute("d");
      return d.slice(1).split("M").reduce((total, part) => {
        const [x1, y1, x2, y2] = part.match(/[-\\d.]+/g).map(Number);
        return total + (x2 - x1) * (y1 - y2);
      }, 0);
    })"""
    for ranking in RANKINGS[:30]:
        go_to(page, link_to(*ranking))
        a1, a2 = page.evaluate(sizes)
        assert a2 / (a1 + a2) == pytest.approx(pres(ranking[2], *ranking[:2]), abs=1e-6)


# The states whose pictures are hardest to fit.
STATES = [
    (4, 100, (50, 51, 53, 54)),
    (50, 1, ()),
    (50, 1000, (1, 1000)),
    (1, 1, (1,)),
    (50, 10, ()),
]
CLIPPED = """() => [...document.querySelectorAll(".pres-try, .pres-try *")].filter((element) => {
  const outer = element.closest("svg:not(:scope)") || element.closest(".pres-try:not(:scope)");
  if (element.matches(".hit, defs") || !element.getClientRects().length) return false;
  if (!element.closest("svg") && element.scrollWidth > element.clientWidth + 1 &&
      getComputedStyle(element).display !== "inline" && element.tagName !== "INPUT") return true;
  const frame = (element.closest("svg") || element.closest(".pres-try")).getBoundingClientRect();
  const box = element.getBoundingClientRect();
  return element.matches("text, button, input, span, p") &&
    (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 ||
     box.bottom > frame.bottom + 1);
}).map((element) => `${element.tagName} ${element.textContent}`)"""


@pytest.mark.parametrize("width", [320, 390, 1400])
@pytest.mark.parametrize("state", STATES, ids=str)
def test_nothing_is_clipped(opened, width, state):
    page = opened(link_to(*state), width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for index in {0, state[0] - 1}:
        markers(page).nth(index).focus()
        assert page.evaluate(CLIPPED) == []


def test_the_picture_follows_the_window(opened):
    page = opened()
    page.set_viewport_size({"width": 390, "height": 900})
    page.wait_for_function(
        "document.querySelector('#try svg').viewBox.baseVal.width === "
        "document.querySelector('#try svg').clientWidth"
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


# Returns the lowest contrast of any text with the ground behind it, and the text.
LOWEST_CONTRAST = """() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const painted = (...colours) => {
    for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((c) => c / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const grounds = (element) => element
    ? [...grounds(element.parentElement), getComputedStyle(element).backgroundColor]
    : ["Canvas"];
  let lowest = [Infinity, ""];
  for (const element of document.querySelectorAll(".pres-try *")) {
    const isText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!isText) continue;
    const style = getComputedStyle(element), inPicture = element.tagName === "text";
    const behind = grounds(element);
    // The darkest and lightest that a text of the picture can be on.
    const all = inPicture
      ? [behind, ...["a1", "a2"].map((name) => [...behind, areaColour(name)])] : [behind];
    for (const stack of all) {
      const colour = inPicture ? style.fill : style.color;
      const [a, b] = [light(painted(...stack, colour)), light(painted(...stack))];
      const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      if (contrast < lowest[0]) lowest = [contrast, element.textContent];
    }
  }
  function areaColour(name) {
    const style = getComputedStyle(document.querySelector(`.pres-try svg .${name}`));
    return style.fill.replace("rgb(", "rgba(").replace(")", `, ${style.fillOpacity})`);
  }
  return lowest;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_are_legible(opened, scheme):
    page = opened(color_scheme=scheme)
    contrast, text = page.evaluate(LOWEST_CONTRAST)
    assert contrast >= 4.5, text


def test_nothing_moves_by_itself(opened):
    style = (FILES / "try.css").read_text(encoding="utf-8")
    assert not re.search("transition|animation|@keyframes|scroll-behavior", style)
    assert opened().evaluate("document.getAnimations().length") == 0


def test_the_site_loads_the_files():
    settings = (DOCS / "site" / "mkdocs.yml").read_text(encoding="utf-8")
    for name in ("pres.js", "widget.js", "try.css"):
        assert re.search(rf"^ +- site/try/{re.escape(name)}$", settings, re.MULTILINE), name
    # The functions come before the widget that calls them.
    assert settings.index("try/pres.js") < settings.index("try/widget.js")
    assert '<div class="pres-try" id="try"' in (DOCS / "try.md").read_text(encoding="utf-8")


def test_the_files_are_plain_scripts():
    texts = {file.name: file.read_text(encoding="utf-8") for file in FILES.iterdir()}
    assert set(texts) == {"pres.js", "widget.js", "try.css"}
    for name, text in texts.items():
        assert not re.search(r"^\s*(import|export)\b|require\(|fetch\(|@import", text, re.M), name
        addresses = re.findall(r"https?://[^\"'\s]+", text)
        assert set(addresses) <= {"http://www.w3.org/2000/svg"}, name


NAMES = {"PRES": "pres", "PRES_est": "presEst", "AP": "ap", "Recall": "recall", "nDCG": "ndcg"}


def read_tables(text):
    """Return each row of the page's tables of rankings, by column."""
    for table in re.findall(r"^\| Ranks .*\n\|[-| :]+\n(?:\|.*\n)+", text, re.MULTILINE):
        header, _, *rows = [
            [cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()
        ]
        for row in rows:
            yield dict(zip(header, row, strict=True))


def test_the_tables_of_the_page_are_right():
    rows = list(read_tables((DOCS / "try.md").read_text(encoding="utf-8")))
    assert len(rows) >= 10
    for row in rows:
        ranks = [int(rank) for rank in re.findall(r"\d+", row["Ranks"])]
        if "…" in row["Ranks"]:
            ranks = list(range(ranks[0], ranks[-1] + 1))
        scores = expected(int(row.get("n", 4)), int(row.get("Nmax", 100)), ranks)
        for name in row.keys() - {"Ranks", "n", "Nmax"}:
            assert row[name] == f"{scores[NAMES[name]]:.4f}", row
