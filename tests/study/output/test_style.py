"""Pictures: names that are hard to show, and figures on pages with tooltips."""

import re
from xml.etree import ElementTree

import numpy as np
from made_studies import LONG, ODD

from pres_plugin.study.output.style import (
    inline_svg,
    new_figure,
    save,
    short,
    tips,
)

ODD_NAMES = ["</title><script>alert(1)</script>", '" onload="alert(1)', "\x1b\0\uffff", "]]>&amp;"]
SVG = "{http://www.w3.org/2000/svg}"


def a_figure():
    """Return a figure with a curve, a line whose second marker is not drawn, and a bar."""
    figure = new_figure(2)
    axes = figure.subplots()
    curve, points = axes.plot([1, 2, 3])[0], axes.plot([1, np.nan, 3, 4], "o-")[0]
    tips(curve, ["a curve"])
    tips(points, ODD_NAMES)
    tips(axes.bar([1], [2])[0], ["a bar"])
    return figure


def titles(svg):
    return sorted(title.text for title in ElementTree.fromstring(svg).iter(f"{SVG}title"))


def test_tooltips_are_titles_of_what_is_drawn(tmp_path):
    expected = ["</title><script>alert(1)</script>", "]]>&amp;", "a bar", "a curve"]
    svg = inline_svg(a_figure(), "Label")
    assert titles(svg) == sorted([*expected, r"\x1b\x00\uffff"])
    uses = [use for use in ElementTree.fromstring(svg).iter(f"{SVG}use") if len(use)]
    assert [use[0].text for use in uses] == [ODD_NAMES[0], r"\x1b\x00\uffff", ODD_NAMES[3]]
    save(a_figure(), tmp_path / "a.svg")
    assert titles((tmp_path / "a.svg").read_bytes()) == titles(svg)


def test_an_element_for_a_page_is_on_white_and_its_ids_are_unique():
    first, second = (inline_svg(a_figure(), label) for label in ("<a>\0\ud800", "b"))
    assert first == inline_svg(a_figure(), "<a>\0\ud800")
    assert r'aria-label="&lt;a&gt;\x00\ud800"' in first
    ids = [set(re.findall(r' id="([^"]*)"', svg)) for svg in (first, second)]
    assert not ids[0] & ids[1]
    assert set(re.findall(r'(?:href="|url\()#([^")]*)', first)) <= ids[0]
    assert "fill: #ffffff" in first


def test_long_names_are_cut_and_stay_different():
    names = [*LONG, *ODD]
    cut = short(names)
    assert len(set(cut)) == len(names)
    assert max(map(len, cut)) <= 60
    assert short(["a" * 30 + "1" + "b" * 30, "c"])[0] == f"{'a' * 8}…{'b' * 17}"
