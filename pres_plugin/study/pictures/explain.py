"""Draw PRES as a ratio of areas between the best and the worst case."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from pres_plugin.study.explain import Explanation
from pres_plugin.study.pictures.style import COLOURS, new_figure, short, styled

_A1, _A2 = "#f3c7a5", "#a9cfe6"

#: The smallest fraction of the panel in which the name of an area fits.
_LABELLED = 0.04


@styled
def areas(explanations: Sequence[Explanation]) -> Figure:
    """Draw one panel per run, with the curves of the best case, the ranking and the worst case.

    A curve shows how many relevant documents are found up to each rank. Area A1 lies
    between the best case and the ranking, area A2 between the ranking and the worst case.
    Missed documents are drawn at the ranks that PRES assigns to them, after Nmax.
    """
    few = len(explanations) <= 1
    columns = 1 if few else 2
    rows = math.ceil(len(explanations) / columns)
    figure = new_figure(height=0.75 + (2.3 if few else 1.5) * rows)
    panels = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).flat
    names = short([explanation.run for explanation in explanations], 40 if few else 24)
    for axes, explanation, name in zip(panels, explanations, names, strict=False):
        _panel(axes, explanation)
        score = f"PRES = {explanation.pres:.4g}"
        if few:
            curves = explanation.curves()
            score += f" = A2 / (A1 + A2) = {curves.a2} / {curves.a1 + curves.a2}"
        axes.set_title(f"{name}\n{score}", loc="left", pad=11)
    for axes in figure.axes[len(explanations) :]:
        axes.set_visible(False)
    figure.supxlabel("rank (documents checked)", fontsize=7)
    figure.supylabel("relevant documents found", fontsize=7)
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=3)
    return figure


def _panel(axes: Any, explanation: Explanation) -> None:
    curves = explanation.curves()
    n, n_max = explanation.n, explanation.n_max
    between = {"step": "post", "linewidth": 0}
    axes.fill_between(
        curves.rank, curves.this, curves.best, color=_A1, label="A1", **between,
    )  # fmt: skip
    axes.fill_between(curves.rank, curves.worst, curves.this, color=_A2, label="A2", **between)
    step = {"where": "post"}
    axes.step(curves.rank, curves.best, color="#000000", linestyle=":", label="best case", **step)
    axes.step(curves.rank, curves.this, color=COLOURS[0], label="this ranking", **step)
    dashed = {"color": "#000000", "linestyle": "--"}
    axes.step(curves.rank, curves.worst, label="worst case", **dashed, **step)
    found = range(1, len(explanation.ranks) + 1)
    dots = {"s": 9 if n <= 40 else 3, "zorder": 4, "clip_on": False, "linewidths": 0.8}
    axes.scatter(explanation.ranks, found, color=COLOURS[0], **dots)
    missed = range(len(explanation.ranks) + 1, n + 1)
    axes.scatter(
        [n_max + i for i in missed], missed, facecolors="white", edgecolors=COLOURS[1],
        label="missed", **dots,
    )  # fmt: skip
    axes.axvline(n_max, color="#555555", linewidth=0.8)
    axes.annotate(
        f"Nmax = {n_max}", (n_max, 1), xycoords=("data", "axes fraction"), xytext=(0, 3),
        textcoords="offset points", ha="right", fontsize=6, color="#333333",
    )  # fmt: skip
    for label, low, high in (
        ("A1", curves.this, curves.best),
        ("A2", curves.worst, curves.this),
    ):
        if (high - low).sum() > _LABELLED * n * n_max:
            axes.text(*_roomiest(low, high), label, ha="center", va="center", fontsize=8)
    axes.set_xlim(0, n_max + n)
    axes.set_ylim(0, n * 1.02)
    axes.yaxis.get_major_locator().set_params(integer=True)


def _roomiest(low: NDArray[np.int64], high: NDArray[np.int64]) -> tuple[float, float]:
    """Return the middle of the gap between two rising curves, where the gap is wide and tall."""
    levels = np.arange(high.max())
    # At each level, the gap is from where the upper curve exceeds it to where the lower one does.
    left, right = np.searchsorted(high, levels, "right"), np.searchsorted(low, levels, "right")
    middle = np.minimum((left + right) // 2, len(low) - 1)
    wide, tall = (right - left) / len(low), (high[middle] - low[middle]) / high.max()
    at = middle[np.argmax(np.minimum(wide, tall))]
    return float(at), float((low[at] + high[at]) / 2)
