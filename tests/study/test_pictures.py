"""All pictures show any name as text, and draw into the caller's axes in the caller's style."""

import io
from functools import partial
from itertools import combinations
from xml.etree import ElementTree

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from made_studies import (
    ODD,
    a_robustness,
    a_sweep,
    compared,
    explanations,
    two_compared,
)
from matplotlib.colors import to_hex
from matplotlib.text import Text
from repetitions import every

from pres_plugin.study.compare.picture import agreement, rank_changes, sorted_scores
from pres_plugin.study.explain.picture import areas
from pres_plugin.study.output.style import inline_svg
from pres_plugin.study.robustness.picture import lowest_tau
from pres_plugin.study.sweep.picture import curves

# The pictures that show each name.
DRAWN = {
    "explain": lambda names: areas(explanations(names)),
    "sweep, runs": lambda names: curves(a_sweep(names)),
    "sweep, measures": lambda names: curves(a_sweep(["a", "b"], names)),
    "robustness": lambda names: lowest_tau(a_robustness(names)),
    "sorted scores": lambda names: sorted_scores(compared(names)),
    "rank changes": lambda names: rank_changes(compared(names)),
    "differences": two_compared,
}
RUNS = ["_one", r"$\frac{$.run", "three"]
RESULTS = [compared(RUNS), a_sweep(RUNS), a_robustness(["PRES@10"]), explanations(RUNS)[1]]


def texts(figure):
    """Return all texts in a figure, line by line."""
    return {
        line for text in figure.findobj(Text) if text.get_visible()
        for line in text.get_text().removesuffix("@Nmax").split("\n")
    }  # fmt: skip


@pytest.mark.parametrize("picture", every(7, DRAWN, pytest.mark.ci))
def test_each_picture_shows_odd_names_as_text(picture, capfd, recwarn):
    names = list(ODD) if picture == "sorted scores" else list(ODD)[:6]
    figure = DRAWN[picture](names)
    ElementTree.fromstring(inline_svg(figure, "Label"))
    assert {ODD[name] or name for name in names} <= texts(figure)
    assert capfd.readouterr() == ("", "")
    assert not recwarn.list


@pytest.mark.ci
@pytest.mark.parametrize("result", RESULTS, ids=lambda result: type(result).__name__)
def test_plot_draws_into_the_axes_given_in_the_callers_style(result):
    with mpl.style.context("dark_background"):
        figure, (left, right) = plt.subplots(1, 2)
        before, settings = left.get_children(), dict(mpl.rcParams)
        assert result.plot(ax=right) is right
        assert dict(mpl.rcParams) == settings
        assert (left.get_children(), figure.axes) == (before, [left, right])
        white = to_hex(mpl.rcParams["text.color"])
        cycle = [to_hex(c) for c in mpl.rcParams["axes.prop_cycle"].by_key()["color"]]
        assert to_hex(right.get_lines()[0].get_color()) in [*cycle, white]
        legend = {to_hex(label.get_color()) for label in right.get_legend().get_texts()}
        assert legend == {white}
        figure.savefig(io.BytesIO(), format="svg")  # names are not TeX
    assert result.plot().figure is plt.gcf()
    plt.close("all")


MEASURES = ("PRES(rel=2)@1000", "PRES(rel=1)@1000", "AP@1000", "R@1000")
NAMES = ["CLEF-IP-2011-baseline-with-query-expansion", "bm25", "dense"]
LARGE = {
    **{
        f"sweep, {cutoffs[0]} to {cutoffs[-1]}": partial(curves, a_sweep(NAMES, ("PRES",), cutoffs))
        for cutoffs in (
            [5], [1, 2], [11, 12, 19], range(100, 1001, 100), range(10_000, 100_001, 10_000),
            [10, 20, 50, 1000], [10**e for e in range(1, 6)], [15_000, 40_000, 950_000],
            [10, 10**5, 10**10], [10**9, 2 * 10**9],
        )
    },
    **{
        f"explain {n} of {n_max}, {runs}": partial(areas, explanations(NAMES[:runs], n, n_max))
        for n, n_max in ((4, 100), (15_000, 1000), (15_000, 20_000), (9, 10**10))
        for runs in (1, 2)
    },
    **{
        f"{draw.__name__} by {len(measures)}": partial(draw, compared([*NAMES, "d"], measures))
        for measures in (("PRES@100", "AP", "R@100"), MEASURES, (*MEASURES, "P@1000", "nDCG"))
        for draw in (sorted_scores, rank_changes, agreement)
    },
    "differences": partial(two_compared, NAMES),
    "robustness": partial(lowest_tau, a_robustness(MEASURES)),
}  # fmt: skip


@pytest.mark.parametrize("name", every(14, LARGE, pytest.mark.ci))
def test_no_text_is_cut_and_no_two_labels_overlap(name):
    figure = LARGE[name]()
    figure.draw_without_rendering()
    labels = []
    for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
        low, high = sorted(axis.get_view_interval())
        ticks = [*axis.get_major_ticks(), *axis.get_minor_ticks()]
        hidden = {tick.label1 for tick in ticks if not low <= tick.get_loc() <= high}
        labels.append([tick.label1 for tick in ticks if tick.label1 not in hidden])
        for text in hidden:
            text.set_visible(False)
    drawn = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text()]
    for text in drawn:
        box, ground = text.get_window_extent(), figure.bbox
        assert -1 < box.x0 < box.x1 < ground.x1 + 1, text
        assert -1 < box.y0 < box.y1 < ground.y1 + 1, text
    for of_axis in labels:
        level = [text for text in of_axis if text in drawn and text.get_rotation() == 0]
        for one, other in combinations(level, 2):
            assert not one.get_window_extent().overlaps(other.get_window_extent()), (one, other)
