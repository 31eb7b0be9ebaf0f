"""Draw how stable the order of runs is when judgements are missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pres_plugin.output.words import labels
from pres_plugin.study import result
from pres_plugin.study.output.style import (
    DASHES,
    MARKERS,
    add_legend,
    colours,
    given_or_new,
    new_figure,
    short,
    styled,
    tips,
)
from pres_plugin.study.robustness.analysis import Robustness

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# More dots than this per measure are drawn as pixels, because files would be too large.
_DOTS = 2_000


@styled
def lowest_tau(found: Robustness) -> Figure:
    """Draw the lowest τ per fraction and measure as lines, and each sample as a faint dot."""
    figure = new_figure(2.7 + 0.07 * len(found.measures))
    axes = figure.subplots()
    _draw(axes, found, figure, loc="outside upper center")
    axes.set_ylim(top=1.01)
    return figure


@result.plot.register(Robustness)
def plot(found: Robustness, ax: Axes | None) -> Axes:
    """Draw into the caller's axes; see :meth:`Robustness.plot`."""
    axes = given_or_new(ax)
    _draw(axes, found, axes)
    return axes


def _draw(axes: Axes, found: Robustness, parent: Figure | Axes, **options: Any) -> None:
    """Draw lines and dots, and a legend with these options into `parent`."""
    measures = list(labels(found.measures).values())
    palette, lines = colours(), []
    kept = 100 * np.array(found.fractions)
    x = np.repeat(kept, found.n_samples)
    for m, measure in enumerate(measures):
        taus = found.kendall_tau[:, :, m]
        lowest = np.fmin.reduce(taus, axis=1)
        look: dict[str, Any] = {
            "color": palette[m % len(palette)],
            "marker": MARKERS[m % len(MARKERS)],
        }
        dash = DASHES[m % len(DASHES)]
        lines += axes.plot(kept, lowest, linestyle=dash, label=measure, zorder=3, **look)
        of = zip(lowest, kept, strict=True)
        said = [f"{measure}: lowest τ = {t:.4f} with {at:g} % of the documents" for t, at in of]
        tips(lines[-1], said)
        (dots,) = axes.plot(
            x,
            taus.ravel(),
            linestyle="",
            markersize=2.83,
            alpha=0.35,
            markeredgewidth=0,
            rasterized=len(x) > _DOTS,
            **look,
        )
        tips(dots, [measure])
    axes.set_xlabel("relevant documents kept in each topic, %")
    axes.set_ylabel("lowest Kendall's τ of the samples")
    add_legend(parent, lines, short(measures), **options)
