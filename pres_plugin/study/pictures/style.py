"""What all pictures have in common: size, letters, colours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import IO, Any, ParamSpec

import matplotlib as mpl
from matplotlib.figure import Figure

__all__ = ["COLOURS", "DASHES", "GREY", "MARKERS", "WIDTH", "new_figure", "save", "short", "styled"]

P = ParamSpec("P")

#: Of one column of a paper, in inches; letters are sized to be read at it.
WIDTH = 3.5

#: Okabe and Ito's colours, which people see apart whatever their colour vision;
#: without yellow, which is too faint for a line on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#56B4E9", "#E69F00")
GREY = "#999999"
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES: tuple[Any, ...] = ("-", (0, (4, 1)), (0, (1, 1)), (0, (4, 1, 1, 1)))

STYLE: dict[Any, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": "#555555",
    "axes.grid": True,
    "axes.labelsize": 7,
    "axes.linewidth": 0.6,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 7.5,
    "figure.facecolor": "white",
    "font.family": "DejaVu Sans",  # which matplotlib brings along
    "font.size": 7,
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.5,
    "hatch.linewidth": 0.5,
    "legend.fontsize": 6.5,
    "legend.frameon": False,
    "lines.linewidth": 1.2,
    "lines.markersize": 4,
    "savefig.dpi": 300,
    "svg.hashsalt": "pres-plugin",
    "xtick.labelsize": 6.5,
    "xtick.major.width": 0.6,
    "ytick.labelsize": 6.5,
    "ytick.major.width": 0.6,
}


def styled(draw: Callable[P, Figure]) -> Callable[P, Figure]:
    """Draw in the style of all pictures, whatever the user's own settings."""

    @wraps(draw)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> Figure:
        with mpl.rc_context():
            mpl.rcdefaults()
            mpl.rcParams.update(STYLE)
            return draw(*args, **kwargs)

    return drawn


def save(figure: Figure, file: IO[bytes], fmt: str) -> None:
    """Write a figure as PNG or SVG, the same figure as the same bytes."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(STYLE)
        figure.savefig(file, format=fmt, metadata={"Date": None} if fmt == "svg" else None)


def new_figure(height: float) -> Figure:
    """An empty figure a column wide, of so many inches in height."""
    return Figure(figsize=(WIDTH, height), layout="constrained")


def short(names: Sequence[str], at_most: int = 26) -> list[str]:
    """Names with their middles left out where they are long, as long as they stay different."""
    cut = [
        name if len(name) <= at_most else f"{name[: at_most // 3]}…{name[-(at_most * 2 // 3) :]}"
        for name in names
    ]
    return cut if len(set(cut)) == len(set(names)) else list(names)
