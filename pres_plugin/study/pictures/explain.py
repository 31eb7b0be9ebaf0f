"""Draw PRES as a ratio of areas between the best and the worst case."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from pres_plugin.study.explain import Curves, Explanation, Ints
from pres_plugin.study.pictures.limits import PANELS
from pres_plugin.study.pictures.style import (
    COLOURS,
    WIDTH,
    Drawing,
    distinct,
    new_figure,
    short,
    styled,
)

_A1, _A2 = "#f3c7a5", "#a9cfe6"

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
    names = short([explanation.run for explanation in explanations], 40 if few else 24)
    for axes, explanation, name in zip(panels, explanations, names, strict=False):
        curves = explanation.curves()
        _panel(axes, explanation, curves, _CELLS if few else _CELLS_OF_SMALL)
        score = f"PRES = {explanation.pres:.4g}"
        if few:
            score += f" = A2 / (A1 + A2) = {curves.a2} / {curves.a1 + curves.a2}"
        axes.set_title(f"{name}\n{score}", loc="left", pad=11)
    # All panels share their axes, and topics may have different numbers of relevant documents.
    figure.axes[0].set_xlim(0, max(e.n_max + e.n for e in explanations))
    figure.axes[0].set_ylim(0, max(e.n for e in explanations) * 1.02)
    for axes in figure.axes[len(explanations) :]:
        axes.set_visible(False)
    figure.supxlabel("rank (documents checked)", fontsize=7)
    figure.supylabel("relevant documents found", fontsize=7)
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=3)
    return figure


def _panel(axes: Any, explanation: Explanation, curves: Curves, cells: int) -> None:
    n, n_max = explanation.n, explanation.n_max
    drawn = visible_steps(curves, cells)
    between = {"step": "post", "linewidth": 0}
    axes.fill_between(drawn.rank, drawn.this, drawn.best, color=_A1, label="A1", **between)
    axes.fill_between(drawn.rank, drawn.worst, drawn.this, color=_A2, label="A2", **between)
    step = {"where": "post"}
    axes.step(drawn.rank, drawn.best, color="#000000", linestyle=":", label="best case", **step)
    axes.step(drawn.rank, drawn.this, color=COLOURS[0], label="this ranking", **step)
    dashed = {"color": "#000000", "linestyle": "--"}
    axes.step(drawn.rank, drawn.worst, label="worst case", **dashed, **step)
    ranks = np.array(explanation.ranks, dtype=np.int64)
    found, missed = np.split(np.arange(1, n + 1), [len(ranks)])
    dots = {"s": 9 if n <= 40 else 3, "zorder": 4, "clip_on": False, "linewidths": 0.8}
    some = distinct(ranks, found, cells) if n > cells else np.arange(len(found))
    axes.scatter(ranks[some], found[some], color=COLOURS[0], **dots)
    some = distinct(missed, missed, cells) if n > cells else np.arange(len(missed))
    axes.scatter(
        n_max + missed[some], missed[some], facecolors="white", edgecolors=COLOURS[1],
        label="missed", **dots,
    )  # fmt: skip
    axes.axvline(n_max, color="#555555", linewidth=0.8)
    axes.annotate(
        f"Nmax = {n_max}", (n_max, 1), xycoords=("data", "axes fraction"), xytext=(0, 3),
        textcoords="offset points", ha="right", fontsize=6, color="#333333",
    )  # fmt: skip
    for label, area, low, high in (
        ("A1", curves.a1, curves.this, curves.best),
        ("A2", curves.a2, curves.worst, curves.this),
    ):
        if area > _LABELLED * n * n_max:
            at = _roomiest(curves.rank, low, high)
            axes.text(*at, label, ha="center", va="center", fontsize=8)
    axes.yaxis.get_major_locator().set_params(integer=True)


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
