"""Draw how stable the order of runs is when judgements are missing."""

from __future__ import annotations

import math
from typing import Any

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from pres_plugin.study.pictures.limits import TAU_MEASURES
from pres_plugin.study.pictures.style import (
    DASHES,
    MARKERS,
    WIDTH,
    Drawing,
    Tip,
    add_legend,
    colours,
    distinct,
    dot,
    given_or_new,
    new_figure,
    short,
    styled,
)
from pres_plugin.study.robustness import Robustness

#: The number of letters of the measures' names that fit side by side.
_LETTERS = 60

#: With more fractions than this, not every fraction has its own tick.
_TICKS = 12

#: More dots than this are thinned, to one per cell of a grid with this many columns and rows.
_DOTS = 2_000
_CELLS = 100

#: The greatest number of dots with a tip per measure. More are thinned in the same way, to one per
#: cell of a grid with this many columns and rows.
_TIPS = 400
_TIP_CELLS = 20


@styled
def lowest_tau(found: Robustness, *, width: float = WIDTH) -> Drawing:
    """Draw the lowest τ per fraction and measure as lines, and each sample as a faint dot.

    Only the first 12 measures are drawn.
    """
    names = short(found.measures[:TAU_MEASURES])
    columns = max(1, min(round(4 * width / WIDTH), _LETTERS // max(map(len, names))))
    rows = math.ceil(len(names) / columns)
    figure = new_figure(2.7 + 0.14 * max(0, rows - 1), width)
    axes = figure.subplots()
    lines, figure.tips = _draw_lowest_tau(axes, found)
    axes.set_ylim(top=1.01)
    add_legend(figure, lines, names, loc="outside upper center", ncols=columns)
    return figure


def plot_lowest_tau(found: Robustness, ax: Axes | None) -> Axes:
    """Draw into the caller's axes; see :meth:`Robustness.plot`."""
    axes = given_or_new(ax)
    lines, _ = _draw_lowest_tau(axes, found)
    add_legend(axes, lines, short(found.measures[:TAU_MEASURES]))
    return axes


def _draw_lowest_tau(axes: Axes, found: Robustness) -> tuple[list[Line2D], list[Tip]]:
    """Draw lines and dots; return the lines, and the tips of both."""
    lines, tips = [], []
    lowest = found.lowest()
    kept = 100 * lowest.index.to_numpy()
    palette = colours()
    for m, measure in enumerate(found.measures[:TAU_MEASURES]):
        look: dict[str, Any] = {
            "color": palette[m % len(palette)],
            "marker": MARKERS[m % len(MARKERS)],
        }
        values = lowest[measure].to_numpy()
        lines += axes.plot(
            kept, values, linestyle=DASHES[m % len(DASHES)], label=measure, zorder=3, **look
        )
        every = found.taus[found.taus["measure"] == measure].dropna()
        if len(every) > _DOTS:
            every = every.iloc[distinct(every["fraction"], every["kendall_tau"], _CELLS)]
        size = 0.5 * dot(1) ** 2
        axes.scatter(
            100 * every["fraction"], every["kendall_tau"], s=size, alpha=0.35, linewidths=0, **look
        )
        tips += [
            Tip(axes, x, y, f"{measure}: lowest τ = {y:.4f} with {x:g} % of the documents")
            for x, y in zip(kept.tolist(), values.tolist(), strict=True)
        ]
        if len(every) > _TIPS:
            every = every.iloc[distinct(every["fraction"], every["kendall_tau"], _TIP_CELLS)]
        tips += [
            Tip(axes, x, y, f"{measure}: τ = {y:.4f} with {x:g} % of the documents, sample {n}")
            for x, y, n in zip(
                (100 * every["fraction"]).tolist(), every["kendall_tau"], every["sample"],
                strict=True,
            )
        ]  # fmt: skip
    axes.set_xlabel("relevant documents kept in each topic, %")
    axes.set_ylabel("lowest Kendall's τ of the samples")
    if len(found.fractions) <= _TICKS:
        axes.set_xticks([100 * fraction for fraction in found.fractions])
    return lines, tips
