"""The picture of a sweep shows the table."""

import re

import numpy as np
import pytest
from made_studies import a_sweep

from pres_plugin.study.output import style
from pres_plugin.study.sweep.picture import curves

NAMES = [f"run {i}" for i in range(60)]


def drawn(axes):
    """The curves by the name of the run, and the rings."""
    *lines, rings = axes.lines
    return {line.get_label(): line for line in lines}, rings


def test_the_picture_has_one_panel_per_measure_and_one_colour_per_run():
    found = a_sweep("abcde", ("PRES", "LastRel", "AP"), (1, 2, 3, 5, 8, 30))
    figure = curves(found)
    colours = set()
    for axes, measure in zip(figure.axes, found.measures, strict=True):
        lines, rings = drawn(axes)
        for name, scores in found.by_run(measure).T.items():
            assert lines[name].get_xydata().tolist() == list(map(list, scores.items()))
            colours.add((name, lines[name].get_color()))
        changes = found.changes().query(f"measure == '{measure}'")
        assert sorted(rings.get_xdata()) == pytest.approx(sorted(changes["n_max"]))
        assert sorted(rings.get_ydata()) == pytest.approx(sorted(changes["value"]))
        assert changes.empty == (measure == "LastRel")
    assert len(colours) == len({colour for _, colour in colours}) == 5
    titles = re.findall("<title>(.*?)</title>", style.inline_svg(figure, ""))
    assert f"a: PRES@1 = {found.values[0, 0, 0]:.4f}" in titles
    assert re.fullmatch(r"\w and \w change places at Nmax = [\d.]+", titles[-1])


def test_of_many_runs_the_best_are_drawn_in_colour_and_named():
    found = a_sweep(NAMES, [f"m{i}" for i in range(9)], range(1, 5))
    figure = curves(found)
    assert len(figure.axes) == 8
    best = [found.runs[r] for r in np.argsort(-found.values[:, 0, -1])[:50]]
    for axes in figure.axes:
        lines, _ = drawn(axes)
        assert list(lines) == best
        assert [run for run in best if lines[run].get_color() != style.GREY] == best[:7]
    named = [text.get_text() for text in figure.legends[0].get_texts()]
    assert named == [*best[:7], "43 others", "two runs change places"]
