"""Draw PRES as a ratio of areas between the best and the worst case."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from pres_plugin.measures.declared import effort
from pres_plugin.study import result
from pres_plugin.study.explain.analysis import PANELS, Explanation
from pres_plugin.study.output.style import (
    GREY,
    PLAIN,
    colours,
    given_or_new,
    new_figure,
    short,
    styled,
    tips,
    whole_ticks,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# A picture shows at most about this many documents.
_DOTS = 600

# The number of characters that fit into a title of one panel.
_TITLE = 45


@styled
def areas(explanations: Sequence[Explanation]) -> Figure:
    """Draw one panel per run, with the curves of the best case, the ranking and the worst case.

    A curve shows how many relevant documents are found up to each rank. Area A1 lies
    between the best case and the ranking, area A2 between the ranking and the worst case.
    Missed documents are drawn at the ranks that PRES assigns to them, after Nmax. A line
    shows where the ranking reaches a recall of 0.95. Only the first 24 runs are drawn.
    """
    shown = explanations[:PANELS]
    columns = min(len(shown), 2)
    rows = -(-len(shown) // columns)
    figure = new_figure(1 + 1.6 * rows)
    panels = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
    names = short([each.run for each in shown], 40 // columns)
    for axes, each, name in zip(panels, shown, names, strict=False):
        about = f"{each.measure} =\xa0{each.pres:.4g}"
        if columns == 1:
            about += f" = A2 / (A1 + A2) =\xa0{each.curves().a2:,}\xa0/\xa0{each.n * each.n_max:,}"
        _draw(axes, each, [name, *wrap(about, _TITLE // columns)])
        axes.label_outer()
    for axes in panels[len(shown) :]:
        axes.remove()
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=4)
    return figure


@result.plot.register(Explanation)
def plot(found: Explanation, ax: Axes | None) -> Axes:
    """Draw one run into the caller's axes; see :meth:`Explanation.plot`."""
    axes = given_or_new(ax)
    _draw(axes, found, [*short([found.run], 40), f"{found.measure} = {found.pres:.4g}"])
    axes.legend()
    return axes


def _draw(axes: Axes, found: Explanation, title: Sequence[str]) -> None:
    """Draw the areas, curves and documents of one run, below the lines of a title."""
    n, n_max, curves = found.n, found.n_max, found.curves()
    rank, best, this, worst = curves[:4]
    (this_colour, other, *_), ink = colours() * 2, axes.xaxis.label.get_color()
    axes.fill_between(rank, this, best, step="post", linewidth=0, color="#f3c7a5", label="A1")
    axes.fill_between(rank, worst, this, step="post", linewidth=0, color="#a9cfe6", label="A2")
    axes.step(rank, best, ":", where="post", color=ink, label="best case")
    axes.step(rank, this, "-", where="post", color=this_colour, label="this ranking")
    axes.step(rank, worst, "--", where="post", color=ink, label="worst case")
    documents = found.costs().frame[:: 1 + n // _DOTS]
    missed = documents["counted_rank"] > n_max
    for some, edge, fill, label in (
        (~missed, this_colour, this_colour, None),
        (missed, other, axes.get_facecolor(), "missed"),
    ):
        drawn = documents.filter(some)
        (dots,) = axes.plot(
            drawn["counted_rank"], drawn["ideal_rank"], "o", color=edge, markerfacecolor=fill,
            label=label, markersize=2.4, markeredgewidth=0.8, zorder=4,
        )  # fmt: skip
        tips(dots, [f"{doc_id}: {why}" for doc_id, why in drawn[["doc_id", "why"]].rows()])
    axes.axvline(n_max, color=GREY, linewidth=0.8, label="Nmax")
    at = effort(found.counted, n, n_max + n)
    axes.axvline(at, linestyle="-.", linewidth=0.8, label="R = 0.95")
    axes.set_title("\n".join(title), loc="left", **PLAIN)
    axes.set(xlabel="rank (documents checked)", ylabel="relevant documents found")
    axes.margins(0.02)
    whole_ticks(axes, 0, n_max + n)
    axes.locator_params("y", integer=True)
