"""The style of all pictures: size, fonts and colours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import IO, Any, ParamSpec, TypeVar

import matplotlib as mpl
from matplotlib.figure import Figure

P = ParamSpec("P")
T = TypeVar("T")

#: The width of one column of a paper, in inches. All text is legible at this width.
WIDTH = 3.5

#: Okabe and Ito's colours, which people can distinguish whatever their colour vision.
#: Yellow is left out, since yellow lines on white are too faint.
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
    "font.family": "DejaVu Sans",  # included in matplotlib
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


def styled(draw: Callable[P, T]) -> Callable[P, T]:
    """Make a function draw or save in this style, whatever the user's settings of matplotlib."""

    @wraps(draw)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> T:
        with mpl.rc_context():
            mpl.rcdefaults()
            mpl.rcParams.update(STYLE)
            return draw(*args, **kwargs)

    return drawn


@styled
def save(figure: Figure, file: IO[bytes], fmt: str) -> None:
    """Write a figure as PNG or SVG; the same figure always gives the same bytes."""
    figure.savefig(file, format=fmt, metadata={"Date": None} if fmt == "svg" else None)


def new_figure(height: float) -> Figure:
    """Return an empty figure, one column wide and `height` inches high."""
    return Figure(figsize=(WIDTH, height), layout="constrained")


def short(names: Sequence[str], at_most: int = 26) -> list[str]:
    """Shorten long names in the middle, unless two names would then be the same."""
    cut = [
        name if len(name) <= at_most else f"{name[: at_most // 3]}…{name[-(at_most * 2 // 3) :]}"
        for name in names
    ]
    return cut if len(set(cut)) == len(set(names)) else list(names)
