"""The style of all pictures: size, fonts and colours, and how names are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, wraps
from typing import IO, Any, ParamSpec, TypeVar

import matplotlib as mpl
import numpy as np
from cycler import cycler
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from numpy.typing import ArrayLike, NDArray

from pres_plugin.escaping import visible
from pres_plugin.study.inputs import StudyError
from pres_plugin.study.sentences.words import count

Indices = NDArray[np.int64]
P = ParamSpec("P")
T = TypeVar("T")

#: The width of one column of a paper, in inches. All text is legible at this width.
WIDTH = 3.5

#: The width of a picture on a page of a browser or in a notebook, in inches.
FULL_WIDTH = 9.5

#: How much larger text, lines and rows are in pictures that are wider than one column.
_LARGER = 1.2

#: Okabe and Ito's colours, which people can distinguish whatever their colour vision.
#: Yellow is left out, since yellow lines on white are too faint.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#56B4E9", "#E69F00")
GREY = "#999999"
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES: tuple[Any, ...] = ("-", (0, (4, 1)), (0, (1, 1)), (0, (4, 1, 1, 1)))

#: Options for text that contains a name. Names may contain "$", so they are not parsed as TeX.
PLAIN: dict[str, Any] = {"parse_math": False, "usetex": False}

#: The number of characters that fit into the width of a picture.
_LONGEST = 50

STYLE: dict[Any, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": "#555555",
    "axes.grid": True,
    "axes.labelsize": 7,
    "axes.linewidth": 0.6,
    "axes.prop_cycle": cycler(color=COLOURS),
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
    "text.parse_math": False,  # a name may contain dollar signs
    "xtick.labelsize": 6.5,
    "xtick.major.width": 0.6,
    "ytick.labelsize": 6.5,
    "ytick.major.width": 0.6,
}


def styled(draw: Callable[P, T]) -> Callable[P, T]:
    """Make a function draw or save in this style, whatever the user's settings of matplotlib.

    Text and lines are larger if the function's keyword `width` is more than one column.
    """

    @wraps(draw)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> T:
        width: Any = kwargs.get("width", WIDTH)
        with mpl.rc_context():
            mpl.rcdefaults()
            mpl.rcParams.update(STYLE)
            for size in (key for key in STYLE if key.endswith(("size", "width"))):
                mpl.rcParams[size] = _enlarged(STYLE[size], width)
            return draw(*args, **kwargs)

    return drawn


@styled
def save(figure: Figure, file: IO[bytes], fmt: str) -> None:
    """Write a figure as PNG or SVG; the same figure always gives the same bytes."""
    figure.savefig(file, format=fmt, metadata={"Date": None} if fmt == "svg" else None)


def _enlarged(size: float, width: float) -> float:
    return size * _LARGER if width > WIDTH else size


@dataclass(frozen=True, eq=False)
class Tip:
    """A text that is shown while the pointer is over a point or a bar of a picture.

    Attributes
    ----------
    axes : matplotlib.axes.Axes
        The axes that contain the point or bar.
    x, y : float
        The position in the coordinates of the data.
    text : str
        The text, such as a run, a measure and a value.
    width, height : float
        The size of a bar that begins at x and y; 0 for a point.
    """

    axes: Axes
    x: float
    y: float
    text: str
    width: float = 0.0
    height: float = 0.0


class Drawing(Figure):
    """A figure with tips, which :func:`pres_plugin.study.pictures.inline.inline_svg` shows.

    Attributes
    ----------
    tips : list of Tip
        The tips, in the order of drawing.
    """

    tips: list[Tip]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tips = []


def new_figure(height: float, width: float = WIDTH) -> Drawing:
    """Return an empty figure, one column wide and `height` inches high.

    A wider figure is also higher, because its text is larger.
    """
    return Drawing(figsize=(width, _enlarged(height, width)), layout="constrained")


def given_or_new(ax: Axes | None, rows: int = 0) -> Axes:
    """Return the caller's axes, or those of a new figure of pyplot with room for some rows.

    Raises
    ------
    StudyError
        If `ax` is something else, such as an array of axes.
    """
    if ax is None:
        import matplotlib.pyplot as plt

        width, height = mpl.rcParams["figure.figsize"]
        size = (width, max(height, rows * 1.6 * points(small()) / 72 + 1))
        new: Axes = plt.subplots(figsize=size, layout="constrained")[1]
        return new
    if not isinstance(ax, Axes):
        raise StudyError(
            f"ax must be matplotlib axes, got {type(ax).__name__}; "
            "write axes[0] for the first of several"
        )
    return ax


def colours() -> list[str]:
    """Return the colours of data: ours in our pictures, the caller's in the caller's axes."""
    found: list[str] = mpl.rcParams["axes.prop_cycle"].by_key().get("color", COLOURS)
    return found


def foreground() -> str:
    """Return the colour of text, for lines that are not data."""
    colour: str = mpl.rcParams["text.color"]
    return colour


def thin(factor: float) -> float:
    """Return a multiple of the default line width."""
    usual: float = mpl.rcParams["lines.linewidth"]
    return factor * usual


def dot(factor: float) -> float:
    """Return a multiple of the default marker size."""
    usual: float = mpl.rcParams["lines.markersize"]
    return factor * usual


def small() -> Any:
    """Return the size of text beside data."""
    return mpl.rcParams["ytick.labelsize"]


def points(size: Any) -> float:
    """Return the size of a font in points, which may be a word such as "small"."""
    found: float = FontProperties(size=size).get_size_in_points()
    return found


def mean_of(n_topics: int) -> str:
    """Return the part of an axis label that states the number of topics."""
    return f"mean of {count(n_topics, 'topic')}"


def add_legend(
    parent: Figure | Axes, handles: Sequence[Any], names: Sequence[str], **options: Any
) -> None:
    """Add a legend with these names, even those that begin with an underscore.

    matplotlib leaves out such names, so each entry gets its name afterwards.
    """
    legend = parent.legend(handles, list(map(str, range(len(names)))), **options)
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set(text=name, **PLAIN)


def as_text(text: str) -> str:
    r"""Return the text on one line, with invisible characters escaped as in a Python string.

    >>> from pres_plugin.study.pictures.style import as_text
    >>> print(as_text("a\n\uffff"))
    a\n\uffff
    """
    return "".join(c if c.isprintable() else _as_in_python(c) for c in visible(text))


def in_picture(name: str) -> str:
    r"""Return a name as shown in a picture: characters that cannot be drawn are escaped.

    Control characters, invisible characters and characters that the font lacks are written as
    in Python.

    >>> from pres_plugin.study.pictures.style import in_picture
    >>> print(in_picture("a\n\u4e2d"))
    a\n\u4e2d
    """
    drawable = _in_font()
    text = "".join(c if ord(c) in drawable else _as_in_python(c) for c in as_text(name))
    return text if text.strip() else f'"{text}"'


@cache
def _in_font() -> frozenset[int]:
    """Return the code points of the characters in the font of all pictures."""
    font = font_manager.get_font(font_manager.findfont(STYLE["font.family"]))
    return frozenset(font.get_charmap())


def _as_in_python(character: str) -> str:
    return character.encode("ascii", "backslashreplace").decode()


def short(names: Sequence[str], at_most: int = 26) -> list[str]:
    """Return names for a picture, with long ones cut in the middle.

    Names that would then be the same are cut less. If they would still be the same, all
    names are numbered.
    """
    written = [in_picture(name) for name in names]
    for length in (at_most, max(at_most, _LONGEST)):
        cut = [_cut(name, length) for name in written]
        if len(set(cut)) == len(set(names)):
            return cut
    number = {name: i for i, name in enumerate(dict.fromkeys(names), start=1)}
    return [f"{_cut(text, at_most)} ({number[n]})" for n, text in zip(names, written, strict=True)]


def _cut(name: str, at_most: int) -> str:
    if len(name) <= at_most:
        return name
    return f"{name[: at_most // 3]}…{name[-(at_most * 2 // 3) :]}"


def distinct(x: ArrayLike, y: ArrayLike, cells: int) -> Indices:
    """Return the indices of points that can be told apart in a picture, in order.

    The area that the points cover is divided into `cells` columns and as many rows. One
    point of each cell is kept.
    """
    columns, rows = (_cells(np.asarray(values, dtype=np.float64), cells) for values in (x, y))
    _, first = np.unique(columns * (cells + 1) + rows, return_index=True)
    return np.sort(first).astype(np.int64)


def _cells(values: NDArray[np.float64], cells: int) -> Indices:
    """Return the number of the cell in which each value is, from 0 to `cells`."""
    span = float(np.ptp(values)) if len(values) else 0.0
    if span == 0:
        return np.zeros(len(values), dtype=np.int64)
    numbers: Indices = ((values - values.min()) * (cells / span)).astype(np.int64)
    return numbers
