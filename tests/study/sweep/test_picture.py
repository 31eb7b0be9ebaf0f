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
        # The lead at each cutoff, and the crossings of two curves that lead one after the other.
        best = found.by_run(measure).idxmax().tolist()
        changes = found.changes().query(f"measure == '{measure}'")
        places = changes.set_index(["ahead_before", "ahead_after", "before", "after"])["n_max"]
        steps = zip(best, best[1:], found.cutoffs, found.cutoffs[1:], strict=False)
        expected = [places[step] for step in steps if step[0] != step[1] and len(changes)]
        assert sorted(rings.get_xdata()) == pytest.approx(sorted(expected))
        assert (expected == []) == (measure == "LastRel")
    assert len(colours) == len({colour for _, colour in colours}) == 5
    titles = re.findall("<title>(.*?)</title>", style.inline_svg(figure, ""))
    assert f"a: PRES@1 = {found.values[0, 0, 0]:.4f}" in titles
    assert re.fullmatch(r"the lead changes from \w to \w at Nmax = [\d.]+", titles[-1])


def look(line):
    return (
        line.get_color(),
        line.get_linestyle(),
        str(line._unscaled_dash_pattern),
        line.get_marker(),
    )


@pytest.mark.parametrize("n_leaders", [2, 9, 45])
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
        lines, _ = drawn(axes)
        assert len(lines) == 50
        coloured = [run for run in lines if lines[run].get_color() != style.GREY]
        assert leaders <= set(coloured)
        assert len(coloured) == max(7, n_leaders) == len({look(lines[run]) for run in coloured})
    *named, others, last = (text.get_text() for text in figure.legends[0].get_texts())
    assert (named, others) == (coloured, f"{50 - len(named)} others")
    assert last == "the lead changes"
