"""Draw PRES as a ratio of areas between the best and the worst case."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import cycle, islice
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from pres_plugin.study.explain import Curves, Explanation, Ints
from pres_plugin.study.pictures.limits import PANELS
from pres_plugin.study.pictures.style import (
    PLAIN,
    WIDTH,
    Drawing,
    Tip,
    colours,
    distinct,
    dot,
    foreground,
    given_or_new,
    new_figure,
    points,
    short,
    small,
    styled,
    thin,
)

_A1, _A2 = "#f3c7a5", "#a9cfe6"

_X = "rank (documents checked)"
_Y = "relevant documents found"

#: The number of rows and columns of a grid over a panel, whose cells are about a pixel high. In a
#: large picture, one point per cell is drawn, and curves rise by at least a cell.
_CELLS, _CELLS_OF_SMALL = 600, 400

#: The smallest fraction of the panel in which the name of an area fits.
_LABELLED = 0.04


@styled
def areas(explanations: Sequence[Explanation], *, width: float = WIDTH) -> Drawing:
    """Draw one panel per run, with the curves of the best case, the ranking and the worst case.

    A curve shows how many relevant documents are found up to each rank. Area A1 lies
    between the best case and the ranking, area A2 between the ranking and the worst case.
    Missed documents are drawn at the ranks that PRES assigns to them, after Nmax. Only the
    first 24 runs are drawn.
    """
    explanations = explanations[:PANELS]
    few = len(explanations) <= 1
    columns = 1 if few else 2
    rows = math.ceil(len(explanations) / columns)
    figure = new_figure(0.75 + (2.3 if few else 1.5) * rows, width)
    panels = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).flat
    names = short(
        [explanation.run for explanation in explanations], 40 if few or width > WIDTH else 20
    )
    for axes, explanation, name in zip(panels, explanations, names, strict=False):
        curves = explanation.curves()
        figure.tips += _draw_areas(axes, explanation, curves, _CELLS if few else _CELLS_OF_SMALL)
        _name_areas(axes, explanation, curves)
        score = _score_and_areas(explanation, curves) if few else _score(explanation)
        axes.set_title(f"{name}\n{score}", loc="left", pad=11)
    # All panels share their axes, and topics may have different numbers of relevant documents.
    figure.axes[0].set_xlim(0, max(e.n_max + e.n for e in explanations))
    figure.axes[0].set_ylim(0, max(e.n for e in explanations) * 1.02)
    for axes in figure.axes[len(explanations) :]:
        axes.set_visible(False)
    figure.supxlabel(_X, fontsize="medium")
    figure.supylabel(_Y, fontsize="medium")
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=3 if width <= WIDTH else 6)
    return figure


def plot_areas(explanation: Explanation, ax: Axes | None) -> Axes:
    """Draw one run into the caller's axes; see :meth:`Explanation.plot`."""
    axes = given_or_new(ax)
    _draw_areas(axes, explanation, explanation.curves(), _CELLS)
    title = f"{short([explanation.run], 40)[0]}: {_score(explanation)}"
    # Above the name of Nmax.
    axes.set_title(title, pad=mpl.rcParams["axes.titlepad"] + points(small()), **PLAIN)
    axes.set_xlim(0, explanation.n_max + explanation.n)
    axes.set_ylim(0, explanation.n * 1.02)
    axes.set_xlabel(_X)
    axes.set_ylabel(_Y)
    axes.legend()
    return axes


def _score(explanation: Explanation) -> str:
    return f"PRES = {explanation.pres:.4g}"


def _score_and_areas(explanation: Explanation, curves: Curves) -> str:
    return f"{_score(explanation)} = A2 / (A1 + A2) = {curves.a2} / {curves.a1 + curves.a2}"


