"""Draw the scores at each Nmax."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import LogFormatter, MaxNLocator, StrMethodFormatter

from pres_plugin.study.inputs import check_known
from pres_plugin.study.pictures.limits import CURVE_MEASURES, CURVE_POINTS, CURVES, TIPS
from pres_plugin.study.pictures.style import (
    COLOURS,
    DASHES,
    GREY,
    PLAIN,
    WIDTH,
    Drawing,
    Indices,
    Tip,
    add_legend,
    colours,
    distinct,
    dot,
    foreground,
    given_or_new,
    mean_of,
    new_figure,
    short,
    styled,
    thin,
)
from pres_plugin.study.scoring import best_first
from pres_plugin.study.sentences.words import value_of
from pres_plugin.study.sweep import Sweep

#: The number of curves that have their own colour.
_COLOURED = len(COLOURS)

#: More rings than this in a panel are thinned, to one per cell of a grid of this many columns
#: and rows.
_RINGS = 500
_CELLS = 100


@styled
def curves(found: Sweep, *, width: float = WIDTH) -> Drawing:
    """Draw one panel per measure, with one curve per run, in the same colour in all panels.

    A ring marks where two runs change places. If there are more runs than colours,
    the best runs by the first measure at the last cutoff are in colour. Only the 50 best
    runs and the first 8 measures are drawn, with up to 500 points per curve. If no value of the
    first measure is better than another, these are the lowest runs.
    """
    found = _drawn(found)
    # A wide legend has two columns.
    columns = 2 if width > WIDTH else 1
    n_rows = math.ceil((min(len(found.runs), _COLOURED + 1) + 1) / columns) - 1
    figure = new_figure(0.6 + 1.75 * len(found.measures) + 0.14 * n_rows, width)
    panels = figure.subplots(len(found.measures), 1, sharex=True, squeeze=False)[:, 0]
    changes = found.changes()
    for m, axes in enumerate(panels):
        handles, names, tips = _draw_curves(axes, found, m, changes)
        figure.tips += tips
    panels[-1].set_xlabel(_documents_checked(found))
    add_legend(figure, handles, names, loc="outside upper left", ncols=columns)
    return figure


def plot_curves(found: Sweep, ax: Axes | None, measure: str | None) -> Axes:
    """Draw one measure into the caller's axes; see :meth:`Sweep.plot`."""
    measure = found.measures[0] if measure is None else str(measure)
    check_known("measure", measure, found.measures, "measures")
    m = found.measures.index(measure)
    found = _drawn(replace(found, measures=(measure,), values=found.values[:, [m]]))
    axes = given_or_new(ax)
    handles, names, _ = _draw_curves(axes, found, 0, found.changes())
    axes.set_xlabel(_documents_checked(found))
    add_legend(axes, handles, names)
    return axes


