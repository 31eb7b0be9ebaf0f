"""Draw the scores of all runs, their order by each measure, and how often measures agree."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy import stats

from pres_plugin.study.compare import AGREEMENTS, Comparison
from pres_plugin.study.pictures.style import COLOURS, GREY, MARKERS, new_figure, short, styled
from pres_plugin.study.scoring import Scores, best_first

#: The number of lines that have their own colour.
_COLOURED = len(COLOURS)

#: The number of letters in the measures' names that fit side by side.
_LEVEL = 20

_AGREEMENT_LOOKS = (
    ("#0072B2", ""),
    ("#cfcfcf", ""),
    ("#E69F00", "////"),
    ("#56B4E9", "...."),
    ("#000000", ""),
)


@styled
def sorted_scores(scores: Scores) -> Figure:
    """Draw the scores of all runs by each measure, best run by the first measure on top."""
    table = scores.table()
    figure = new_figure(height=0.9 + 0.135 * len(table))
    axes = figure.subplots()
    at = np.arange(len(table))
    for m, measure in enumerate(table.columns):
        axes.plot(
            table[measure],
            at,
            MARKERS[m % len(MARKERS)],
            color=COLOURS[m % len(COLOURS)],
            fillstyle="full" if m == 0 else "none",
            label=measure,
        )
    axes.set_yticks(at, short(list(table.index)))
    axes.set_ylim(len(table) - 0.4, -0.6)
    axes.set_xlim(left=min(0.0, axes.get_xlim()[0]))
    axes.set_xlabel(f"score, mean of {len(scores.topics)} topics")
    figure.legend(loc="outside upper center", ncols=min(4, len(table.columns)))
    return figure


def places(scores: Scores) -> NDArray[np.float64]:
    """Return the place of each run by each measure, 1 for the best; ties share the mean place."""
    return np.apply_along_axis(stats.rankdata, 0, -np.round(scores.means, 12))


@styled
def rank_changes(scores: Scores) -> Figure:
    """Draw one line per run, from its place by each measure to its place by the next.

    Place 1 is the best run. The runs whose places change most are in colour, or all runs
    if there are few.
    """
    place = places(scores)
    order = best_first(scores.means[:, 0]).tolist()
    names = short(scores.runs, 18)
    moved = place.max(axis=1) - place.min(axis=1)
    coloured = order
    if len(order) > _COLOURED:
        coloured = [i for i in best_first(moved)[:_COLOURED].tolist() if moved[i] > 0]
        coloured.sort(key=order.index)
    colour_of = {i: COLOURS[c] for c, i in enumerate(coloured)}
    figure = new_figure(height=0.8 + 0.125 * max(len(order), 10))
    axes = figure.subplots()
    at = np.arange(len(scores.measures))
    for i in order:
        axes.plot(
            at,
            place[i],
            "o-",
            markersize=2.5,
            color=colour_of.get(i, GREY),
            linewidth=1.4 if i in colour_of else 0.6,
            zorder=3 if i in colour_of else 2,
            label=scores.runs[i],
        )
    axes.set_xticks(at, scores.measures)
    if sum(map(len, scores.measures)) > _LEVEL:
        for label in axes.get_xticklabels():
            label.set(rotation=30, ha="right", rotation_mode="anchor")
    axes.set_xlim(-0.1, max(len(at) - 0.9, 0.1))
    axes.set_ylim(len(order) + 0.5, 0.5)
    axes.grid(visible=False)
    axes.set_ylabel("place by each measure (1 = best)")
    # The names of the runs on the right, in their order by the last measure.
    by_last = sorted(order, key=lambda i: (place[i, -1], order.index(i)))
    right = axes.secondary_yaxis("right")
    right.set_yticks(np.arange(1, len(order) + 1), [names[i] for i in by_last])
    right.tick_params(length=0)
    right.spines[:].set_visible(False)
    for label, i in zip(right.get_yticklabels(), by_last, strict=True):
        label.set_color(colour_of.get(i, "#555555"))
    return figure


@styled
def agreement(comparison: Comparison) -> Figure:
    """Draw one bar per pair of measures, which shows for how many pairs of runs they agree."""
    table = comparison.agreement
    n_pairs = max(1, int(comparison.verdicts.iloc[0].sum()))
    figure = new_figure(height=1.45 + 0.42 * max(len(table), 1))
    axes = figure.subplots()
    at = np.arange(len(table))
    left = np.zeros(len(table))
    for what, (colour, hatch) in zip(AGREEMENTS, _AGREEMENT_LOOKS, strict=True):
        share = 100 * table[what].to_numpy() / n_pairs
        bars = axes.barh(
            at, share, left=left, height=0.6, color=colour, hatch=hatch, edgecolor="white",
            linewidth=0.5, label=what,
        )  # fmt: skip
        dark = colour in {"#0072B2", "#000000"}
        counts = [str(n) if s >= 6 else "" for n, s in zip(table[what], share, strict=True)]
        labels = axes.bar_label(
            bars, counts, label_type="center", fontsize=6.5, color="white" if dark else "black"
        )
        if hatch:
            for label in labels:
                label.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 0.8})
        left += share
    names = [f"{a}\nand {b}" for a, b in zip(table["first"], table["second"], strict=True)]
    axes.set_yticks(at, names)
    axes.set_ylim(len(table) - 0.5, -0.5)
    axes.set_xlim(0, 100)
    axes.set_xlabel(f"pairs of runs, % of {int(comparison.verdicts.iloc[0].sum())} (counts inside)")
    figure.legend(loc="outside upper left", ncols=2, columnspacing=1)
    return figure
