"""Draw the scores at each Nmax."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogFormatter, MaxNLocator

from pres_plugin.study.output.style import (
    COLOURS,
    DASHES,
    GREY,
    PLAIN,
    WIDTH,
    add_legend,
    colours,
    dot,
    foreground,
    given_or_new,
    mean_of,
    new_figure,
    short,
    styled,
    thin,
    tips,
)
from pres_plugin.study.output.words import value_of
from pres_plugin.study.sweep.analysis import CURVE_MEASURES, CURVES, Indices, Sweep

# With more cutoffs, the curves have no dots.
_DOTTED = 25


@styled
def curves(found: Sweep, *, width: float = WIDTH) -> Figure:
    """Draw one panel per measure, with one curve per run, in the same colour in all panels.

    A ring marks where two runs change places. If there are more runs than colours,
    the best runs by the first measure at the last cutoff are in colour. Only the 50 best
    runs and the first 8 measures are drawn. If no value of the first measure is better than
    another, these are the lowest runs.
    """
    measures = found.measures[:CURVE_MEASURES]
    figure = new_figure(1.7 + 1.75 * len(measures), width)
    panels = figure.subplots(len(measures), sharex=True, squeeze=False)[:, 0]
    for axes, measure in zip(panels, measures, strict=True):
        handles, names = _draw(axes, found, measure, found.order(measures[0]))
        axes.label_outer()
    add_legend(figure, handles, names, loc="outside upper left")
    return figure


def plot(found: Sweep, ax: Axes | None, measure: str | None) -> Axes:
    """Draw one measure into the caller's axes; see :meth:`Sweep.plot`."""
    measure, axes = str(measure or found.measures[0]), given_or_new(ax)
    add_legend(axes, *_draw(axes, found, measure, found.order(measure)))
    return axes


def _draw(axes: Axes, found: Sweep, measure: str, order: Indices) -> tuple[list[Line2D], list[str]]:
    """Draw the first runs in an order by one measure; return handles and names for a legend."""
    order = order[:CURVES]
    runs = [found.runs[r] for r in order]
    scores, cutoffs = found.scores_by(measure)[order], found.cutoffs
    palette, lines = colours()[: len(COLOURS)], []
    names = short(runs[: len(palette)], 40)
    for i, (run, of_run) in enumerate(zip(runs, scores, strict=True)):
        (line,) = axes.plot(cutoffs, of_run, label=run, markersize=dot(0.5), zorder=3)
        lines.append(line)
        tips(line, [run])
        if i >= len(names):
            line.set(color=GREY, linewidth=thin(0.4), zorder=2)
            continue
        # Different dashes keep both curves visible where they coincide.
        line.set(color=palette[i], linestyle=DASHES[i % len(DASHES)])
        if len(cutoffs) <= _DOTTED:
            line.set_marker("o")
            values = zip(cutoffs, of_run, strict=True)
            tips(line, [f"{run}: {measure}@{c} = {value_of(measure, v)}" for c, v in values])
    # Nobody can tell which runs cross where two grey curves do.
    rings = found.crossings([measure], order)[1:]
    rings = rings[:, rings[:2].min(axis=0) < len(names)]
    # The legend shows one grey curve, with the number of all of them.
    lines[len(names) + 1 :] = axes.plot(
        *rings[4:6], "o", color=foreground(), fillstyle="none", markersize=dot(0.95),
        markeredgewidth=thin(0.5), zorder=4,
    )  # fmt: skip
    tips(
        lines[-1],
        [
            f"{runs[int(i)]} and {runs[int(j)]} change places at Nmax = {x:.1f}"
            for i, j, x in rings[[0, 1, 4]].T
        ],
    )
    if len(runs) > len(names):
        names.append(f"{len(runs) - len(names)} others")
    axes.set_xlabel(f"Nmax (documents checked); {mean_of(found.n_topics)}")
    axes.set_ylabel(f"{short([found.labels[measure]])[0]}@Nmax", **PLAIN)
    axes.set_ylim(bottom=min(0.0, scores.min()))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    # Cutoffs that are further and further apart need a logarithmic scale.
    steps = np.diff(cutoffs)
    if len(steps) and steps[-1] > 2 * steps[0]:
        axes.set_xscale("log")
        # The usual labels of a logarithmic axis are written in TeX.
        axes.xaxis.set_major_formatter("{x:g}")
        axes.xaxis.set_minor_formatter(LogFormatter())
    return lines, [*names, "two runs change places"]
