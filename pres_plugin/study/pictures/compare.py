"""Draw the scores of all runs, their order by each measure, and how often measures agree."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from pres_plugin.study.compare import AGREEMENTS, Comparison
from pres_plugin.study.pictures.limits import COMPARED_PAIRS, COMPARED_RUNS
from pres_plugin.study.pictures.style import (
    COLOURS,
    GREY,
    MARKERS,
    WIDTH,
    Drawing,
    new_figure,
    short,
    styled,
)
from pres_plugin.study.scoring import Scores

#: The number of lines that have their own colour.
_COLOURED = len(COLOURS)

#: The number of measures side by side in a legend.
_LEGEND_COLUMNS = 4

#: The width of the lines that lead to names, as part of the width of all other lines.
_LEADERS = 0.25

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
def sorted_scores(
    scores: Scores,
    baselines: Collection[str] = (),
    intervals: pd.DataFrame | None = None,
    *,
    width: float = WIDTH,
) -> Drawing:
    """Draw the scores of the runs by each measure, best run by the first measure on top.

    With confidence intervals, which are those of a Comparison, each score gets a bar. With
    more than 150 runs, only the baselines and the best others are drawn.
    """
    drawn = _drawn(scores, baselines)
    at = np.arange(len(drawn))
    # The bars of a run's measures are below each other.
    step = 0.0 if intervals is None else 0.7 / len(scores.measures)
    row_height = 0.135 if intervals is None else 0.07 + 0.065 * len(scores.measures)
    n_legend_rows = -(-len(scores.measures) // _LEGEND_COLUMNS)
    figure = new_figure(0.75 + 0.15 * n_legend_rows + row_height * len(drawn), width)
    axes = figure.subplots()
    for m, name in enumerate(short(scores.measures)):
        heights = at + step * (m - (len(scores.measures) - 1) / 2)
        colour = COLOURS[m % len(COLOURS)]
        if intervals is not None:
            low, high = (
                intervals[bound].to_numpy().reshape(scores.means.shape)[drawn, m]
                for bound in ("low", "high")
            )
            axes.hlines(heights, low, high, color=colour, linewidth=0.8)
        axes.plot(
            scores.means[drawn, m],
            heights,
            MARKERS[m % len(MARKERS)],
            color=colour,
            fillstyle="full" if m == 0 else "none",
            label=name,
        )
    axes.set_yticks(at, short([scores.runs[i] for i in drawn]))
    axes.set_ylim(len(drawn) - 0.4, -0.6)
    axes.set_xlim(left=min(0.0, axes.get_xlim()[0]))
    axes.set_xlabel(f"score, mean of {len(scores.topics)} topics{_omitted(scores)}")
    figure.legend(loc="outside upper center", ncols=min(_LEGEND_COLUMNS, len(scores.measures)))
    return figure


def _drawn(scores: Scores, baselines: Collection[str]) -> list[int]:
    """Return the indices of the runs to draw: the baselines and the best others, best first."""
    order = scores.order().tolist()
    first = sorted(order, key=lambda i: scores.runs[i] not in baselines)[:COMPARED_RUNS]
    return sorted(first, key=order.index)


def _omitted(scores: Scores) -> str:
    """Return what the label of an axis says if not all runs are drawn."""
    n_runs = len(scores.runs)
    return f"; {COMPARED_RUNS} of {n_runs:,} runs" if n_runs > COMPARED_RUNS else ""


def places(scores: Scores) -> NDArray[np.float64]:
    """Return the place of each run by each measure, 1 for the best; ties share the mean place."""
    return np.apply_along_axis(stats.rankdata, 0, -np.round(scores.means, 12))


@styled
def rank_changes(
    scores: Scores, baselines: Collection[str] = (), *, width: float = WIDTH
) -> Drawing:
    """Draw one line per run, from its place by each measure to its place by the next.

    Place 1 is the best run. The runs whose places change most are in colour, or all runs
    if there are few. With more than 150 runs, only the baselines and the best others by the
    first measure are drawn, at their places among all runs.
    """
    place = places(scores)
    drawn = _drawn(scores, baselines)
    names = short(scores.runs, 18)
    moved = place.max(axis=1) - place.min(axis=1)
    coloured = drawn
    if len(drawn) > _COLOURED:
        most = sorted(drawn, key=lambda i: -moved[i])[:_COLOURED]
        coloured = [i for i in drawn if i in most and moved[i] > 0]
    colour_of = {i: COLOURS[c] for c, i in enumerate(coloured)}
    figure = new_figure(0.8 + 0.125 * max(len(drawn), 10), width)
    axes = figure.subplots()
    at = np.arange(len(scores.measures))
    for i in drawn:
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
    axes.set_xticks(at, short(scores.measures))
    if sum(map(len, scores.measures)) > _LEVEL:
        for label in axes.get_xticklabels():
            label.set(rotation=30, ha="right", rotation_mode="anchor")
    lowest = place[drawn].max() if _omitted(scores) else len(drawn)
    axes.set_ylim(lowest + 0.5, 0.5)
    axes.grid(visible=False)
    axes.set_ylabel(f"place by each measure (1 = best{_omitted(scores)})")
    # The names of the runs on the right, evenly spaced in their order by the last measure.
    by_last = sorted(drawn, key=lambda i: (place[i, -1], drawn.index(i)))
    heights = np.linspace(1, lowest, len(drawn))
    end = max(len(at) - 0.9, 0.1)
    if _omitted(scores):
        # Lead each line from its place, which may be far from its name, to the name.
        end += _LEADERS * len(at)
        for i, height in zip(by_last, heights, strict=True):
            colour = colour_of.get(i, GREY)
            axes.plot([at[-1], end], [place[i, -1], height], ":", color=colour, linewidth=0.5)
    axes.set_xlim(-0.1, end)
    right = axes.secondary_yaxis("right")
    right.set_yticks(heights, [names[i] for i in by_last])
    right.tick_params(length=0)
    right.spines[:].set_visible(False)
    for label, i in zip(right.get_yticklabels(), by_last, strict=True):
        label.set_color(colour_of.get(i, "#555555"))
    return figure


@styled
def agreement(comparison: Comparison, *, width: float = WIDTH) -> Drawing:
    """Draw one bar per pair of measures, which shows for how many pairs of runs they agree.

    With more than 100 pairs of measures, only the first 100 are drawn.
    """
    table = comparison.agreement.head(COMPARED_PAIRS)
    n_pairs = max(1, int(comparison.verdicts.iloc[0].sum()))
    figure = new_figure(1.45 + 0.42 * max(len(table), 1), width)
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
    columns = (short(table[side].tolist()) for side in ("first", "second"))
    names = [f"{a}\nand {b}" for a, b in zip(*columns, strict=True)]
    axes.set_yticks(at, names)
    axes.set_ylim(len(table) - 0.5, -0.5)
    axes.set_xlim(0, 100)
    axes.set_xlabel(f"pairs of runs, % of {int(comparison.verdicts.iloc[0].sum())} (counts inside)")
    figure.legend(loc="outside upper left", ncols=2, columnspacing=1)
    return figure
