"""Show a table as HTML, or its first rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from pres_plugin.escaping import visible
from pres_plugin.study.cells import has_numbers, headings, written_columns
from pres_plugin.study.columns import Column, Columns, columns_of
from pres_plugin.study.html.templates import render

if TYPE_CHECKING:
    import pandas as pd

# Longer tables can be scrolled.
_LONG = 30

# Texts longer than this may be broken into lines.
_LONG_TEXT = 24


def table_html(frame: Columns | pd.DataFrame, label: str, most: int) -> Markup:
    """Return the first rows of a table, in a frame that scrolls if the table is too large for it.

    Parameters
    ----------
    frame : Columns or DataFrame
        The table, without a named index.
    label : str
        A description of the table for screen readers.
    most : int
        The number of rows to show.
    """
    shown = frame.head(most)
    texts = written_columns(shown)
    classes = [_css_class(*both) for both in zip(columns_of(shown), texts, strict=True)]
    return render(
        "table.html.j2",
        label=label,
        columns=list(zip(headings(shown), classes, strict=True)),
        rows=[list(zip(row, classes, strict=True)) for row in zip(*texts, strict=True)],
        is_tall=len(shown) > _LONG,
    )


def first_rows(title: str, frame: Columns | pd.DataFrame, most: int) -> dict[str, Any]:
    """Return what the templates need to show the first rows of a table under its title."""
    title = visible(title)
    html = table_html(frame, f"{title}, table", most)
    return {"title": title, "html": html, "shown": min(most, len(frame)), "rows": len(frame)}


def _css_class(column: Column, texts: list[str]) -> str:
    """Return a column's CSS class: n for numbers, w for long texts, t for other texts."""
    if has_numbers(column):
        return "n"
    return "w" if max(map(len, texts), default=0) > _LONG_TEXT else "t"
