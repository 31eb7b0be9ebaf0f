"""Pictures show any name as text, and stay small without a visible difference."""

import io
import re
from itertools import islice
from pathlib import Path
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pytest
from made_studies import DRAWN, LONG, ODD, a_robustness, a_sweep, explanations
from matplotlib.text import Text

from pres_plugin.study.explain import Explanation
from pres_plugin.study.pictures import style
from pres_plugin.study.pictures.explain import areas, visible_steps
from pres_plugin.study.pictures.limits import CURVE_POINTS, CURVES, PANELS
from pres_plugin.study.pictures.robustness import lowest_tau
from pres_plugin.study.pictures.sweep import curves

# The pictures that show each name, and how many names fit into one.
NAMED = {
    "explain": 24, "sweep, runs": 7, "sweep, measures": 8, "robustness": 12,
    "sorted scores": 60, "rank changes": 60,
}  # fmt: skip
MANY_PANELS = ("explain", "sweep, measures")


def saved(figure, fmt, save=style.save):
    file = io.BytesIO()
    save(figure, file, fmt)
    return file.getvalue()


def texts(figure):
    """Return all texts in a figure, line by line."""
    return {
        line for text in figure.findobj(Text) if text.get_visible()
        for line in text.get_text().removesuffix("@Nmax").split("\n")
    }  # fmt: skip


def batches(names, size):
    names = iter(names)
    while batch := list(islice(names, size)):
        yield batch


@pytest.mark.parametrize(
    "picture",
    # These two have many panels, and their names are written as in the others.
    [pytest.param(p, marks=[pytest.mark.slow] * (p in MANY_PANELS)) for p in NAMED],
)
def test_each_picture_shows_odd_names_as_text(picture, capfd, recwarn):
    DRAWN[picture](["a"])  # importing old versions of matplotlib prints warnings of its own
    capfd.readouterr()
    recwarn.clear()
    shown = set()
    for names in batches(ODD, NAMED[picture]):
        figure = DRAWN[picture](names)
        ElementTree.fromstring(saved(figure, "svg"))
        shown |= texts(figure)
    missing = {name if text is None else text for name, text in ODD.items()} - shown
    assert not missing
    assert capfd.readouterr() == ("", "")
    assert not recwarn.list


@pytest.mark.parametrize("picture", DRAWN)
def test_figures_can_be_saved_without_our_style(picture):
    names = ["$x_1$", r"$\frac{$", "_a", "中"]
    figure = DRAWN[picture](names)
    root = saved(figure, "svg", lambda f, file, fmt: f.savefig(file, format=fmt))
    ElementTree.fromstring(root)


@pytest.mark.slow
@pytest.mark.parametrize("picture", DRAWN)
def test_long_names_are_cut_and_stay_different(picture, capfd, recwarn):
    figure = DRAWN[picture](LONG)
    width, height = figure.get_size_inches()
    ElementTree.fromstring(saved(figure, "svg"))
    assert max(map(len, texts(figure)), default=0) < 70
    assert (width, height) < (4, 30)
    for axes in figure.axes:
        assert axes.get_position().width > 0.1
    assert capfd.readouterr() == ("", "")
    assert not recwarn.list


@pytest.mark.parametrize("at_most", [18, 24, 26, 40])
def test_short_names_differ_where_names_differ(at_most):
    for names in ([*ODD, *LONG], ["a\n", r"a\n"], ["x" * 100, "x" * 99, "x" * 100], [" ", '" "']):
        short = style.short(names, at_most)
        assert len(set(zip(names, short, strict=True))) == len(set(short)) == len(set(names))
        assert max(map(len, short)) <= 60


def test_surrogates_are_written_in_ascii():
    assert style.in_picture("\udcff\ud800.run") == r"\xff\ud800.run"


def test_a_name_is_written_with_characters_that_the_font_has():
    font = Path(mpl.get_data_path(), "fonts", "ttf", "DejaVuSans.ttf")
    has = mpl.font_manager.get_font(font).get_charmap()
    for code in [*range(0x3000), *range(0x4E00, 0x4E20), *range(0xD7F0, 0xE010), 0x1F600, 0xE0041]:
        text = style.in_picture(f"a{chr(code)}")
        assert text.isprintable()
        assert all(ord(character) in has for character in text)


def test_a_logarithmic_axis_shows_plain_numbers():
    for cutoffs in ((10, 20, 60), (10, 30, 100, 1000), (1, 10, 10**6, 10**12)):
        figure = curves(a_sweep(["a", "b"], cutoffs=cutoffs))
        assert figure.axes[-1].get_xscale() == "log"
        saved(figure, "svg")
        labels = [
            text.get_text()
            for text in figure.axes[-1].get_xticklabels(which="both")
            if text.get_text()
        ]
        assert labels
        assert all(re.fullmatch(r"[0-9.]+(e[+−]?[0-9]+)?", label) for label in labels), labels


def height_at(steps, values, rank):
    return values[np.searchsorted(steps.rank, rank, side="right") - 1]


