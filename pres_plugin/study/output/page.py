"""Show results as HTML: as the page of a report, or as the output of a notebook's cell.

The page is one file that needs nothing else. The output of a cell needs no script, and takes its
colours and fonts from the notebook.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

from pres_plugin.escaping import visible
from pres_plugin.output.words import unbroken
from pres_plugin.study.output.parts import Picture, Section
from pres_plugin.study.output.style import inline_svg

# The page of a report shows this many rows of each table, whose file contains all of them.
_PAGE_ROWS = 200

# A notebook keeps its outputs, so its tables are short.
_CELL_ROWS = 30

_TEMPLATES = Path(__file__).parent / "templates"
_ENVIRONMENT = jinja2.Environment(
    loader=jinja2.FileSystemLoader(_TEMPLATES),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    # Names may contain characters that a browser would hide.
    finalize=lambda value: visible(value) if type(value) is str else value,
)
# Sentences, unlike names and commands, keep numbers on the line of their unit or symbol.
_ENVIRONMENT.filters["prose"] = lambda text: escape(unbroken(visible(text)))


def page(
    parts: Sequence[Section | Picture], progress: Callable[..., Any], **about: Any
) -> Iterator[str]:
    """Yield the page of a report in pieces, so that only one table is in memory.

    Parameters
    ----------
    parts : sequence of Section or Picture
        The results.
    progress : callable
        As in :meth:`.report.Report.write`.
    **about
        What the page says about the report: ``title``, ``intro``, ``summary``, ``command`` and
        ``versions``.
    """
    shown = [part for part in parts if isinstance(part, Section) or part.on_page]
    script = (_TEMPLATES / "page.js").read_text(encoding="utf-8")
    digest = hashlib.sha256(script.encode()).digest()
    yield from _ENVIRONMENT.get_template("page.html.j2").generate(
        about,
        parts=shown,
        sections=(
            _section(part, _PAGE_ROWS) for part in progress(shown, len(shown), "report.html")
        ),
        script=Markup(script),
        script_hash=base64.b64encode(digest).decode(),
    )


def in_notebook(sentences: Sequence[str], parts: Sequence[Picture | Section]) -> str:
    """Return an HTML element with some results in words, their tables and their pictures.

    Parameters
    ----------
    sentences : sequence of str
        The results in words.
    parts : sequence of Picture or Section
        The results as they are in a report.

    Returns
    -------
    str
        An HTML element. It shows the first 30 rows of each table.
    """
    sections = (_section(part, _CELL_ROWS) for part in parts)
    template = _ENVIRONMENT.get_template("notebook.html.j2")
    return template.render(sentences=sentences, sections=sections)


def _section(part: Section | Picture, most: int) -> tuple[Any, ...]:
    """Return a part, its picture, the same as SVG, and the titles and first rows of its tables.

    The last item of each table is the number of rows that are left out, if it is above 0.
    """
    picture = part if isinstance(part, Picture) else part.picture
    tables = part.shown() if isinstance(part, Section) else ()
    first = ((title, table.rows(slice(most)), len(table) - most) for title, table in tables)
    # The text of a picture is escaped by the XML library that writes it.
    svg = picture and Markup(inline_svg(picture.draw(), f"{picture.title}. {picture.caption}"))
    return part, picture, svg, first
