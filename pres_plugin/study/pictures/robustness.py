"""Draw how stable the order of runs is when judgements are missing."""

from __future__ import annotations

import math
from typing import Any

from pres_plugin.study.pictures.limits import TAU_MEASURES
from pres_plugin.study.pictures.style import (
    COLOURS,
    DASHES,
    MARKERS,
    WIDTH,
    Drawing,
    add_legend,
    distinct,
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


@styled
def lowest_tau(found: Robustness, *, width: float = WIDTH) -> Drawing:
    """Draw the lowest τ per fraction and measure as lines, and each sample as a faint dot.

    Only the first 12 measures are drawn.
    """
    measures = found.measures[:TAU_MEASURES]
    names = short(measures)
    columns = max(1, min(4, _LETTERS // max(map(len, names))))
    rows = math.ceil(len(names) / columns)
    figure = new_figure(2.7 + 0.14 * max(0, rows - 1), width)
    axes = figure.subplots()
    lowest = found.lowest()
    for m, measure in enumerate(measures):
        look: dict[str, Any] = {
            "color": COLOURS[m % len(COLOURS)],
            "marker": MARKERS[m % len(MARKERS)],
        }
        axes.plot(
            100 * lowest.index.to_numpy(),
            lowest[measure],
            linestyle=DASHES[m % len(DASHES)],
            label=measure,
            zorder=3,
            **look,
        )
        every = found.taus[found.taus["measure"] == measure]
        if len(every) > _DOTS:
            every = every.iloc[distinct(every["fraction"], every["kendall_tau"], _CELLS)]
        axes.scatter(
            100 * every["fraction"], every["kendall_tau"], s=8, alpha=0.35, linewidths=0, **look
        )
    axes.set_xlabel("relevant documents kept in each topic, %")
    axes.set_ylabel("lowest Kendall's τ with all judgements")
    if len(found.fractions) <= _TICKS:
        axes.set_xticks([100 * fraction for fraction in found.fractions])
    axes.set_ylim(top=1.01)
    add_legend(figure, axes.lines, names, loc="outside upper center", ncols=columns)
    return figure
