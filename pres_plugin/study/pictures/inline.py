"""Write figures as SVG for a page: full width, in the page's font and theme, with tips on hover.

Draw the figure with ``width=FULL_WIDTH``, then write it into the page::

    figure = areas(explanations, width=FULL_WIDTH)
    html = inline_svg(figure, "Best case, this ranking, worst case")

The picture is as wide as its parent. If the parent can be narrower than :data:`LEAST_WIDTH`,
make it scroll. Text and lines have the page's text colour; the variables ``--ground`` and
``--line`` are the colours of the background and of faint lines.

Each place with a tip is an element of the class ``tip``. Its attribute ``data-tip`` and its child
``<title>`` contain the same text, one line per item that is drawn there. Browsers show the title
without a script. A script that shows tips of its own should first remove the titles.
"""

from __future__ import annotations

import hashlib
import io
import math
import re
from collections.abc import Iterable
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

import matplotlib as mpl
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import KDTree

from pres_plugin.study.pictures.style import Drawing, Tip, as_text, styled

#: The least width of a picture on a page, as CSS. If it is narrower, its text is too small.
LEAST_WIDTH = "46rem"

#: Colours for pages, which replace those for print. Colours of data have a contrast of at least 3:1
#: with white and with dark backgrounds. Areas are transparent, so that text on them stays readable.
_ON_PAGES = {
    "#000000": "currentColor",
    "#555555": "currentColor",
    "#ffffff": "var(--ground, Canvas)",
    "#cfcfcf": "var(--line, #8886)",
    "#e4e4e4": "var(--line, #8886)",
    "#56b4e9": "#2f95cc",
    "#e69f00": "#b97f00",
    "#cc79a7": "#c46c9c",
    "#999999": "#868686",
    "#f3c7a5": "#d55e0073",
    "#a9cfe6": "#0072b273",
}

# The radius of a place with a tip, in points. Near others it is smaller.
_LARGEST, _SMALLEST = 6.0, 1.5

_REFERENCE = re.compile(r"url\(#([^)]*)\)")


def inline_svg(figure: Drawing, label: str) -> str:
    """Return a figure as an ``<svg>`` element for an HTML page.

    Parameters
    ----------
    figure : Drawing
        The figure, as returned by a function of :mod:`pres_plugin.study.pictures`.
    label : str
        What the picture shows, for people who cannot see it.

    Returns
    -------
    str
        The element, which is also well-formed XML. The same figure always gives the same text.

    Examples
    --------
    >>> from pres_plugin.study.pictures.inline import inline_svg
    >>> from pres_plugin.study.pictures.style import new_figure
    >>> inline_svg(new_figure(height=1), "Nothing")[:31]
    '<svg viewBox="0 0 252 72" width'
    """
    drawn = _saved(figure)
    root = ElementTree.fromstring(drawn)
    _adapt(root)
    prefix = hashlib.sha256(label.encode("utf-8", "backslashreplace") + drawn).hexdigest()[:8]
    _make_ids_unique(root, f"p{prefix}-")
    box = root.get("viewBox", "")
    root.attrib = {
        "viewBox": box,
        "width": "100%",
        "role": "img",
        "aria-label": as_text(label),
        "fill": "currentColor",
        "stroke-linejoin": "round",
        "style": "display: block",
    }
    root.extend(_places(figure))
    return ElementTree.tostring(root, encoding="unicode")


@styled
def _saved(figure: Drawing) -> bytes:
    mpl.rcParams["svg.fonttype"] = "none"  # text that can be searched and selected
    file = io.BytesIO()
    figure.savefig(file, format="svg", transparent=True, metadata={"Date": None})
    return file.getvalue()


