"""Show results as the output of a notebook's cell: sentences, tables and a picture.

The output needs no script, and takes its colours and fonts from the notebook.
"""

from __future__ import annotations

from collections.abc import Sequence

from pres_plugin.escaping import visible
from pres_plugin.study.html.pictures import picture_html
from pres_plugin.study.html.tables import first_rows
from pres_plugin.study.html.templates import asset, render
from pres_plugin.study.report import Picture, Table

# A notebook keeps its outputs, so they are short.
_ROWS = 30
_TABLES = 8


def in_notebook(sentences: Sequence[str], parts: Sequence[Picture | Table]) -> str:
    """Return the sentences, the first table and the first picture of some results.

    Parameters
    ----------
    sentences : sequence of str
        The results in words.
    parts : sequence of Picture or Table
        The results as they are in a report.

    Returns
    -------
    str
        An HTML element. It shows the first 30 rows of the table.
    """
    table = next(part for part in parts if isinstance(part, Table))
    pictures = (part for part in parts if isinstance(part, Picture))
    picture = table.picture or next(pictures)
    page = render(
        "notebook.html.j2",
        style=asset("notebook.css"),
        sentences=[visible(sentence) for sentence in sentences],
        tables=[first_rows(view.title, view.flat(), _ROWS) for view in table.shown()[:_TABLES]],
        n_tables=len(table.shown()),
        note=visible(table.note),
        picture=picture_html(picture),
        caption=visible(picture.caption),
    )
    return str(page)  # not Markup, which would escape what a caller adds to it
