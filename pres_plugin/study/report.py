"""Write the tables and pictures of a study into a folder, or print the tables.

The folder contains each picture as PNG and SVG, each table as TSV, all numbers as JSON,
and an HTML page that needs none of the other files.
"""

from __future__ import annotations

import base64
import io
import json
import math
import platform
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import metadata
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
from tabulate import tabulate

from pres_plugin.escaping import in_table, visible
from pres_plugin.study.folder import RESULTS, filled
from pres_plugin.study.records import json_records, tsv

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pres_plugin.study.pictures.style import Drawing

_PAGE = "report.html"

# A page shows this many rows of a table; longer tables can be scrolled.
_LONG = 30

# A page contains at most this many rows of each table. Once it contains this many rows in all,
# it shows only the first few rows of each further table.
_TABLE_ROWS = 2_000
_PAGE_ROWS = 20_000
_FEW_ROWS = 10

# Columns with texts longer than this are made wide enough to read.
_SENTENCE = 36

_encoded = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


@dataclass(frozen=True, eq=False)
class Table:
    """A table: a file name without extension, a title, the numbers and a note on them.

    A named index is shown as a column. The frame may be a function that returns it, so
    that only one of many large frames is in memory. If `printed` is False, the table is
    only written.
    """

    name: str
    title: str
    frame: pd.DataFrame | Callable[[], pd.DataFrame]
    note: str = ""
    printed: bool = True

    def flat(self) -> pd.DataFrame:
        """Return the table with a named index as columns."""
        frame = self.frame() if callable(self.frame) else self.frame
        named = any(name is not None for name in frame.index.names)
        return frame.reset_index() if named else frame


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture: a file name without extension, a title, a drawing function and a caption.

    The function draws for one column of a paper, or for a page with the keyword `width`.
    """

    name: str
    title: str
    draw: Callable[..., Drawing]
    caption: str


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
    """

    title: str
    intro: str
    parts: Sequence[Table | Picture]
    command: str

    def text(self, places: int = 4) -> str:
        """Return the tables as text for a terminal."""
        return "".join(self.texts(places))

    def texts(self, places: int = 4) -> Iterator[str]:
        """Yield the tables as text for a terminal, one at a time to save memory."""
        before = ""
        for part in self.parts:
            if isinstance(part, Table) and part.printed:
                yield before + "\n".join(
                    [visible(part.title), "", _plain(part.flat(), places), visible(part.note), ""]
                )
                before = "\n"

    def write(self, folder: Path, *, force: bool = False) -> list[Path]:
        """Write all tables and pictures into a folder, or nothing if anything fails.

        Parameters
        ----------
        folder : Path
            The folder, which is created if needed.
        force : bool, default False
            Whether to write into a folder that contains files. Files of an older report
            are removed, files with the same names are replaced, others are kept.

        Returns
        -------
        list of Path
            The files written.

        Raises
        ------
        StudyError
            If the folder contains files and `force` is not set, if it cannot be written to,
            or if another process writes into it at the same time.
        """
        body: list[dict[str, Any]] = []
        rows = _PAGE_ROWS
        with filled(folder, force=force) as new:
            for part in self.parts:
                if isinstance(part, Table):
                    frame = part.flat()
                    _write(new / f"{part.name}.tsv", tsv(frame))
                    body.append(_shown_table(part, frame, rows))
                    rows -= len(body[-1]["rows"])
                else:
                    figure = part.draw()
                    png, svg = (_rendered(figure, fmt) for fmt in ("png", "svg"))
                    (new / f"{part.name}.png").write_bytes(png)
                    (new / f"{part.name}.svg").write_bytes(svg)
                    body.append(_shown_picture(part, svg, figure.get_figwidth()))
            _write(new / RESULTS, self._json())
            _write(new / _PAGE, [self._html(body)])
        return [folder / name for name in self._files()]

    def _files(self) -> list[str]:
        """Return the names of the files that `write` writes."""
        of_parts = [
            f"{part.name}.{extension}"
            for part in self.parts
            for extension in (("tsv",) if isinstance(part, Table) else ("png", "svg"))
        ]
        return [*of_parts, RESULTS, _PAGE]

    def _json(self) -> Iterator[str]:
        """Yield all numbers as JSON, one record per line; the list of files must come first."""
        head = {
            "files": self._files(),
            "title": self.title,
            "command": self.command,
            "versions": versions(),
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

    def _html(self, parts: list[dict[str, Any]]) -> str:
        import jinja2

        folder = jinja2.FileSystemLoader(Path(__file__).parent)
        pages = jinja2.Environment(
            loader=folder, autoescape=True, trim_blocks=True, lstrip_blocks=True
        )
        return pages.get_template("report.html.j2").render(
            title=visible(self.title),
            intro=visible(self.intro),
            command=visible(self.command),
            parts=parts,
            versions=", ".join(f"{name} {version}" for name, version in versions().items()),
        )


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that computed the numbers."""
    packages = ("pres-plugin", "ir-measures", "numpy", "scipy", "pandas", "matplotlib")
    return {"Python": platform.python_version()} | {
        name: metadata.version(name) for name in packages
    }


def _rendered(figure: Figure, fmt: str) -> bytes:
    from pres_plugin.study.pictures.style import save

    file = io.BytesIO()
    save(figure, file, fmt)
    return file.getvalue()


def _cell(value: Any, places: int) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return "–" if math.isnan(value) else f"{value:.{places}f}" if places >= 0 else repr(value)
    return in_table(str(value))


def _is_number(column: pd.Series) -> bool:
    return bool(pd.api.types.is_numeric_dtype(column))


def _plain(frame: pd.DataFrame, places: int) -> str:
    return tabulate(
        [[_cell(value, places) for value in row] for row in frame.itertuples(index=False)],
        headers=[in_table(name) for name in frame.columns],
        disable_numparse=True,
        colalign=["right" if _is_number(frame[c]) else "left" for c in frame.columns]
        if len(frame)
        else None,
    )


def _write(path: Path, texts: Iterable[str]) -> None:
    """Write text as UTF-8."""
    # JSON, Python and this project's TSV write a surrogate, which is not valid UTF-8, as \\udcff.
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
        file.writelines(texts)


def _shown_table(table: Table, frame: pd.DataFrame, most: int) -> dict[str, Any]:
    """Return what the template needs to show a table, or the first rows of a long one."""
    shown = frame.iloc[: max(_FEW_ROWS, min(_TABLE_ROWS, most))]
    classes = [_css_class(shown[column]) for column in shown.columns]
    rows = (map(_cell, row, repeat(4)) for row in shown.itertuples(index=False))
    return {
        "name": table.name,
        "title": visible(table.title),
        "note": visible(table.note),
        "columns": list(zip(shown.columns, classes, strict=True)),
        "rows": [list(zip(row, classes, strict=True)) for row in rows],
        "all_rows": len(frame),
        "is_tall": len(shown) > _LONG,
    }


def _css_class(column: pd.Series) -> str:
    """Return a column's CSS class: n for numbers, w for long texts, t for other texts."""
    if _is_number(column):
        return "n"
    return "w" if column.astype(str).str.len().max() > _SENTENCE else "t"


def _shown_picture(picture: Picture, svg: bytes, width: float) -> dict[str, Any]:
    """Return what the template needs to show a picture with a width in inches."""
    return {
        "name": picture.name,
        "title": visible(picture.title),
        "caption": visible(picture.caption),
        "svg": base64.b64encode(svg).decode(),
        "width": f"{1.6 * width:.1f}",
    }