def _adapt(element: Element) -> None:
    """Remove metadata, global styles and namespaces, and use the page's fonts and colours."""
    element.tag = element.tag.rpartition("}")[2]
    for child in list(element):
        if child.tag.endswith(("}metadata", "}style")):
            element.remove(child)
        else:
            _adapt(child)
    for name in list(element.attrib):
        # A page needs no namespaces.
        element.set(name.rpartition("}")[2], element.attrib.pop(name))
    for name in ("fill", "stroke"):
        if name in element.attrib:
            element.set(name, _on_page(element.attrib[name]))
    if "style" in element.attrib:
        pairs = (part.partition(":") for part in element.attrib["style"].split(";"))
        styles = {name.strip(): value.strip() for name, _, value in pairs if value}
        element.set("style", "; ".join(f"{name}: {value}" for name, value in _styles(styles)))


def _styles(styles: dict[str, str]) -> Iterable[tuple[str, str]]:
    for name, value in styles.items():
        if name == "font":  # older versions of matplotlib write size and family together
            size = re.search(r"[\d.]+px", value)
            yield "font-size", size[0] if size else "1em"
        elif name != "font-family":
            yield name, _on_page(value)


def _on_page(value: str) -> str:
    return _ON_PAGES.get(value.lower(), value)


def _make_ids_unique(root: Element, prefix: str) -> None:
    """Put a prefix before each id that is used, and remove the others."""
    used = set()
    for element in root.iter():
        for name, value in element.attrib.items():
            if name == "href" and value.startswith("#"):
                used.add(value[1:])
                element.set(name, f"#{prefix}{value[1:]}")
            else:
                used.update(_REFERENCE.findall(value))
                element.set(name, _REFERENCE.sub(rf"url(#{prefix}\1)", value))
    for element in root.iter():
        own = element.attrib.pop("id", None)
        if own in used:
            element.set("id", prefix + str(own))


def _places(figure: Drawing) -> Iterable[Element]:
    """Yield an element for each place with a tip; things at the same place share one."""
    to_points = 72 / figure.dpi
    top = figure.get_figheight() * 72
    # An undefined value is not drawn, so it has no place.
    tips = [tip for tip in figure.tips if math.isfinite(tip.x) and math.isfinite(tip.y)]
    bars = [tip for tip in tips if tip.width]
    points = [tip for tip in tips if not tip.width]
    for bar in bars:
        corners = [(bar.x, bar.y), (bar.x + bar.width, bar.y + bar.height)]
        (x1, y1), (x2, y2) = np.sort(bar.axes.transData.transform(corners), axis=0) * to_points
        at = {"x": x1, "y": top - y2, "width": x2 - x1, "height": y2 - y1}
        yield _place("rect", at, [bar])
    if points:
        xy = np.array([p.axes.transData.transform((p.x, p.y)) for p in points]) * to_points
        together: dict[tuple[int, int], list[int]] = {}
        for i, (x, y) in enumerate(xy.round().astype(np.int64).tolist()):
            together.setdefault((x, y), []).append(i)
        firsts = [members[0] for members in together.values()]
        for i, radius, members in zip(firsts, _radii(xy[firsts]), together.values(), strict=True):
            at = {"cx": xy[i, 0], "cy": top - xy[i, 1], "r": radius}
            yield _place("circle", at, [points[j] for j in members])


def _radii(xy: NDArray[np.float64]) -> list[float]:
    """Return half the distance from each point to the nearest other, within limits."""
    if len(xy) < 2:
        return [_LARGEST] * len(xy)
    distances, _ = KDTree(xy).query(xy, k=2)
    radii: list[float] = np.clip(distances[:, 1] / 2, _SMALLEST, _LARGEST).tolist()
    return radii


def _place(shape: str, at: dict[str, float], tips: list[Tip]) -> Element:
    text = "\n".join(as_text(tip.text) for tip in tips)
    numbers = {name: f"{value:.1f}".removesuffix(".0") for name, value in at.items()}
    place = Element(shape, {"class": "tip", **numbers, "fill": "transparent", "data-tip": text})
    SubElement(place, "title").text = text
    return place
