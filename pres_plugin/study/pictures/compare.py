"""Draw the scores of all runs, their order by each measure, and how often measures agree."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from pres_plugin.study.cells import written
from pres_plugin.study.columns import Column, Columns
from pres_plugin.study.compare import AGREEMENTS, Comparison
from pres_plugin.study.estimates import estimates
from pres_plugin.study.inputs import StudyError, check_known, checked_items
from pres_plugin.study.pictures.limits import COMPARED_PAIRS, COMPARED_RUNS, SCALES
from pres_plugin.study.pictures.scales import scales
from pres_plugin.study.pictures.style import (
    COLOURS,
    GREY,
    MARKERS,
    PLAIN,
    WIDTH,
    Drawing,
    Tip,
    add_legend,
    colours,
    dot,
    given_or_new,
    mean_of,
    new_figure,
    short,
    small,
    styled,
    thin,
)
from pres_plugin.study.scoring import Scores
from pres_plugin.study.statistics.ranks import average_ranks

if TYPE_CHECKING:
    import pandas as pd

#: The number of lines that have their own colour.
_COLOURED = len(COLOURS)

#: The number of measures side by side in a legend, per inch.
_LEGEND_COLUMNS = 1.15

#: How many times wider the panel for scores is than a panel for a measure with its own scale.
_MAIN_PANEL = 3

#: The part of a row in which the intervals of several measures are drawn, one below the other.
_SPREAD = 0.66

#: The width of the lines that lead to names, relative to the width of all other lines.
_LEADERS = 0.25

#: The number of letters in the measures' names that fit side by side.
_LEVEL = 20

#: The colour of text on dark bars. It stays white even if the page has a dark background.
_ON_BLUE = "#fefefe"

# The colour, the hatch and the colour of text of each kind of agreement.
_AGREEMENT_LOOKS = (
    ("#0072B2", "", _ON_BLUE),
    ("#cfcfcf", "", "black"),
    ("#E69F00", "////", "black"),
    ("#56B4E9", "\\\\\\\\", "black"),
    ("#000000", "", "white"),
)


@styled
def sorted_scores(
    scores: Scores,
    baselines: Collection[str] = (),
    intervals: Columns | pd.DataFrame | None = None,
    *,
    width: float = WIDTH,
) -> Drawing:
    """Draw the scores of the runs by each measure, best run by the first measure on top.

    Measures whose values are not between -1 and 1, such as LastRel, have panels of their own;
    at most four panels are drawn. If a Comparison's intervals are given, each score has an
    error bar. With more than 150 runs, only the baselines and the best others are
    drawn.
    """
    drawn = _drawn(scores, baselines)
    groups = scales(scores)[:SCALES]
    measures = [m for group in groups for m in group]
    n_columns = min(int(_LEGEND_COLUMNS * width), len(measures))
    n_legend_rows = -(-len(measures) // n_columns)
    per_run = 0.135 if intervals is None else 0.07 + 0.065 * max(map(len, groups))
    figure = new_figure(0.75 + 0.15 * n_legend_rows + per_run * len(drawn), width)
    widths = [_MAIN_PANEL if i == 0 else 1 for i in range(len(groups))]
    panels = figure.subplots(1, len(groups), sharey=True, squeeze=False, width_ratios=widths)[0]
    handles: list[Line2D] = []
    for axes, group in zip(panels, groups, strict=True):
        lines, tips = _draw_scores(axes, scores, drawn, group, intervals)
        handles += lines
        figure.tips += tips
    panels[0].set_xlabel(_means_of(scores, groups[0]))
    for axes, group in zip(panels[1:], groups[1:], strict=True):
        axes.set_xlabel(short([scores.measures[group[0]]], 14)[0])
        axes.xaxis.set_major_locator(MaxNLocator(3 if width > WIDTH else 2))
        axes.xaxis.set_major_formatter("{x:,.7g}")
        axes.tick_params("y", length=0)
        axes.margins(x=0.15)  # markers need room in a narrow panel
        axes.set_xlim(left=min(0.0, axes.get_xlim()[0]))
    add_legend(
        figure, handles, short([scores.measures[m] for m in measures]), loc="outside upper center",
        ncols=n_columns,
    )  # fmt: skip
    return figure


def plot_scores(
    scores: Scores,
    ax: Axes | None,
    measures: Any = None,
    baselines: Collection[str] = (),
    intervals: Columns | pd.DataFrame | None = None,
) -> Axes:
    """Draw the scores into the caller's axes; see :meth:`Comparison.plot`."""
    group = scales(scores)[0] if measures is None else _named(scores, measures)
    drawn = _drawn(scores, baselines)
    axes = given_or_new(ax, rows=len(drawn))
    lines, _ = _draw_scores(axes, scores, drawn, group, intervals)
    axes.set_xlabel(_means_of(scores, group))
    add_legend(axes, lines, short([scores.measures[m] for m in group]))
    return axes


