"""The parts of a page that a script makes: between its marker and the next ``<!-- end -->``."""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["with_parts"]


def with_parts(page: str, parts: Mapping[str, str]) -> str:
    """Return the page with some of its parts replaced.

    Parameters
    ----------
    page : str
        Markdown. A part begins after ``<!-- table: name -->``.
    parts : mapping of str to str
        The new text of each part, by its name. Other parts stay as they are.

    Raises
    ------
    ValueError
        If the page has no part of a name, or several.
    """
    for name, text in parts.items():
        markers = rf"(<!-- table: {name} -->\n).*?(<!-- end -->)"
        page, found = re.subn(
            markers, lambda m, t=text: f"{m[1]}\n{t}\n\n{m[2]}", page, flags=re.DOTALL
        )
        if found != 1:
            raise ValueError(f"the page has {found} places '<!-- table: {name} -->', not one")
    return page
