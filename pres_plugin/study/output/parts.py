"""The parts of a report: tables and pictures, with what to say about them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from pres_plugin.output.tables import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    #: A table, or a function that returns it, so that only one of many large tables is in memory.
    TableOrFunction: TypeAlias = Table | Callable[[], Table]


@dataclass(frozen=True)
class Picture:
    """A picture: a file name without extension, a title, a drawing function and a caption.

    If `on_page` is False, the picture is only written to files.
    """

    name: str
    title: str
    draw: Callable[..., Figure]
    caption: str
    on_page: bool = True


@dataclass(frozen=True)
class Section:
    """A table: its numbers for files, and how pages and terminals show it.

    .. versionadded:: 0.2.0

    Attributes
    ----------
    name : str
        The name of its file, without extension.
    title : str
        What the table shows.
    table : Table or function
        The numbers. A function returns them only when they are needed.
    note : str, default ''
        How to read the table.
    printed : bool, default True
        Whether terminals show the table. The page always does.
    views : sequence of (str, Table or function)
        Titles and tables to show instead, if another layout is easier to read.
    picture : Picture, optional
        A picture to show above the table. Only the page shows it.
    has_ids : bool, default False
        Whether links can lead to the rows on the page, as in ``#name-1`` for the first.
    """

    name: str
    title: str
    table: TableOrFunction
    note: str = ""
    printed: bool = True
    views: Sequence[tuple[str, TableOrFunction]] = ()
    picture: Picture | None = None
    has_ids: bool = False

    def shown(self) -> Iterator[tuple[str, Table]]:
        """Yield the titles and tables to show, one at a time to save memory."""
        for title, table in self.views or [(self.title, self.table)]:
            yield title, made(table)


def made(table: TableOrFunction) -> Table:
    """Return a table that may have to be made first."""
    return table if isinstance(table, Table) else table()


def left_out(what: str, drawn: int, there: int) -> str:
    """Return the end of a caption that says how many of something are drawn, if not all.

    >>> from pres_plugin.study.output.parts import left_out
    >>> left_out("the first {} runs", 24, 200)
    ' Only the first 24 runs of 200 are drawn.'
    >>> left_out("the first {} runs", 24, 3)
    ''
    """
    return "" if there <= drawn else f" Only {what.format(drawn)} of {there} are drawn."
