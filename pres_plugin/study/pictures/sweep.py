"""Draw the scores at each Nmax."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, ScalarFormatter

from pres_plugin.study.pictures.style import COLOURS, DASHES, GREY, new_figure, short, styled
from pres_plugin.study.scoring import best_first
from pres_plugin.study.sweep import Sweep


@styled
def curves(found: Sweep) -> Figure:
    """Draw one panel per measure, with one curve per run, in the same colour in all panels.

    A ring marks where two runs change places. If there are more runs than colours,
    the best runs by the first measure at the last cutoff are in colour.
    """
    order = best_first(found.values[:, 0, -1]).tolist()
    coloured = order[: len(COLOURS)]
    others = len(order) > len(coloured)
    n_rows = len(coloured) + others
    figure = new_figure(height=0.6 + 1.75 * len(found.measures) + 0.14 * n_rows)
    panels = figure.subplots(len(found.measures), 1, sharex=True, squeeze=False)[:, 0]
    changes = found.changes()
    in_colour = {found.runs[i] for i in coloured}
    dense = len(found.cutoffs) > 25
    for m, (axes, measure) in enumerate(zip(panels, found.measures, strict=True)):
        for i in order:
            top = i in coloured
            axes.plot(
                found.cutoffs,
                found.values[i, m],
                marker="o" if top and not dense else "",
                markersize=2,
                # Different dashes keep both curves visible where they coincide.
                linestyle=DASHES[coloured.index(i) % len(DASHES)] if top else "-",
                color=COLOURS[coloured.index(i)] if top else GREY,
                linewidth=1.2 if top else 0.5,
                zorder=3 if top else 2,
                label=found.runs[i],
            )
        of_measure = changes[changes["measure"] == measure]
        # Draw no ring where two grey curves cross, since nobody can tell which runs they are.
        seen = of_measure["ahead_before"].isin(in_colour) | of_measure["ahead_after"].isin(
            in_colour
        )
        axes.scatter(
            of_measure["n_max"][seen], of_measure["value"][seen], s=14, facecolors="none",
            edgecolors="#222222", linewidths=0.6, zorder=4, label="change",
        )  # fmt: skip
        axes.set_ylabel(f"{measure}@Nmax")
        axes.set_ylim(bottom=0)
    panels[-1].set_xlabel(f"Nmax (documents checked); means of {found.n_topics} topics")
    panels[-1].xaxis.set_major_locator(MaxNLocator(integer=True))
    if _grows(found.cutoffs):
        panels[-1].set_xscale("log")
        panels[-1].xaxis.set_major_formatter(ScalarFormatter())
    names = short([found.runs[i] for i in coloured], 40)
    handles = [
        Line2D([], [], color=COLOURS[c], linestyle=DASHES[c % len(DASHES)], label=name)
        for c, name in enumerate(names)
    ]
    if others:
        handles.append(
            Line2D([], [], color=GREY, linewidth=0.5, label=f"{len(order) - len(coloured)} others")
        )
    ring: dict[str, Any] = {"linestyle": "", "marker": "o", "fillstyle": "none", "color": "#222222"}
    handles.append(Line2D([], [], label="two runs change places", **ring))
    figure.legend(handles=handles, loc="outside upper left", ncols=1)
    return figure


def _grows(cutoffs: tuple[int, ...]) -> bool:
    """Return whether the cutoffs are further and further apart, as in a logarithmic range."""
    steps = np.diff(cutoffs)
    return len(steps) > 1 and bool(steps[-1] > 2 * steps[0])
