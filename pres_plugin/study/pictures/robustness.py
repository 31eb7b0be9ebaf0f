"""Draw how stable the order of runs is when judgements are missing."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from pres_plugin.study.pictures.style import COLOURS, DASHES, MARKERS, new_figure, styled
from pres_plugin.study.robustness import Robustness


@styled
def lowest_tau(found: Robustness) -> Figure:
    """Draw the lowest τ per fraction and measure as lines, and each sample as a faint dot."""
    figure = new_figure(height=2.7)
    axes = figure.subplots()
    lowest = found.lowest()
    for m, measure in enumerate(found.measures):
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
        axes.scatter(
            100 * every["fraction"], every["kendall_tau"], s=8, alpha=0.35, linewidths=0, **look
        )
    axes.set_xlabel("relevant documents kept in each topic, %")
    axes.set_ylabel("lowest Kendall's τ with all judgements")
    axes.set_xticks([100 * fraction for fraction in found.fractions])
    axes.set_ylim(top=1.01)
    figure.legend(loc="outside upper center", ncols=min(4, len(found.measures)))
    return figure
