"""Show a picture as HTML."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from markupsafe import Markup

if TYPE_CHECKING:
    from pres_plugin.study.pictures.style import Drawing


def picture_html(draw: Callable[..., Drawing], label: str) -> Markup:
    """Draw a picture at full width and return it as an ``<svg>`` element.

    Parameters
    ----------
    draw : function
        Draws the picture, with the keyword `width`.
    label : str
        What the picture shows, for people who cannot see it.
    """
    from pres_plugin.study.pictures.inline import inline_svg
    from pres_plugin.study.pictures.style import FULL_WIDTH

    # The text in the picture is escaped by the XML library that writes it.
    return Markup(inline_svg(draw(width=FULL_WIDTH), label))