@pytest.mark.parametrize("n", [1, 2, 599, 601, pytest.param(100_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("n_max", [1, 1_000, 10**12])
@pytest.mark.parametrize(
    ("panels", "cells"), [(1, 600), pytest.param(2, 400, marks=pytest.mark.slow)]
)
def test_thinned_curves_stay_within_a_pixel(n, n_max, panels, cells):
    rng = np.random.default_rng(n)
    ranks = np.unique(rng.integers(1, n_max + 1, min(n, n_max)))
    at = np.zeros(n, dtype=np.int64)
    at[: len(ranks)] = ranks
    explanation = Explanation("a", "q", n_max, range(n), at)
    full = explanation.curves()
    thin = visible_steps(full, cells)
    assert len(thin.rank) <= 3 * cells + 1
    figure = areas([explanation] * panels)
    svg = saved(figure, "svg")
    assert len(svg) < 1_000_000
    axes = figure.axes[0]
    pixels = axes.get_position().height * figure.get_figheight() * style.STYLE["savefig.dpi"]
    (drawn,) = (line for line in axes.lines if line.get_label() == "this ranking")
    assert np.array_equal(drawn.get_xydata(), np.column_stack([thin.rank, thin.this]))
    for curve in ("best", "this", "worst"):
        gap = getattr(full, curve) - height_at(thin, getattr(thin, curve), full.rank)
        assert (gap >= 0).all()
        assert gap.max() / (1.02 * n) * pixels < 1
    # The areas differ by less than a row of pixels.
    assert abs(thin.a1 - full.a1) <= n * (n_max + n) / cells
    assert abs(thin.a2 - full.a2) <= n * (n_max + n) / cells
    # Each document has a dot that covers it.
    dots = np.concatenate([np.asarray(c.get_offsets()) for c in axes.collections[2:]])
    counted = np.concatenate([ranks, n_max + np.arange(len(ranks) + 1, n + 1)])
    documents = np.column_stack([counted, np.arange(1, n + 1)])
    nearest = np.searchsorted(dots[:, 1], documents[:, 1], side="right") - 1
    off = np.abs(dots[nearest] - documents) / [n_max + n, n]
    assert off.max() <= (1 / (cells - 1) if n > cells else 0)
    assert len(dots) <= 4 * cells + 2


@pytest.mark.parametrize("count", [1, PANELS + 1])
def test_explain_draws_the_first_runs(count):
    figure = areas(explanations([f"run {i}" for i in range(count)]))
    drawn = [axes.get_title(loc="left") for axes in figure.axes if axes.get_visible()]
    assert len(drawn) == min(count, PANELS)
    assert figure.get_figheight() * style.STYLE["savefig.dpi"] < 2**16


def test_sweep_draws_the_best_runs_and_few_points():
    names = [f"run {i}" for i in range(1_000)]
    found = a_sweep(names, [f"m{i}" for i in range(12)], range(1, 41))
    figure = curves(found)
    best = np.argsort(-found.values[:, 0, -1])[:CURVES]
    for axes in figure.axes:
        labels = {line.get_label() for line in axes.lines}
        assert labels == {names[i] for i in best}
    assert figure.get_figheight() * style.STYLE["savefig.dpi"] < 2**16


@pytest.mark.parametrize(
    "cutoffs", [range(1, 10_001), [*range(1, 5_000), *range(5_000, 10**6, 99)]]
)
def test_sweep_draws_cutoffs_evenly(cutoffs):
    figure = curves(a_sweep(["a", "b"], cutoffs=cutoffs))
    (axes,) = figure.axes
    (x, _) = axes.lines[0].get_data()
    assert len(x) <= CURVE_POINTS
    assert (x[0], x[-1]) == (cutoffs[0], cutoffs[-1])
    # No gap between points is wider than in the full curve, up to two steps of the axis.
    scale = np.log if axes.get_xscale() == "log" else np.asarray
    step = np.ptp(scale(x)) / CURVE_POINTS
    assert np.diff(scale(x)).max() <= np.diff(scale(np.array(cutoffs))).max() + 2 * step


@pytest.mark.slow
def test_robustness_draws_few_dots_and_ticks():
    fractions = tuple(np.linspace(0.01, 1, 50))
    figure = lowest_tau(a_robustness([f"m{i}" for i in range(15)], fractions, samples=500))
    (axes,) = figure.axes
    assert len(axes.lines) == len(axes.collections) == 12
    assert all(len(dots.get_offsets()) <= 101 * 50 for dots in axes.collections)
    saved(figure, "svg")
    assert len(axes.get_xticks()) < 20


def test_all_panels_have_room_for_the_topic_with_most_relevant_documents():
    several = [one for n in (3, 9, 2) for one in explanations([f"{n}"], n)]
    for axes in areas(several).axes[: len(several)]:
        assert axes.get_xlim()[1] >= 50 + 9
        assert axes.get_ylim()[1] >= 9
