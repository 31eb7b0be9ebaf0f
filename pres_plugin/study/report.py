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
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import metadata
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
from tabulate import tabulate

from pres_plugin.remedy import Remedy
from pres_plugin.study.inputs import StudyError
from pres_plugin.study.records import json_records

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# A page shows this many rows of a table; longer tables can be scrolled.
_LONG = 30

# Columns with texts longer than this are made wide enough to read.
_SENTENCE = 36


@dataclass(frozen=True, eq=False)
class Table:
    """A table: a file name without extension, a title, the numbers and a note on them.

    A named index is shown as a column. If `printed` is False, it is only written.
    """

    name: str
    title: str
    frame: pd.DataFrame
    note: str = ""
    printed: bool = True

    def flat(self) -> pd.DataFrame:
        """Return the table with a named index as columns."""
        named = any(name is not None for name in self.frame.index.names)
        return self.frame.reset_index() if named else self.frame


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture: a file name without extension, a title, a drawing function and a caption."""

    name: str
    title: str
    draw: Callable[[], Figure]
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
        return "\n".join(
            "\n".join([part.title, "", _plain(part.flat(), places), part.note, ""])
            for part in self.parts
            if isinstance(part, Table) and part.printed
        )

    def write(self, folder: Path, *, force: bool = False) -> list[Path]:
        """Draw everything, then write it.

        Parameters
        ----------
        folder : Path
            The folder, which is created if needed.
        force : bool, default False
            Whether to write into a folder that contains files. Files with the same names
            are replaced, others are kept.

        Returns
        -------
        list of Path
            The files written.

        Raises
        ------
        StudyError
            If the folder contains files and `force` is not set, or if it cannot be written to.
        """
        check_folder(folder, force=force)
        files: dict[str, bytes] = {}
        body: list[dict[str, Any]] = []
        for part in self.parts:
            if isinstance(part, Table):
                tsv = part.flat().to_csv(sep="\t", index=False, lineterminator="\n")
                files[f"{part.name}.tsv"] = tsv.encode()
                body.append(_shown_table(part))
            else:
                figure = part.draw()
                files[f"{part.name}.png"] = _rendered(figure, "png")
                files[f"{part.name}.svg"] = svg = _rendered(figure, "svg")
                body.append(_shown_picture(part, svg, figure.get_figwidth()))
        files["results.json"] = self._json().encode()
        files["report.html"] = self._html(body).encode()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for name, content in files.items():
                (folder / name).write_bytes(content)
        except OSError as error:
            raise StudyError(f"{folder}: cannot be written ({error.strerror})") from error
        return [folder / name for name in files]

    def _json(self) -> str:
        """Return all numbers as JSON, one record per line."""
        head = {"title": self.title, "command": self.command, "versions": versions()}
        tables = ",\n".join(
            f"{json.dumps(part.name)}: [{''.join(json_records(part.flat()))}]"
            for part in self.parts
            if isinstance(part, Table)
        )
        text = json.dumps(head, ensure_ascii=False).removesuffix("}")
        return f'{text},\n"tables": {{\n{tables}}}}}\n'

    def _html(self, parts: list[dict[str, Any]]) -> str:
        import jinja2

        folder = jinja2.FileSystemLoader(Path(__file__).parent)
        pages = jinja2.Environment(
            loader=folder, autoescape=True, trim_blocks=True, lstrip_blocks=True
        )
        return pages.get_template("report.html.j2").render(
            title=self.title,
            intro=self.intro,
            command=self.command,
            parts=parts,
            versions=", ".join(f"{name} {version}" for name, version in versions().items()),
        )


def check_folder(folder: Path, *, force: bool) -> None:
    """Raise a StudyError unless results may be written into this folder."""
    if folder.exists() and not folder.is_dir():
        raise StudyError(f"{folder}: this is a file, not a folder")
    if not force and folder.is_dir() and any(folder.iterdir()):
        remedy = Remedy("write into it with {}", "force", (True,))
        raise StudyError(f"{folder}: the folder contains files already", remedy)


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
    return str(value)


def _is_number(column: pd.Series) -> bool:
    return bool(pd.api.types.is_numeric_dtype(column))


def _plain(frame: pd.DataFrame, places: int) -> str:
    return tabulate(
        [[_cell(value, places) for value in row] for row in frame.itertuples(index=False)],
        headers=list(frame.columns),
        disable_numparse=True,
        colalign=["right" if _is_number(frame[c]) else "left" for c in frame.columns]
        if len(frame)
        else None,
    )


def _shown_table(table: Table) -> dict[str, Any]:
    """Return what the template needs to show a table."""
    frame = table.flat()
    classes = [_css_class(frame[column]) for column in frame.columns]
    rows = (map(_cell, row, repeat(4)) for row in frame.itertuples(index=False))
    return {
        "name": table.name,
        "title": table.title,
        "note": table.note,
        "columns": list(zip(frame.columns, classes, strict=True)),
        "rows": [list(zip(row, classes, strict=True)) for row in rows],
        "is_tall": len(frame) > _LONG,
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
        "title": picture.title,
        "caption": picture.caption,
        "svg": base64.b64encode(svg).decode(),
        "width": f"{1.6 * width:.1f}",
    }
