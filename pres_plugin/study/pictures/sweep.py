"""Draw the scores at each Nmax."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.ticker import LogFormatter, MaxNLocator, StrMethodFormatter

from pres_plugin.study.pictures.limits import CURVE_MEASURES, CURVE_POINTS, CURVES
from pres_plugin.study.pictures.style import (
    COLOURS,
    DASHES,
    GREY,
    WIDTH,
    Drawing,
    Indices,
    add_legend,
    distinct,
    new_figure,
    short,
    styled,
)
from pres_plugin.study.scoring import best_first
from pres_plugin.study.sweep import Sweep

#: More rings than this in a panel are thinned, to one per cell of a grid of this many columns
#: and rows.
_RINGS = 500
_CELLS = 100


@styled
def curves(found: Sweep, *, width: float = WIDTH) -> Drawing:
    """Draw one panel per measure, with one curve per run, in the same colour in all panels.

    A ring marks where two runs change places. If there are more runs than colours,
    the best runs by the first measure at the last cutoff are in colour. Only the 50 best
    runs and the first 8 measures are drawn, with up to 500 points per curve.
    """
    found = _drawn(found)
    order = best_first(found.values[:, 0, -1]).tolist()
    coloured = order[: len(COLOURS)]
    others = len(order) - len(coloured)
    n_rows = len(coloured) + (others > 0)
    figure = new_figure(0.6 + 1.75 * len(found.measures) + 0.14 * n_rows, width)
    panels = figure.subplots(len(found.measures), 1, sharex=True, squeeze=False)[:, 0]
    changes = found.changes()
    in_colour = [found.runs[i] for i in coloured]
    dense = len(found.cutoffs) > 25
    at = _points(found.cutoffs)
    cutoffs = np.array(found.cutoffs)[at]
    for m, (axes, measure) in enumerate(zip(panels, found.measures, strict=True)):
        for place, i in enumerate(order):
            top = i in coloured
            axes.plot(
                cutoffs,
                found.values[i, m, at],
                marker="o" if top and not dense else "",
                markersize=2,
                # Different dashes keep both curves visible where they coincide.
                linestyle=DASHES[place % len(DASHES)] if top else "-",
                color=COLOURS[place] if top else GREY,
                linewidth=1.2 if top else 0.5,
                zorder=3 if top else 2,
                label=found.runs[i],
            )
        of_measure = changes[changes["measure"] == measure]
        # Draw no ring where two grey curves cross, since nobody can tell which runs they are.
        seen = of_measure["ahead_before"].isin(in_colour) | of_measure["ahead_after"].isin(
            in_colour
        )
        rings = of_measure[seen]
        if len(rings) > _RINGS:
            rings = rings.iloc[distinct(rings["n_max"], rings["value"], _CELLS)]
        axes.scatter(
            rings["n_max"], rings["value"], s=14, facecolors="none",
            edgecolors="#222222", linewidths=0.6, zorder=4, label="change",
        )  # fmt: skip
        axes.set_ylabel(f"{short([measure])[0]}@Nmax")
        axes.set_ylim(bottom=0)
    panels[-1].set_xlabel(f"Nmax (documents checked); means of {found.n_topics} topics")
    panels[-1].xaxis.set_major_locator(MaxNLocator(integer=True))
    if _grows(found.cutoffs):
        panels[-1].set_xscale("log")
        # The usual labels of a logarithmic axis are written in TeX.
        panels[-1].xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
        panels[-1].xaxis.set_minor_formatter(LogFormatter())
    names = short(in_colour, 40)
    handles = [
        Line2D([], [], color=COLOURS[c], linestyle=DASHES[c % len(DASHES)])
        for c in range(len(coloured))
    ]
    if others:
        handles.append(Line2D([], [], color=GREY, linewidth=0.5))
        names.append(f"{others} others")
    ring: dict[str, Any] = {"linestyle": "", "marker": "o", "fillstyle": "none", "color": "#222222"}
    handles.append(Line2D([], [], **ring))
    names.append("two runs change places")
    add_legend(figure, handles, names, loc="outside upper left", ncols=1)
    return figure


def _drawn(found: Sweep) -> Sweep:
    """Return the scores of the runs and measures to draw."""
    best = np.sort(best_first(found.values[:, 0, -1])[:CURVES])
    measures = found.measures[:CURVE_MEASURES]
    runs = tuple(found.runs[i] for i in best)
    return replace(found, runs=runs, measures=measures, values=found.values[best, : len(measures)])


def _points(cutoffs: tuple[int, ...]) -> Indices:
    """Return the indices of the cutoffs to draw: a few hundred, evenly spaced on the axis."""
    if len(cutoffs) <= CURVE_POINTS:
        return np.arange(len(cutoffs))
    on_axis = np.log(cutoffs) if _grows(cutoffs) else np.array(cutoffs, dtype=np.float64)
    wanted = np.linspace(on_axis[0], on_axis[-1], CURVE_POINTS)
    return np.unique(np.searchsorted(on_axis, wanted).clip(max=len(cutoffs) - 1))


def _grows(cutoffs: tuple[int, ...]) -> bool:
    """Return whether the cutoffs are further and further apart, as in a logarithmic range."""
    steps = np.diff(cutoffs)
    return len(steps) > 1 and bool(steps[-1] > 2 * steps[0])
