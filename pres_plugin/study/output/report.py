"""Put the results of a study together: tables as TSV and JSON, pictures, and one page."""

from __future__ import annotations

import json
import os
import platform
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from pres_plugin.escaping import visible
from pres_plugin.output.words import unbroken
from pres_plugin.study.output.folder import RESULTS, filled
from pres_plugin.study.output.parts import Picture, Section, made

#: The page.
PAGE = "report.html"

#: The file of the table for a paper, by its format.
PAPERS = {"latex": "table.tex", "markdown": "table.md"}

_encoded = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


@dataclass(frozen=True)
class Report:
    """The tables and pictures of a study, in reading order.

    Attributes
    ----------
    title : str
        What was studied.
    intro : str
        One or two sentences on how to read the report.
    parts : sequence of Section or Picture
        The results. Notebooks show the first two.
    command : str
        The command that creates the report again.
    summary : sequence of str
        The results in a few sentences.
    paper : function, optional
        Returns the main table for a paper as text, given a format, ``latex`` or ``markdown``, and
        the number of decimals. By default, there is none.
    exit_code : int, default 0
        The exit code of a command that prints or writes this report.
    """

    title: str
    intro: str
    parts: Sequence[Section | Picture]
    command: str
    summary: Sequence[str] = ()
    paper: Callable[[str, int], str] = lambda fmt, decimals: ""
    exit_code: int = 0

    def texts(self, decimals: int = 4) -> Iterator[str]:
        """Yield the tables as text for a terminal, one at a time to save memory."""
        before = ""
        if self.summary:
            yield "".join(map(_item, self.summary))
            before = "\n"
        for part in self.parts:
            if isinstance(part, Section) and part.printed:
                for title, table in part.shown():
                    yield f"{before}{visible(title)}\n\n{table.printed(decimals)}\n"
                    before = "\n"
                yield f"{visible(part.note)}\n"

    def write(
        self,
        folder: Path,
        *,
        force: bool = False,
        progress: Callable[..., Any] = lambda items, *_: items,
    ) -> None:
        """Write all tables and pictures into a folder, or nothing if anything fails.

        Parameters
        ----------
        folder : Path
            The folder, which may be missing or empty.
        force : bool, default False
            Whether to replace the folder if it contains an older report and nothing else.
        progress : callable, optional
            Called with the parts to draw or write, their number, and what they belong to; must
            return an iterable of the same parts. Use it to show a progress bar.

        Raises
        ------
        InputError
            If the folder contains an older report and `force` is not set, if it contains
            anything else, or if it cannot be written to.
        """
        from pres_plugin.study.output import page, style

        with filled(folder, force=force) as new:
            for part in progress(self.parts, len(self.parts), "pictures and tables"):
                if isinstance(part, Section):
                    made(part.table).write_tsv(new / f"{part.name}.tsv")
                else:
                    figure = part.draw()
                    for fmt in ("png", "svg"):
                        style.save(figure, new / f"{part.name}.{fmt}")
            for fmt, name in PAPERS.items():
                if text := self.paper(fmt, 4):
                    _write(new / name, [text])
            about = {
                "files": [*sorted(os.listdir(new)), RESULTS, PAGE],
                "title": self.title,
                "command": self.command,
                "versions": versions(),
                "summary": self.summary,
            }
            _write(new / RESULTS, self._json(about))
            _write(new / PAGE, page.page(self.parts, progress, intro=self.intro, **about))

    def _json(self, about: dict[str, Any]) -> Iterator[str]:
        """Yield all numbers as JSON, one record per line; `folder` reads the first line."""
        yield _encoded(about).removesuffix("}") + ',\n"tables": {'
        between = "\n"
        for part in self.parts:
            if isinstance(part, Section):
                yield f"{between}{_encoded(part.name)}: ["
                yield from made(part.table).json_records()
                yield "]"
                between = ",\n"
        yield "}}\n"


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that this process has imported.

    Packages that a study did not need, such as SciPy in a sweep, are not named.
    """
    packages = ("pres-plugin", "ir-measures", "numpy", "scipy", "pandas", "matplotlib")
    return {"Python": platform.python_version()} | {
        name: metadata.version(name) for name in packages if name.replace("-", "_") in sys.modules
    }


def _item(sentence: str) -> str:
    """Return a sentence as an item of a list, in lines of at most 100 characters."""
    wrapped = textwrap.fill(
        unbroken(visible(sentence)),
        100,
        initial_indent="- ",
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return wrapped.replace("\xa0", " ") + "\n"


def _write(path: Path, texts: Iterable[str]) -> None:
    """Write text as UTF-8."""
    # JSON, Python and this project's TSV write a surrogate, which is not valid UTF-8, as \\udcff.
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
        file.writelines(texts)
