"""Draw the scores of all runs, their positions by each measure, and how often measures agree."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from pres_plugin.messages import check_known
from pres_plugin.output.tables import Table
from pres_plugin.scoring import direction
from pres_plugin.study import result
from pres_plugin.study.arguments import checked_items
from pres_plugin.study.compare.analysis import AGREEMENTS, MOST_DRAWN, Comparison
from pres_plugin.study.compare.two_runs import TwoRuns
from pres_plugin.study.output.style import (
    COLOURS,
    GREY,
    MARKERS,
    PLAIN,
    add_legend,
    colours,
    given_or_new,
    mean_of,
    name_rows,
    new_figure,
    short,
    side_by_side,
    styled,
    tips,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

#: The part of a row in which the intervals of several measures are drawn, one below the other.
_SPREAD = 0.66

# The colour, the hatch and the colour of text of each kind of agreement.
_AGREEMENT_LOOKS = (
    ("#0072B2", "", "white"),
    ("#cfcfcf", "", "black"),
    ("#E69F00", "////", "black"),
    ("#56B4E9", "\\\\\\\\", "black"),
    ("#000000", "", "white"),
)


@styled
def sorted_scores(found: Comparison) -> Figure:
    """Draw the means of the runs by each measure, best run by the first measure on top.

    With confidence intervals, each mean has an error bar. Only the best 100 runs are drawn.
    """
    first, *_ = known = found.scores.measures
    # Counts of documents do not fit on an axis of scores.
    measures = [each for each in known if direction(each) == direction(first)]
    n_drawn = len(_drawn(found))
    n_legend_rows = -(-len(measures) // side_by_side(short(list(found.labels.values()))))
    per_run = 0.07 + 0.065 * len(measures) if found.has_intervals else 0.135
    figure = new_figure(0.75 + 0.15 * n_legend_rows + per_run * n_drawn)
    add_legend(figure, *_scores(figure.subplots(), found, measures), loc="outside upper center")
    return figure


@result.plot.register(Comparison)
def plot(found: Comparison, ax: Axes | None, measures: Any) -> Axes:
    """Draw the means into the caller's axes; see :meth:`Comparison.plot`."""
    known = found.scores.measures
    asked = list(dict.fromkeys(map(str, checked_items("measures", measures or known))))
    for measure in asked:
        check_known("measure", measure, known, "measures")
    axes = given_or_new(ax, rows=len(_drawn(found)))
    add_legend(axes, *_scores(axes, found, asked))
    return axes


def _scores(
    axes: Axes, found: Comparison, measures: Sequence[str]
) -> tuple[list[Line2D], list[str]]:
    """Draw one row per run; return the markers of each measure and names for a legend."""
    drawn, palette, lines = _drawn(found), colours(), []
    runs, *texts = drawn.texts()
    for number, measure in enumerate(measures):
        m = found.scores.measures.index(measure)
        at = np.arange(len(drawn), dtype=np.float64)
        means, low, high = drawn[measure].struct.unnest()
        colour = palette[m % len(palette)]
        if found.has_intervals:
            at += _SPREAD * ((number + 0.5) / len(measures) - 0.5)
            axes.hlines(at, low, high, color=colour, linewidth=0.84)
        (line,) = axes.plot(
            means, at, MARKERS[m % len(MARKERS)], color=colour,
            fillstyle="none" if m else "full", label=measure,
        )  # fmt: skip
        label = found.labels[measure]
        tips(line, [f"{run}: {label} = {mean}" for run, mean in zip(runs, texts[m], strict=True)])
        lines.append(line)
    name_rows(axes, short(drawn["run"].to_list()))
    axes.set_xlim(left=min(0.0, axes.get_xlim()[0]))
    what = "score" if len(measures) > 1 else short(measures)[0]
    n_runs = len(found.scores.runs)
    omitted = f"; {len(drawn)} of {n_runs:,} runs" if len(drawn) < n_runs else ""
    axes.set_xlabel(f"{what}, {mean_of(len(found.scores.topics))}{omitted}")
    return lines, short([found.labels[each] for each in measures])


def _drawn(found: Comparison) -> Table:
    """Return the means of the runs to draw, best first."""
    return found.tables["means"].rows(slice(MOST_DRAWN))


