"""The picture of a sweep shows the table."""

import re
from dataclasses import replace

import numpy as np
import pytest
from made_studies import a_sweep

from pres_plugin.study.output import style
from pres_plugin.study.sweep.picture import curves

NAMES = [f"run {i}" for i in range(60)]


def drawn(axes):
    """The curves by the name of the run."""
    return {line.get_label(): line for line in axes.lines}


def test_the_picture_has_one_panel_per_measure_and_one_colour_per_run():
    found = a_sweep("abcde", ("PRES", "LastRel", "AP"), (1, 2, 3, 5, 8, 30))
    figure = curves(found)
    colours = set()
    for axes, measure in zip(figure.axes, found.measures, strict=True):
        lines = drawn(axes)
        assert axes.bbox.height > figure.dpi  # an inch
        for name, scores in found.by_run(measure).T.items():
            assert lines[name].get_xydata().tolist() == list(map(list, scores.items()))
            colours.add((name, lines[name].get_color()))
    assert len(colours) == len({colour for _, colour in colours}) == 5
    titles = re.findall("<title>(.*?)</title>", style.inline_svg(figure, ""))
    assert f"a: PRES@1 = {found.values[0, 0, 0]:.4f}" in titles


def test_cutoffs_that_grow_are_on_a_logarithmic_axis():
    for cutoffs, scale in {range(10, 101, 10): "linear", (1, 2, 5, 10, 20, 50, 100): "log"}.items():
        (axes,) = curves(a_sweep("ab", ("PRES",), cutoffs)).axes
        assert axes.get_xscale() == scale


def look(line):
    return line.get_color(), line.get_linestyle(), str(line._unscaled_dash_pattern)


@pytest.mark.parametrize("n_leaders", [2, 9])
def test_every_run_that_leads_is_named_and_looks_different(n_leaders):
    """Each of the last runs leads at one cutoff by the second measure, and is low by the first."""
    found = a_sweep(NAMES, ("m0", "m1"), range(1, 46))
    values = found.values.copy()
    values[:, 0] = np.linspace(0.9, 0.1, 60)[:, None]  # the first run leads at each cutoff
    for c in range(45):
        values[59 - c % (n_leaders - 1), 1, c] = 2
    figure = curves(replace(found, values=values))
    leaders = {"run 0", *(f"run {59 - i}" for i in range(n_leaders - 1))}
    for axes in figure.axes:
        lines = drawn(axes)
        assert len(lines) == 50
        coloured = [run for run in lines if lines[run].get_color() != style.GREY]
        assert leaders <= set(coloured)
        assert len(coloured) == max(7, n_leaders) == len({look(lines[run]) for run in coloured})
    *named, others = (text.get_text() for text in figure.legends[0].get_texts())
    assert (named, others) == (coloured, f"{50 - len(named)} others")
