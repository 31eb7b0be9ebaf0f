"""Draw the scores at each Nmax."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pres_plugin.output.tables import as_value
from pres_plugin.output.words import DECIMALS
from pres_plugin.study import result
from pres_plugin.study.output.style import (
    COLOURS,
    DASHES,
    GREY,
    PLAIN,
    add_legend,
    colours,
    given_or_new,
    mean_of,
    new_figure,
    short,
    styled,
    tips,
    whole_ticks,
)
from pres_plugin.study.sweep.analysis import CURVE_MEASURES, CURVES, Indices, Sweep

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

# With more cutoffs, the curves have no dots.
_DOTTED = 25


@styled
def curves(found: Sweep) -> Figure:
    """Draw one panel per measure, with one curve per run, in the same look in all panels.

    Runs that lead somewhere are in colour, and so are the best others by the first measure at the
    last cutoff, until seven runs are. Only 50 runs and the first 8 measures are drawn. If no value
    of the first measure is better than another, the lowest runs are drawn.
    """
    measures = found.measures[:CURVE_MEASURES]
    order, n_coloured = _leaders_first(found, measures)
    height = 1.7 + 1.75 * len(measures) + 0.13 * max(0, n_coloured - len(COLOURS))
    figure = new_figure(height)
    panels = figure.subplots(len(measures), sharex=True, squeeze=False)[:, 0]
    for axes, measure in zip(panels, measures, strict=True):
        handles, names = _draw(axes, found, measure, order, n_coloured)
        axes.label_outer()
    add_legend(figure, handles, names, loc="outside upper left")
    return figure


@result.plot.register(Sweep)
def plot(found: Sweep, ax: Axes | None, measure: str | None) -> Axes:
    """Draw one measure into the caller's axes; see :meth:`Sweep.plot`."""
    measure, axes = str(measure or found.measures[0]), given_or_new(ax)
    add_legend(axes, *_draw(axes, found, measure, *_leaders_first(found, [measure])))
    return axes


def _leaders_first(found: Sweep, measures: Sequence[str]) -> tuple[Indices, int]:
    """Return the runs to draw, and how many of them are in colour: those come first."""
    order = found.order(measures[0])
    leads = np.any([found.leads(measure).any(axis=1) for measure in measures], axis=0)[order]
    order = order[np.argsort(~leads, kind="stable")][:CURVES]
    return order, min(len(order), max(leads.sum(), len(COLOURS)))


def _draw(
    axes: Axes, found: Sweep, measure: str, order: Indices, n_coloured: int
) -> tuple[list[Line2D], list[str]]:
    """Draw some runs, the first ones in colour; return handles and names for a legend."""
    runs = [found.runs[r] for r in order]
    scores, cutoffs = found.scores_by(measure)[order], found.cutoffs
    palette, lines, write = colours()[: len(COLOURS)], [], as_value(measure)
    names = short(runs[:n_coloured], 40)
    for i, (run, of_run) in enumerate(zip(runs, scores, strict=True)):
        (line,) = axes.plot(cutoffs, of_run, label=run, markersize=2, zorder=3)
        lines.append(line)
        tips(line, [run])
        if i >= n_coloured:
            line.set(color=GREY, linewidth=0.48, zorder=2)
            continue
        # Different dashes keep both curves visible where they coincide.
        line.set(color=palette[i % len(palette)], linestyle=DASHES[i % len(DASHES)])
        if len(cutoffs) <= _DOTTED:
            line.set_marker("o")
            values = zip(cutoffs, of_run, strict=True)
            tips(line, [f"{run}: {measure}@{c} = {write(value, DECIMALS)}" for c, value in values])
    if len(runs) > n_coloured:
        names.append(f"{len(runs) - n_coloured} others")
    axes.set_xlabel(f"Nmax (results checked); {mean_of(found.n_topics)}")
    axes.set_ylabel(f"{short([found.labels[measure]])[0]}@Nmax", **PLAIN)
    axes.set_ylim(bottom=min(0.0, scores.min()))
    # Cutoffs that are further and further apart need a logarithmic scale.
    steps = np.diff(cutoffs)
    if cutoffs[-1] >= 10 * cutoffs[0] and steps[-1] > 2 * steps[0]:
        axes.set_xscale("log")
    whole_ticks(axes, cutoffs[0], cutoffs[-1])
    # The legend shows one grey curve, with the number of all of them.
    return lines[: len(names)], names