@styled
def rank_changes(found: Comparison) -> Figure:
    """Draw one line per run, from its position by each measure to its position by the next.

    Position 1 is the best run; runs that tie share the mean of their positions. The runs that
    move most are in colour, or all runs if there are few. Only the best 100 runs by the first
    measure are drawn, at their positions among these.
    """
    measures, drawn = short(list(found.labels.values())), _drawn(found)
    runs, *texts = drawn.texts()
    means = (drawn[m].struct.field("value") * direction(m) for m in found.scores.measures)
    position = np.array([each.round(12).rank(descending=True) for each in means]).T
    most = np.argsort(-np.ptp(position, axis=1), kind="stable")[: len(COLOURS)]
    colour_of = dict(zip(sorted(most), COLOURS, strict=False))
    rotated = len(measures) > side_by_side(measures)
    figure = new_figure(0.8 + 0.5 * rotated + 0.125 * max(len(drawn), 10))
    axes, at = figure.subplots(), np.arange(len(measures))
    for i, (run, *values) in enumerate(zip(runs, *texts, strict=True)):
        colour = colour_of.get(i, GREY)
        (line,) = axes.plot(at, position[i], "o-", color=colour, markersize=2.5, label=run)
        if colour == GREY:
            line.set(linewidth=0.6, zorder=1.9)
        named = zip(found.labels.values(), values, position[i], strict=True)
        tips(line, [f"{run}: {name} = {value}, position {p:g}" for name, value, p in named])
    # The names are evenly spaced, so that those of tied runs can be read.
    names = short(drawn["run"].to_list(), 18)
    for height, i in enumerate(position[:, -1].argsort(kind="stable"), start=1):
        colour = colour_of.get(i, "#555555")
        axes.text(len(measures) - 0.85, height, names[i], va="center", color=colour, **PLAIN)
    axes.set_xticks(at, measures, **PLAIN)
    axes.tick_params("x", rotation=30 * rotated)
    axes.set_xlim(-0.1, len(measures) - 0.9)
    axes.set_ylim(len(drawn) + 0.5, 0.5)
    axes.grid(visible=False)
    axes.locator_params("y", integer=True)
    axes.set_ylabel("position by each measure (1 = best)")
    return figure


@styled
def differences(found: Comparison, two: TwoRuns, *, link: str = "") -> Figure:
    """Draw one bar per topic, which shows the difference of two runs by the first measure.

    Up to fifty topics are drawn, those with the largest differences. `link` is the address to
    which bars lead, with ``{}`` for the number of the topic; without it, they lead nowhere.
    """
    by_topic = two.by_topic.frame
    figure = new_figure(0.6 + 0.135 * len(by_topic))
    axes = figure.subplots()
    bars = axes.barh(range(len(by_topic)), by_topic["difference"])
    name_rows(axes, short(by_topic["query_id"].to_list(), 18))
    texts = zip(*two.by_topic.texts(), strict=True)
    marks = zip(bars, axes.get_yticklabels(), texts, strict=True)
    for i, (bar, label, (topic, first, second, *_)) in enumerate(marks, start=1):
        bar.set(color=COLOURS[int(bar.get_width() < 0)], url=link.format(i))
        label.set_url(link.format(i))
        tips(bar, [f"{topic}: {first} and {second}"])
    [measure, *_], (one, other) = short(list(found.labels.values())), short(two.names, 20)
    axes.set_xlabel(fill(f"{measure} of {one} minus that of {other}", 46))
    return figure


@styled
def agreement(found: Comparison) -> Figure:
    """Draw one bar per pair of measures, which shows for how many pairs of runs they agree.

    Only the first 100 pairs of measures are drawn.
    """
    table = found.tables["agreement"].rows(slice(MOST_DRAWN))
    figure = new_figure(1.75 + 0.42 * len(table))
    axes, left = figure.subplots(), np.zeros(len(table))
    sides = (short([found.labels[each] for each in table[side]]) for side in ("first", "second"))
    pairs = list(map("{}\nand {}".format, *sides))
    for what, (colour, hatch, of_text) in zip(AGREEMENTS, _AGREEMENT_LOOKS, strict=True):
        counts = table[what].to_numpy()
        share = 100 * counts / max(1, found.n_pairs)
        bars = axes.barh(
            range(len(table)), share, left=left, height=0.6, color=colour, hatch=hatch,
            edgecolor="white", linewidth=0.5, label=what,
        )  # fmt: skip
        inside = np.where(share < 6, "", counts.astype(str))
        axes.bar_label(bars, inside, label_type="center", color=of_text)
        for bar, pair, n in zip(bars, pairs, counts, strict=True):
            said = f"{pair}: {what}, {n} of {found.n_pairs} pairs of runs"
            tips(bar, [said.replace("\n", " ")])
        left += share
    name_rows(axes, pairs)
    axes.set_xlim(0, 100)
    axes.set_xlabel(f"pairs of runs, % of {found.n_pairs} (counts inside)")
    figure.legend(loc="outside upper left")
    return figure
