"""All pictures show any name as text, and draw into the caller's axes in the caller's style."""

import io
from xml.etree import ElementTree

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from made_studies import DRAWN, LONG, ODD, a_robustness, a_sweep, compared, explanations
from matplotlib.colors import to_hex
from matplotlib.text import Text

from pres_plugin.study.output.style import inline_svg

# The pictures that show each name.
NAMED = [
    "explain",
    "sweep, runs",
    "sweep, measures",
    "robustness",
    "sorted scores",
    "rank changes",
    "differences",
]
RUNS = ["_one", r"$\frac{$.run", "three"]
RESULTS = [compared(RUNS), a_sweep(RUNS), a_robustness(["PRES@10"]), explanations(RUNS)[1]]


def texts(figure):
    """Return all texts in a figure, line by line."""
    return {
        line for text in figure.findobj(Text) if text.get_visible()
        for line in text.get_text().removesuffix("@Nmax").split("\n")
    }  # fmt: skip


@pytest.mark.parametrize("picture", NAMED)
def test_each_picture_shows_odd_names_as_text(picture, capfd, recwarn):
    names = list(ODD) if picture == "sorted scores" else list(ODD)[:6]
    figure = DRAWN[picture](names)
    ElementTree.fromstring(inline_svg(figure, "Label"))
    assert {ODD[name] or name for name in names} <= texts(figure)
    assert capfd.readouterr() == ("", "")
    assert not recwarn.list


@pytest.mark.parametrize("picture", DRAWN)
def test_long_names_leave_room_for_the_picture(picture):
    figure = DRAWN[picture](LONG)
    ElementTree.fromstring(inline_svg(figure, "Label"))
    assert max(map(len, texts(figure))) < 70
    assert all(axes.get_position().width > 0.1 for axes in figure.axes)


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: type(result).__name__)
def test_plot_draws_into_the_axes_given_in_the_callers_style(result):
    with mpl.style.context("dark_background"):
        figure, (left, right) = plt.subplots(1, 2)
        before, settings = left.get_children(), dict(mpl.rcParams)
        assert result.plot(ax=right) is right
        assert dict(mpl.rcParams) == settings
        assert left.get_children() == before
        assert figure.axes == [left, right]
        cycle = [to_hex(c) for c in mpl.rcParams["axes.prop_cycle"].by_key()["color"]]
        assert to_hex(right.get_lines()[0].get_color()) in [
            *cycle,
            to_hex(mpl.rcParams["text.color"]),
        ]
        legend = {to_hex(label.get_color()) for label in right.get_legend().get_texts()}
        assert legend == {to_hex(mpl.rcParams["text.color"])}
        figure.savefig(io.BytesIO(), format="svg")  # names are not TeX
        plt.close("all")
    assert result.plot().figure is plt.gcf()
    plt.close("all")