def _named(scores: Scores, measures: Any) -> list[int]:
    asked = dict.fromkeys(map(str, checked_items("measures", measures)))
    if not asked:
        raise StudyError(f"no measure is given; for instance {scores.measures[0]!r}")
    for measure in asked:
        check_known("measure", measure, scores.measures, "measures")
    return [scores.measures.index(measure) for measure in asked]


def _draw_scores(
    axes: Axes,
    scores: Scores,
    drawn: Sequence[int],
    measures: Sequence[int],
    intervals: Columns | pd.DataFrame | None,
) -> tuple[list[Line2D], list[Tip]]:
    """Draw one row per run; return the markers of each measure, and the tips."""
    lines, tips = [], []
    rows = np.arange(len(drawn), dtype=np.float64)
    palette = colours()
    for number, m in enumerate(measures):
        measure = scores.measures[m]
        colour = palette[m % len(palette)]
        bounded = estimates(scores, m, intervals)
        texts = written(Column(measure, bounded))
        at = rows
        if intervals is not None:
            at = rows + _SPREAD * ((number + 0.5) / len(measures) - 0.5)
            bounds = np.array([(bounded[i].low, bounded[i].high) for i in drawn])
            known = ~np.isnan(bounds[:, 0])
            axes.hlines(at[known], *bounds[known].T, color=colour, linewidth=thin(0.7))
        means = scores.means[drawn, m]
        lines += axes.plot(
            means, at, MARKERS[m % len(MARKERS)], color=colour,
            fillstyle="full" if m == 0 else "none", label=measure,
        )  # fmt: skip
        tips += [
            Tip(axes, x, y, f"{scores.runs[i]}: {measure} = {texts[i]}")
            for i, x, y in zip(drawn, means.tolist(), at.tolist(), strict=True)
        ]
    axes.set_yticks(rows, short([scores.runs[i] for i in drawn]), **PLAIN)
    axes.set_ylim(len(drawn) - 0.4, -0.6)
    axes.set_xlim(left=min(0.0, axes.get_xlim()[0]))
    return lines, tips


def _drawn(scores: Scores, baselines: Collection[str]) -> list[int]:
    """Return the indices of the runs to draw: the baselines and the best others, best first."""
    order = scores.order().tolist()
    first = sorted(order, key=lambda i: scores.runs[i] not in baselines)[:COMPARED_RUNS]
    return sorted(first, key=order.index)


def _means_of(scores: Scores, measures: Sequence[int]) -> str:
    """Return the label of an axis for some measures."""
    of_what = "score" if len(measures) != 1 else short([scores.measures[measures[0]]])[0]
    return f"{of_what}, {mean_of(len(scores.topics))}{_omitted(scores)}"


def _omitted(scores: Scores) -> str:
    """Return what the label of an axis says if not all runs are drawn."""
    n_runs = len(scores.runs)
    return f"; {COMPARED_RUNS} of {n_runs:,} runs" if n_runs > COMPARED_RUNS else ""


def positions(scores: Scores) -> NDArray[np.float64]:
    """Return the position of each run by each measure, 1 for the best; ties share the mean."""
    return average_ranks(-np.round(scores.means, 12).T).T


@styled
def rank_changes(
    scores: Scores, baselines: Collection[str] = (), *, width: float = WIDTH
) -> Drawing:
    """Draw one line per run, from its position by each measure to its position by the next.

    Position 1 is the best run. The runs that move most are in colour, or all runs
    if there are few. With more than 150 runs, only the baselines and the best others by the
    first measure are drawn, at their positions among all runs.
    """
    drawn = _drawn(scores, baselines)
    position, measures = positions(scores), scores.measures
    colour_of = _colours_of_movers(position, drawn)
    figure = new_figure(0.8 + 0.125 * max(len(drawn), 10), width)
    axes = figure.subplots()
    at = np.arange(len(measures))
    values = [written(Column(name, scores.means[:, m])) for m, name in enumerate(measures)]
    for i in drawn:
        axes.plot(
            at,
            position[i],
            "o-",
            markersize=dot(0.625),
            color=colour_of.get(i, GREY),
            linewidth=thin(1.2 if i in colour_of else 0.5),
            zorder=3 if i in colour_of else 2,
            label=scores.runs[i],
        )
        for x, measure in enumerate(measures):
            text = f"{scores.runs[i]}: {measure} = {values[x][i]}, position {position[i, x]:g}"
            figure.tips.append(Tip(axes, x, position[i, x], text))
    axes.set_xticks(at, short(measures), **PLAIN)
    if sum(map(len, measures)) > _LEVEL * width / WIDTH:
        for label in axes.get_xticklabels():
            label.set(rotation=30, ha="right", rotation_mode="anchor")
    lowest = position[drawn].max() if _omitted(scores) else len(drawn)
    axes.set_ylim(lowest + 0.5, 0.5)
    axes.grid(visible=False)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylabel(f"position by each measure (1 = best{_omitted(scores)})")
    _name_runs(axes, scores, position, sorted(drawn, key=lambda i: position[i, -1]), colour_of)
    return figure