def _draw_curves(
    axes: Axes, found: Sweep, m: int, changes: pd.DataFrame
) -> tuple[list[Line2D], list[str], list[Tip]]:
    """Draw all runs by one measure; return what a legend needs, and the tips."""
    palette = colours()[:_COLOURED]
    measure = found.measures[m]
    order = _order(found)
    coloured = order[: len(palette)]
    dense = len(found.cutoffs) > 25
    at = _points(found.cutoffs, CURVE_POINTS)
    cutoffs = np.array(found.cutoffs)[at]
    with_tips = _points(found.cutoffs, max(2, TIPS // found.values[..., 0].size)).tolist()
    tips = []
    for place, i in enumerate(order):
        top = i in coloured
        axes.plot(
            cutoffs,
            found.values[i, m, at],
            marker="o" if top and not dense else "",
            markersize=dot(0.5),
            # Different dashes keep both curves visible where they coincide.
            linestyle=DASHES[place % len(DASHES)] if top else "-",
            color=palette[place] if top else GREY,
            linewidth=thin(1 if top else 0.4),
            zorder=3 if top else 2,
            label=found.runs[i],
        )
        for c in with_tips:
            n_max, value = found.cutoffs[c], found.values[i, m, c]
            text = f"{found.runs[i]}: {measure}@{n_max} = {value_of(measure, value)}"
            tips.append(Tip(axes, n_max, value, text))
    in_colour = [found.runs[i] for i in coloured]
    rings, ring = _draw_rings(axes, changes[changes["measure"] == measure], in_colour)
    tips += [
        Tip(axes, x, y, f"{before} and {after} change places by {measure} at Nmax = {x:.1f}")
        for before, after, x, y in zip(
            *(rings[name] for name in ("ahead_before", "ahead_after", "n_max", "value")),
            strict=True,
        )
    ]
    axes.set_ylabel(f"{short([measure])[0]}@Nmax", **PLAIN)
    axes.set_ylim(bottom=min(0.0, found.values[:, m, at].min()))
    _scale(axes, found.cutoffs)
    handles, names = _legend_of(in_colour, len(order) - len(coloured))
    return [*handles, ring], [*names, "two runs change places"], tips


def _scale(axes: Axes, cutoffs: tuple[int, ...]) -> None:
    """Set the scale of the cutoffs, which is logarithmic if they are further and further apart."""
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    if _grows(cutoffs):
        axes.set_xscale("log")
        # The usual labels of a logarithmic axis are written in TeX.
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
        axes.xaxis.set_minor_formatter(LogFormatter())


def _legend_of(in_colour: Sequence[str], others: int) -> tuple[list[Line2D], list[str]]:
    """Return the lines and names of the runs that have a colour, and of the number of others."""
    names = short(in_colour, 40)
    handles = [
        Line2D([], [], color=colour, linestyle=DASHES[c % len(DASHES)])
        for c, colour in zip(range(len(in_colour)), colours(), strict=False)
    ]
    if others:
        handles.append(Line2D([], [], color=GREY, linewidth=thin(0.4)))
        names.append(f"{others} others")
    return handles, names


def _draw_rings(
    axes: Axes, changes: pd.DataFrame, in_colour: list[str]
) -> tuple[pd.DataFrame, Line2D]:
    """Mark where two runs change places; return the marked changes, and a ring for a legend."""
    # Draw no ring where two grey curves cross, since nobody can tell which runs they are.
    seen = changes["ahead_before"].isin(in_colour) | changes["ahead_after"].isin(in_colour)
    rings = changes[seen]
    if len(rings) > _RINGS:
        rings = rings.iloc[distinct(rings["n_max"], rings["value"], _CELLS)]
    axes.scatter(
        rings["n_max"], rings["value"], s=0.9 * dot(1) ** 2, facecolors="none",
        edgecolors=foreground(), linewidths=thin(0.5), zorder=4, label="change",
    )  # fmt: skip
    return rings, Line2D([], [], linestyle="", marker="o", fillstyle="none", color=foreground())


def _documents_checked(found: Sweep) -> str:
    return f"Nmax (documents checked); {mean_of(found.n_topics)}"


def _order(found: Sweep) -> list[int]:
    """Return the indices of the runs in their order at the last cutoff by the first measure."""
    order: list[int] = best_first(found.values[:, 0, -1], found.measures[0]).tolist()
    return order


def _drawn(found: Sweep) -> Sweep:
    """Return the scores of the runs and measures to draw."""
    best = np.sort(_order(found)[:CURVES])
    measures = found.measures[:CURVE_MEASURES]
    runs = tuple(found.runs[i] for i in best)
    return replace(found, runs=runs, measures=measures, values=found.values[best, : len(measures)])


def _points(cutoffs: tuple[int, ...], most: int) -> Indices:
    """Return the indices of at most `most` cutoffs, evenly spaced on the axis."""
    if len(cutoffs) <= most:
        return np.arange(len(cutoffs))
    on_axis = np.log(cutoffs) if _grows(cutoffs) else np.array(cutoffs, dtype=np.float64)
    wanted = np.linspace(on_axis[0], on_axis[-1], most)
    return np.unique(np.searchsorted(on_axis, wanted).clip(max=len(cutoffs) - 1))


def _grows(cutoffs: tuple[int, ...]) -> bool:
    """Return whether the cutoffs are further and further apart, as in a logarithmic range."""
    steps = np.diff(cutoffs)
    return len(steps) > 1 and bool(steps[-1] > 2 * steps[0])
