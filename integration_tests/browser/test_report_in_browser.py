"""The pages that studies write, opened in Chromium: sorted tables, themes and narrow windows."""

import math

import pytest
from command import EXAMPLES, pres_eval

from pres_plugin.output.tables import Table, as_p_value, as_percent, bounded
from pres_plugin.study.output.parts import Section
from pres_plugin.study.output.report import Report

pytestmark = [pytest.mark.release, pytest.mark.xdist_group("chromium")]

RUNS = [f"{name}.run" for name in ("bm25", "boolean", "citations", "dense")]
FILES = ["patents/qrels.txt", *(f"patents/{name}.gz" for name in RUNS)]

STUDIES = {
    "compare": [*FILES, "-m", "PRES@100 AP@100 R@100", "--ci", "0.95", "--resamples", "999"],
    "sweep": [*FILES, "-m", "PRES AP R", "--n-max", "10:100:5"],
}

# Some kinds of columns: ids, ranks with dashes, p-values, intervals and fractions.
KINDS = Table(
    {
        "doc_id": ["1" * 20, "9" * 19, "2.10.3", "2.9.1", "3"],
        "rank": [12, None, 3, None, 1000],
        "p_value": [0.00001, 0.0001, 1.0, 0.25, math.nan],
        "mean": bounded([0.5, 0.125, 0.375], [0.4, 0.025, 0.275], [1.0] * 3).extend_constant(
            None, 2
        ),
        "fraction": [1, 0.2, 0.05, 0.5, 0.005],
    },
    p_value=as_p_value,
    fraction=as_percent,
)

# What the keys of each column's texts are, in ascending order.
ORDERS = {
    "doc_id": ["1" * 20, "2.10.3", "2.9.1", "3", "9" * 19],
    "rank": ["3", "12", "1000", "–", "–"],
    "p_value": ["<0.0001", "0.0001", "0.2500", "1.0000", "–"],
    "mean": ["0.1250 [0.0250, 1.0000]", "0.3750 [0.2750, 1.0000]", "0.5000 [0.4000, 1.0000]"]
    + ["–"] * 2,
    "fraction": ["0.5 %", "5 %", "20 %", "50 %", "100 %"],
}


def column(page, number):
    """Return the texts of a column."""
    return page.locator(f"tbody tr > :nth-child({number + 1})").all_text_contents()


def test_a_column_is_sorted_up_then_down_then_as_before(open_page, tmp_path):
    # Pages show means with their intervals in one column, and files in several.
    section = Section("kinds", "Kinds", KINDS.without("mean"), views=[("Kinds", KINDS)])
    Report("Tables", "Only tables.", [section], "command").write(tmp_path / "out")
    page = open_page((tmp_path / "out" / "report.html").as_uri())
    for number, ascending in enumerate(ORDERS.values()):
        original = KINDS.texts()[number]
        values = [each for each in ascending if each != "–"]
        dashes = ascending[len(values) :]
        header, button = (page.locator(f"thead {tag}").nth(number) for tag in ("th", "button"))
        assert column(page, number) == original
        for state, order in (
            ("ascending", ascending),
            ("descending", [*values[::-1], *dashes]),
            (None, original),
        ):
            button.press("Enter")
            assert column(page, number) == order
            assert header.get_attribute("aria-sort") == state


GROUND = "getComputedStyle(document.body).backgroundColor"


@pytest.mark.parametrize("study", STUDIES)
def test_a_report_fits_a_phone_follows_the_theme_and_is_printed_in_light(
    open_page, study, tmp_path
):
    """`open_page` fails if the page reports an error or loads something from elsewhere."""
    result = pres_eval(study, *STUDIES[study], "--out", tmp_path / "out", cwd=EXAMPLES)
    assert result.returncode == 0, result.stderr
    address = (tmp_path / "out" / "report.html").as_uri()
    page = open_page(address, width=390, color_scheme="dark")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    dark = page.evaluate(GROUND)
    page.get_by_role("button", name="light theme").click()
    light = page.evaluate(GROUND)
    assert (dark == light, light) == (False, "rgb(255, 255, 255)")
    page.get_by_role("button", name="dark theme").click()
    page.emulate_media(media="print")
    assert page.evaluate(GROUND) == light
    assert not page.locator("#theme").is_visible()


def test_without_a_script_tables_are_complete_and_titles_are_tips(open_page, tmp_path):
    pres_eval("sweep", *STUDIES["sweep"], "--out", tmp_path / "out", cwd=EXAMPLES)
    address = (tmp_path / "out" / "report.html").as_uri()
    page = open_page(address, java_script_enabled=False)
    assert page.locator("thead button").count() == 0
    assert page.locator("tbody tr").count() > 0
    assert page.locator("svg use > title").count() > 0