def _colours_of_movers(position: NDArray[np.float64], drawn: Sequence[int]) -> dict[int, str]:
    """Return the colours of the runs that move most, or of all runs if there are few."""
    coloured = list(drawn)
    if len(drawn) > _COLOURED:
        moved = np.ptp(position, axis=1)
        most = sorted(drawn, key=lambda i: -moved[i])[:_COLOURED]
        coloured = [i for i in drawn if i in most and moved[i] > 0]
    return {i: COLOURS[c] for c, i in enumerate(coloured)}


def _name_runs(
    axes: Axes,
    scores: Scores,
    position: NDArray[np.float64],
    by_last: Sequence[int],
    colour_of: dict[int, str],
) -> None:
    """Write the names of the runs on the right, evenly spaced in their order by the last measure.

    If only some of the runs are drawn, a run may be far from its name, so a line connects them.
    """
    last = position.shape[1] - 1
    names = short(scores.runs, 18)
    lowest = axes.get_ylim()[0] - 0.5
    heights = np.linspace(1, lowest, len(by_last))
    end = last + 0.1
    if _omitted(scores):
        end += _LEADERS * (last + 1)
        for i, height in zip(by_last, heights, strict=True):
            colour = colour_of.get(i, GREY)
            axes.plot(
                [last, end], [position[i, -1], height], ":", color=colour, linewidth=thin(0.4)
            )
    axes.set_xlim(-0.1, end)
    right = axes.secondary_yaxis("right")
    right.set_yticks(heights, [names[i] for i in by_last])
    right.tick_params(length=0)
    right.spines[:].set_visible(False)
    for label, i in zip(right.get_yticklabels(), by_last, strict=True):
        label.set_color(colour_of.get(i, "#555555"))


@styled
def agreement(comparison: Comparison, *, width: float = WIDTH) -> Drawing:
    """Draw one bar per pair of measures, which shows for how many pairs of runs they agree.

    With more than 100 pairs of measures, only the first 100 are drawn.
    """
    table = comparison.columns["agreement"].head(COMPARED_PAIRS)
    n_pairs = len(comparison.columns["pairs"]) // len(comparison.scores.measures)
    wide = width > WIDTH
    figure = new_figure(
        (0.9 if wide else 1.45) + (0.3 if wide else 0.42) * max(len(table), 1), width
    )
    axes = figure.subplots()
    at = np.arange(len(table))
    left = np.zeros(len(table))
    sides = [list(table[side]) for side in ("first", "second")]
    for what, (colour, hatch, of_text) in zip(AGREEMENTS, _AGREEMENT_LOOKS, strict=True):
        share = 100 * np.array(table[what]) / max(1, n_pairs)
        bars = axes.barh(
            at, share, left=left, height=0.6, color=colour, hatch=hatch, edgecolor="white",
            linewidth=0.5, label=what,
        )  # fmt: skip
        counts = [str(n) if s >= 6 else "" for n, s in zip(table[what], share, strict=True)]
        labels = axes.bar_label(bars, counts, label_type="center", fontsize=small(), color=of_text)
        if hatch:
            for label in labels:
                label.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 0.8})
        for y, (a, b, n, s) in enumerate(zip(*sides, table[what], share, strict=True)):
            if n:
                text = f"{a} and {b}: {what}, {n} of {n_pairs} pairs of runs"
                figure.tips.append(Tip(axes, left[y], y - 0.3, text, width=s, height=0.6))
        left += share
    between = " and " if wide else "\nand "
    names = [f"{a}{between}{b}" for a, b in zip(*map(short, sides), strict=True)]
    axes.set_yticks(at, names)
    axes.set_ylim(len(table) - 0.5, -0.5)
    axes.set_xlim(0, 100)
    axes.set_xlabel(f"pairs of runs, % of {n_pairs} (counts inside)")
    figure.legend(loc="outside upper left", ncols=5 if wide else 2, columnspacing=1)
    return figure
