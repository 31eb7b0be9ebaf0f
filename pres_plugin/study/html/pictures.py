"""Show a picture as HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

if TYPE_CHECKING:
    from pres_plugin.study.report import Picture


def picture_html(picture: Picture) -> Markup:
    """Draw a picture at full width and return it as an ``<svg>`` element."""
    from pres_plugin.study.pictures.inline import inline_svg
    from pres_plugin.study.pictures.style import FULL_WIDTH

    drawn = picture.draw(width=FULL_WIDTH)
    # The text in the picture is escaped by the XML library that writes it.
    return Markup(inline_svg(drawn, f"{picture.title}. {picture.caption}"))
