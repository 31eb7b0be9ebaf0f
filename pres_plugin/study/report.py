"""Write the results of a study: tables as TSV and JSON, pictures as PNG and SVG, and one page."""

from __future__ import annotations

import io
import json
import platform
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from pres_plugin.escaping import visible
from pres_plugin.study.cells import as_text
from pres_plugin.study.columns import Columns
from pres_plugin.study.folder import PAGE, RESULTS, filled

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from pres_plugin.study.pictures.style import Drawing

    Frame: TypeAlias = Columns | pd.DataFrame | Callable[[], Columns | pd.DataFrame]

#: The file of the table for a paper, by its format.
PAPERS = {"latex": "table.tex", "markdown": "table.md"}

_encoded = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


@dataclass(frozen=True, eq=False)
class View:
    """A table in a layout that is easy to read, with a title."""

    title: str
    frame: Frame

    def flat(self) -> Columns | pd.DataFrame:
        """Return the table, with its index turned into columns if it has names."""
        frame = self.frame() if callable(self.frame) else self.frame
        if isinstance(frame, Columns):
            return frame
        named = any(name is not None for name in frame.index.names)
        return frame.reset_index() if named else frame


@dataclass(frozen=True, eq=False)
class Table:
    """A table: its numbers for files, and its layout for pages and terminals.

    Attributes
    ----------
    name : str
        The name of its file, without extension.
    title : str
        What the table shows.
    frame : Columns, DataFrame or function
        The numbers. A named index is written as a column. The frame may be a function that
        returns it, so that only one of many large frames is in memory.
    note : str, default ''
        How to read the table.
    printed : bool, default True
        Whether terminals show the table. The page always does.
    views : sequence of View
        Tables to show instead of the frame, if another layout is easier to read.
    picture : Picture, optional
        A picture to show above the table. Only the page shows it.
    """

    name: str
    title: str
    frame: Frame
    note: str = ""
    printed: bool = True
    views: Sequence[View] = ()
    picture: Picture | None = None

    def flat(self) -> Columns | pd.DataFrame:
        """Return the numbers, with the index turned into columns if it has names."""
        return View(self.title, self.frame).flat()

    def shown(self) -> Sequence[View]:
        """Return the tables to show."""
        return self.views or (View(self.title, self.frame),)


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture: a file name without extension, a title, a drawing function and a caption.

    The function draws the picture as wide as one column of a paper, unless it is called with
    `width`. If `on_page` is False, the picture is only written to files.
    """

    name: str
    title: str
    draw: Callable[..., Drawing]
    caption: str
    on_page: bool = True


@dataclass(frozen=True, eq=False)
class Report:
    """The tables and pictures of a study, in reading order.

    Attributes
    ----------
    title : str
        What was studied.
    intro : str
        One or two sentences on how to read the report.
    parts : sequence of Table or Picture
        The results.
    command : str
        The command that creates the report again.
    summary : sequence of str
        The results in a few sentences.
    papers : dict of str to function
        The functions that return the main table for a paper as text, by format: ``latex``
        or ``markdown``. Each takes the number of decimals.
    """

    title: str
    intro: str
    parts: Sequence[Table | Picture]
    command: str
    summary: Sequence[str] = ()
    papers: Mapping[str, Callable[[int], str]] = field(default_factory=dict)

    def text(self, places: int = 4) -> str:
        """Return the tables as text for a terminal."""
        return "".join(self.texts(places))

    def texts(self, places: int = 4) -> Iterator[str]:
        """Yield the tables as text for a terminal, one at a time to save memory."""
        before = ""
        if self.summary:
            yield "".join(map(_item, self.summary))
            before = "\n"
        for part in self.parts:
            if isinstance(part, Table) and part.printed:
                for view in part.shown():
                    yield f"{before}{visible(view.title)}\n\n{as_text(view.flat(), places)}\n"
                    before = "\n"
                yield f"{visible(part.note)}\n"

    def write(self, folder: Path, *, force: bool = False) -> list[Path]:
        """Write all tables and pictures into a folder, or nothing if anything fails.

        Parameters
        ----------
        folder : Path
            The folder, which may be missing or empty.
        force : bool, default False
            Whether to replace the folder if it contains an older report and nothing else.

        Returns
        -------
        list of Path
            The files written.

        Raises
        ------
        StudyError
            If the folder contains an older report and `force` is not set, if it contains
            anything else, or if it cannot be written to.
        """
        from pres_plugin.study.html.page import Page
        from pres_plugin.study.records import tsv

        page = Page()
        with filled(folder, force=force) as new:
            for part in self.parts:
                if isinstance(part, Table):
                    frame = part.flat()
                    _write(new / f"{part.name}.tsv", tsv(frame))
                    page.add_table(part, frame)
                else:
                    figure = part.draw()
                    for fmt in ("png", "svg"):
                        (new / f"{part.name}.{fmt}").write_bytes(_rendered(figure, fmt))
                    if part.on_page:
                        page.add_picture(part)
            for fmt, table in self.papers.items():
                _write(new / PAPERS[fmt], [table(4)])
            _write(new / RESULTS, self._json())
            _write(new / PAGE, page.lines(self, versions()))
        return [folder / name for name in self._files()]

    def _files(self) -> list[str]:
        """Return the names of the files that `write` writes."""
        of_parts = [
            f"{part.name}.{extension}"
            for part in self.parts
            for extension in (("tsv",) if isinstance(part, Table) else ("png", "svg"))
        ]
        return [*of_parts, *(PAPERS[fmt] for fmt in self.papers), RESULTS, PAGE]

    def _json(self) -> Iterator[str]:
        """Yield all numbers as JSON, one record per line; `folder` reads the first line."""
        from pres_plugin.study.records import json_records

        head = {
            "files": self._files(),
            "title": self.title,
            "command": self.command,
            "versions": versions(),
            "summary": list(self.summary),
        }
        yield _encoded(head).removesuffix("}") + ',\n"tables": {'
        between = "\n"
        for part in self.parts:
            if isinstance(part, Table):
                yield f"{between}{_encoded(part.name)}: ["
                yield from json_records(part.flat())
                yield "]"
                between = ",\n"
        yield "}}\n"


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that computed the numbers."""
    packages = ("pres-plugin", "ir-measures", "numpy", "scipy", "pandas", "matplotlib")
    return {"Python": platform.python_version()} | {
        name: metadata.version(name) for name in packages
    }


def _item(sentence: str) -> str:
    """Return a sentence as an item of a list, in lines of at most 100 characters."""
    return textwrap.fill(
        visible(sentence),
        100,
        initial_indent="- ",
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    ).join(("", "\n"))


def _rendered(figure: Figure, fmt: str) -> bytes:
    from pres_plugin.study.pictures.style import save

    file = io.BytesIO()
    save(figure, file, fmt)
    return file.getvalue()


def _write(path: Path, texts: Iterable[str]) -> None:
    """Write text as UTF-8."""
    # JSON, Python and this project's TSV write a surrogate, which is not valid UTF-8, as \\udcff.
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
        file.writelines(texts)