def _draw_areas(axes: Axes, explanation: Explanation, curves: Curves, cells: int) -> list[Tip]:
    """Draw the curves, areas and documents of one run; return the documents' tips."""
    n, n_max = explanation.n, explanation.n_max
    drawn = visible_steps(curves, cells)
    this, other = islice(cycle(colours()), 2)
    between: dict[str, Any] = {"step": "post", "linewidth": 0}
    axes.fill_between(drawn.rank, drawn.this, drawn.best, color=_A1, label="A1", **between)
    axes.fill_between(drawn.rank, drawn.worst, drawn.this, color=_A2, label="A2", **between)
    step: dict[str, Any] = {"where": "post"}
    axes.step(drawn.rank, drawn.best, color=foreground(), ls=":", label="best case", **step)
    axes.step(drawn.rank, drawn.this, color=this, label="this ranking", **step)
    axes.step(drawn.rank, drawn.worst, color=foreground(), ls="--", label="worst case", **step)
    n_found = len(explanation.ranks)
    size = 0.5625 if n <= 40 else 0.1875
    dots: dict[str, Any] = {
        "s": size * dot(1) ** 2, "zorder": 4, "clip_on": False, "linewidths": thin(2 / 3)
    }  # fmt: skip
    found = _visible(np.array(explanation.ranks, dtype=np.int64), np.arange(1, n_found + 1), cells)
    axes.scatter(*found, color=this, **dots)
    missed_places = np.arange(n_found + 1, n + 1)
    missed = _visible(n_max + missed_places, missed_places, cells)
    axes.scatter(*missed, facecolors=axes.get_facecolor(), edgecolors=other, label="missed", **dots)
    axes.axvline(n_max, color=mpl.rcParams["axes.edgecolor"], linewidth=thin(2 / 3))
    axes.annotate(
        f"Nmax = {n_max}", (n_max, 1), xycoords=("data", "axes fraction"), xytext=(0, 3),
        textcoords="offset points", ha="right", fontsize=small(),
    )  # fmt: skip
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    ranks, places = np.hstack([found, missed]).tolist()
    return [
        Tip(axes, rank, place, f"{doc_id}: {why}")
        for rank, place, (doc_id, *_, why) in zip(
            ranks, places, explanation.rows(places), strict=True
        )
    ]


def _name_areas(axes: Axes, explanation: Explanation, curves: Curves) -> None:
    """Write the names of the areas into them, where they fit."""
    for label, area, low, high in (
        ("A1", curves.a1, curves.this, curves.best),
        ("A2", curves.a2, curves.worst, curves.this),
    ):
        if area > _LABELLED * explanation.n * explanation.n_max:
            at = _roomiest(curves.rank, low, high)
            axes.text(*at, label, ha="center", va="center", fontsize="large", color="black")


def _visible(ranks: Ints, places: Ints, cells: int) -> tuple[Ints, Ints]:
    """Return the dots to draw: all, or one per cell of a grid if there are many documents."""
    some = distinct(ranks, places, cells)
    return (ranks[some], places[some])


def visible_steps(curves: Curves, cells: int) -> Curves:
    """Leave out ranks at which no curve rises by a visible step: 1/`cells` of the height."""
    n = int(curves.best[-1])
    if n <= cells:
        return curves
    heights = np.stack([curves.best, curves.this, curves.worst])
    rises = np.any(np.diff(heights * cells // n) > 0, axis=0)
    kept = np.flatnonzero(np.concatenate([[True], rises]))
    return Curves(curves.rank[kept], *heights[:, kept])


def _roomiest(rank: Ints, low: Ints, high: Ints) -> tuple[float, float]:
    """Return the middle of the gap between two rising curves, where the gap is wide and tall."""
    n = int(high[-1])
    levels = np.arange(n)
    # At each level, the gap is from where the upper curve exceeds it to where the lower one does.
    left, right = (rank[np.searchsorted(curve, levels, "right")] for curve in (high, low))
    middle = (left + right) // 2
    at = np.searchsorted(rank, middle, "right") - 1
    wide, tall = (right - left) / (rank[-1] + 1), (high[at] - low[at]) / n
    best = np.argmax(np.minimum(wide, tall))
    return float(middle[best]), float((low[at[best]] + high[at[best]]) / 2)
