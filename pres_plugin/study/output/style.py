"""The style of all pictures: size, fonts, colours and names, and their form on pages.

Matplotlib takes long to import, so it is imported when a picture is drawn.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from contextlib import ContextDecorator, contextmanager
from functools import cache
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import numpy as np

from pres_plugin.escaping import visible
from pres_plugin.messages import InputError
from pres_plugin.output.words import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: The width of pictures, in inches: one column of a paper, and a phone. All text is legible at this
#: width. On wider pages, pictures grow until their text is as large as that of the page.
WIDTH = 3.5

#: The colours of data. Okabe and Ito chose them so that people can distinguish them whatever their
#: colour vision. Their yellow is left out, since yellow lines on white are too faint.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#56B4E9", "#E69F00"]
GREY = "#999999"
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES: tuple[Any, ...] = ("-", (0, (4, 1)), (0, (1, 1)), (0, (4, 1, 1, 1)))

#: Options for text that contains a name. Names may contain "$", so they are not parsed as TeX.
PLAIN: dict[str, Any] = {"parse_math": False, "usetex": False}

#: The number of characters that fit into the width of a picture.
_LONGEST = 50

_SVG = "http://www.w3.org/2000/svg"
ElementTree.register_namespace("", _SVG)
ElementTree.register_namespace("xlink", "http://www.w3.org/1999/xlink")


@contextmanager
def _style() -> Iterator[None]:
    import matplotlib as mpl
    from matplotlib.rcsetup import cycler

    with mpl.rc_context(fname=Path(__file__).parent / "pictures.mplstyle"):
        mpl.rc("axes", prop_cycle=cycler(color=COLOURS))
        yield


#: Make a function draw in the style of all pictures, whatever the user's settings of matplotlib.
styled: ContextDecorator = _style()


@styled
def save(figure: Figure, path: Path) -> None:
    """Write a figure as PNG or SVG; the same figure always gives the same bytes."""
    if path.suffix == ".svg":
        path.write_bytes(ElementTree.tostring(_drawn(figure), xml_declaration=True))
    else:
        figure.savefig(path)


def tips(artist: Any, texts: Sequence[str]) -> None:
    """Add tooltips: one text for a line or a bar, or one text for each marker of a line."""
    if len(texts) > 1:
        # An undefined value is not drawn, so it has no marker.
        texts = list(compress(texts, np.isfinite(artist.get_xydata()).all(axis=1)))
    # SVG contains this as the id of a group, in which each text becomes a title.
    artist.set_gid(json.dumps(list(map(visible, texts))))


@styled
def inline_svg(figure: Figure, label: str) -> str:
    """Return a figure as an ``<svg>`` element for an HTML page, with tooltips.

    The picture is as wide as its parent, up to 38rem. It is on white, as in files.

    .. versionadded:: 0.2.0

    Parameters
    ----------
    figure : Figure
        The figure, as returned by a function of a study's module ``picture``.
    label : str
        What the picture shows, for people who cannot see it.

    Returns
    -------
    str
        The element, which is also well-formed XML. The same figure always gives the same text.

    Examples
    --------
    >>> from pres_plugin.study.output.style import inline_svg, new_figure
    >>> svg = inline_svg(new_figure(height=1), "Nothing")
    >>> svg[:4], 'viewBox="0 0 252 72"' in svg
    ('<svg', True)
    """
    import matplotlib as mpl

    mpl.rcParams["svg.fonttype"] = "none"  # text that can be searched and selected
    mpl.rcParams["svg.hashsalt"] = visible(label)  # makes ids that no other picture of the page has
    root = _drawn(figure)
    for link in root.iter(f"{{{_SVG}}}a"):
        link.attrib.pop("target", None)  # it would open another tab
    root.attrib = {
        "viewBox": root.get("viewBox", ""),
        "width": "100%",
        "role": "img",
        "aria-label": visible(label),
        "style": "display: block; max-width: 38rem",
    }
    return ElementTree.tostring(root, encoding="unicode")


def _drawn(figure: Figure) -> ElementTree.Element:
    """Return a figure as SVG, with a title in each element that has tooltips."""
    file = io.BytesIO()
    metadata = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    figure.savefig(file, format="svg", metadata=metadata)
    root = ElementTree.fromstring(file.getvalue())
    for group in list(root.iter(f"{{{_SVG}}}g")):
        # Other pictures of a page have groups with the same ids, which nothing uses.
        name = group.attrib.pop("id", "")
        texts = json.loads(name) if name.startswith("[") else []
        places = [group] if len(texts) == 1 else group.iter(f"{{{_SVG}}}use")
        for place, text in zip(list(places), texts, strict=False):
            ElementTree.SubElement(place, f"{{{_SVG}}}title").text = text
    return root


def new_figure(height: float) -> Figure:
    """Return an empty figure, one column wide; the height is in inches."""
    from matplotlib.figure import Figure

    return Figure(figsize=(WIDTH, height), layout="constrained")


def given_or_new(ax: Axes | None, rows: int = 0) -> Axes:
    """Return the caller's axes, or those of a new figure of pyplot with room for some rows.

    Raises
    ------
    InputError
        If `ax` is something else, such as an array of axes.
    """
    from matplotlib.axes import Axes

    if ax is None:
        import matplotlib.pyplot as plt

        figure, ax = plt.subplots(layout="constrained")
        height = rows * 1.6 * plt.rcParams["font.size"] / 72 + 1
        figure.set_figheight(max(height, figure.get_figheight()))
    if not isinstance(ax, Axes):
        raise InputError(
            f"ax must be matplotlib axes, got {type(ax).__name__}; "
            "write axes[0] for the first of several"
        )
    return ax


def whole_ticks(axes: Axes, first: int, last: int) -> None:
    """Label the x axis from `first` to `last` with as many whole numbers as fit side by side.

    Call it when the axis has its scale.
    """
    from matplotlib.ticker import MaxNLocator

    axis = axes.xaxis
    fitting = axes.bbox.width / axes.figure.dpi * 72 / (0.65 * float(axis.label.get_fontsize()))
    most = max(2, int(fitting / (len(f"{last:,}") + 1.5)))
    if axes.get_xscale() == "log":
        ticks = [n * 10**e for e in range(len(str(last))) for n in (1, 2, 5)]
        ticks = [tick for tick in ticks if first <= tick <= last]
        # Leave out whole decades, so that the labels stay evenly spaced.
        step = 1 if len(ticks) <= most else 3 * -(-len(ticks) // 3 // most)
        axis.set_ticks(ticks[::step])
        axis.set_minor_formatter("")
    else:
        axis.set_major_locator(MaxNLocator(most, steps=[1, 2, 5, 10], integer=True, min_n_ticks=1))
    axis.set_major_formatter("{x:,.0f}")


def name_rows(axes: Axes, names: Sequence[str]) -> None:
    """Name the rows of a picture, the first on top."""
    axes.set_yticks(range(len(names)), names, **PLAIN)
    axes.set_ylim(len(names) - 0.4, -0.6)


def side_by_side(names: Sequence[str]) -> int:
    """Return how many of these names fit side by side, with a mark before each."""
    return max(1, _LONGEST // (max(map(len, names)) + 5))


def colours() -> list[str]:
    """Return the colours of data: ours in our pictures, the caller's in the caller's axes."""
    import matplotlib as mpl

    return list(mpl.rcParams["axes.prop_cycle"].by_key().get("color", COLOURS))


def mean_of(n_topics: int) -> str:
    """Return the part of an axis label that states the number of topics."""
    return f"{'mean of ' * (n_topics > 1)}{count(n_topics, 'topic')}"


def add_legend(
    parent: Figure | Axes, handles: Sequence[Any], names: Sequence[str], **options: Any
) -> None:
    """Add a legend with these names, even those that begin with an underscore.

    matplotlib leaves out such names, so each entry gets its name afterwards. The legend of a
    figure has as many columns as fit.
    """
    from matplotlib.figure import Figure

    if isinstance(parent, Figure):
        options["ncols"] = side_by_side(names)
    legend = parent.legend(handles, ["name"] * len(names), **options)
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set(text=name, **PLAIN)


def in_picture(name: str) -> str:
    r"""Return a name as shown in a picture; if a character cannot be drawn, as a Python string.

    >>> from pres_plugin.study.output.style import in_picture
    >>> print(in_picture("a b"), in_picture("a\n\u4e2d"))
    a b 'a\n\u4e2d'
    """
    can_be_read = name.isprintable() and name.strip() and _in_font().issuperset(map(ord, name))
    return name if can_be_read else ascii(name)


@cache
def _in_font() -> frozenset[int]:
    """Return the code points of the characters in the font of all pictures."""
    from matplotlib import font_manager

    font = font_manager.get_font(font_manager.findfont("DejaVu Sans"))
    return frozenset(font.get_charmap())


def short(names: Sequence[str], at_most: int = 26) -> list[str]:
    """Return names for a picture, with long ones cut in the middle.

    If different names would then be the same, all names are numbered.
    """
    cut = [_cut(in_picture(name), at_most) for name in names]
    different = list(dict.fromkeys(names))
    if len(set(cut)) == len(different):
        return cut
    return [f"{text} ({different.index(n) + 1})" for n, text in zip(names, cut, strict=True)]


def _cut(name: str, at_most: int) -> str:
    if len(name) <= at_most:
        return name
    return f"{name[: at_most // 3]}…{name[-(at_most * 2 // 3) :]}"
