"""Build the page of a report: one file that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from pres_plugin.escaping import visible
from pres_plugin.study.html.pictures import picture_html
from pres_plugin.study.html.tables import first_rows
from pres_plugin.study.html.templates import asset, render

if TYPE_CHECKING:
    import pandas as pd

    from pres_plugin.study.columns import Columns
    from pres_plugin.study.report import Picture, Report, Table

# A page contains at most this many rows of each table. Once it contains this many rows in all,
# it shows only the first few rows of each further table.
_TABLE_ROWS = 2_000
_PAGE_ROWS = 20_000
_FEW_ROWS = 10

# Stands for the sections in the page's template. No text can contain it: `visible` escapes it.
_HERE = Markup("\x00")


class Page:
    """A page to which tables and pictures are added one at a time, to save memory."""

    def __init__(self) -> None:
        self._sections: list[Markup] = []
        self._links: list[tuple[str, str]] = []
        self._rows_left = _PAGE_ROWS

    def add_table(self, table: Table, frame: Columns | pd.DataFrame) -> None:
        """Add a table, formatted for display. `frame` contains its numbers."""
        tables = []
        for view in table.shown():
            rows = view.flat() if table.views else frame
            most = max(_FEW_ROWS, min(_TABLE_ROWS, self._rows_left))
            tables.append(first_rows(view.title, rows, most))
            self._rows_left -= tables[-1]["shown"]
        self._add(table.name, table.title, table.picture, tables, table.note)

    def add_picture(self, picture: Picture) -> None:
        """Add a picture."""
        self._add(picture.name, picture.title, picture)

    def _add(
        self,
        name: str,
        title: str,
        picture: Picture | None,
        tables: Sequence[dict[str, Any]] = (),
        note: str = "",
    ) -> None:
        title = visible(title)
        self._links.append((name, title))
        self._sections.append(
            render(
                "section.html.j2",
                name=name,
                title=title,
                picture="" if picture is None else picture_html(picture),
                caption="" if picture is None else visible(picture.caption),
                note=visible(note),
                tables=tables,
            )
        )

    def lines(self, report: Report, versions: Mapping[str, str]) -> Iterator[str]:
        """Yield the text of the page in pieces."""
        script = asset("page.js")
        digest = hashlib.sha256(script.encode()).digest()
        before, after = render(
            "page.html.j2",
            title=visible(report.title),
            intro=visible(report.intro),
            summary=[visible(sentence) for sentence in report.summary],
            command=visible(report.command),
            links=self._links,
            style=asset("page.css"),
            script=script,
            script_hash=base64.b64encode(digest).decode(),
            versions=", ".join(f"{name} {version}" for name, version in versions.items()),
            sections=_HERE,
        ).split(_HERE)
        yield before
        yield from self._sections
        yield after
