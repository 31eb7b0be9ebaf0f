"""The papers' theory, drawn."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from pres_plugin.study.pictures.style import COLOURS, DASHES, new_figure, styled

__all__ = [
    "more_relevant_than_checked",
    "pres_and_recall",
    "pres_and_reciprocal_rank",
    "rnorm_and_recall",
]


@styled
def pres_and_recall(table: pd.DataFrame) -> Figure:
    """PRES against recall: the best ranking at the top, the worst at the bottom."""
    curves = {name: f"{name} ranking" for name in ("best", "middle", "worst")}
    return _curves(table, "recall", curves, ("recall", "PRES"), mark="o")


@styled
def pres_and_reciprocal_rank(table: pd.DataFrame) -> Figure:
    """A line and a hyperbola."""
    curves = {"pres": "PRES", "reciprocal_rank": "reciprocal rank (= AP)"}
    return _curves(table, "rank", curves, ("rank of the one relevant document", "score"))


@styled
def rnorm_and_recall(table: pd.DataFrame) -> Figure:
    """A curve a collection size, the larger the nearer to recall."""
    sizes = {column: f"N = {int(column.split()[-1]):,}" for column in table.columns[1:]}
    figure = _curves(table, "recall", sizes, ("recall", "Rnorm, relevant documents found last"))
    (axes,) = figure.axes
    axes.plot([0, 1], [0, 1], color="#777777", linewidth=0.7, linestyle=":", zorder=1)
    axes.annotate("Rnorm = recall", (0.3, 0.33), fontsize=6.5, color="#555555", ha="right")
    return figure


@styled
def more_relevant_than_checked(table: pd.DataFrame) -> Figure:
    """PRES falls where more is relevant than can be checked; PRES_est does not."""
    curves = {
        "pres": "PRES, all relevant",
        "pres_est": "PRES_est, all relevant",
        "pres_half": "PRES, every other",
        "pres_est_half": "PRES_est, every other",
    }
    labels = ("relevant documents n", "score")
    figure = _curves(table, "n", curves, labels)
    (axes,) = figure.axes
    n_max = int(table["n"][(table["pres"] == 1.0).to_numpy()].max())
    axes.axvline(n_max, color="#555555", linewidth=0.8)
    axes.annotate(f"n = Nmax = {n_max}", (n_max, 0.02), xytext=(3, 0), fontsize=6.5,
                  textcoords="offset points", color="#333333")  # fmt: skip
    return figure


def _curves(
    table: pd.DataFrame, over: str, curves: dict[str, str], labels: tuple[str, str], mark: str = ""
) -> Figure:
    figure = new_figure(height=2.7)
    axes = figure.subplots()
    for c, (column, label) in enumerate(curves.items()):
        axes.plot(
            table[over],
            table[column],
            color=COLOURS[c],
            linestyle=DASHES[c % len(DASHES)],
            marker=mark,
            markersize=2.5,
            label=label,
        )
    axes.set_xlabel(labels[0])
    axes.set_ylabel(labels[1])
    axes.set_xlim(left=0)
    axes.set_ylim(0, 1.02)
    figure.legend(loc="outside upper center", ncols=len(curves) if len(curves) == 3 else 2)
    return figure
