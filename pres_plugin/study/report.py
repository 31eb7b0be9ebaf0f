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
from html import escape
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
from tabulate import tabulate

from pres_plugin.remedy import RemediedError, Remedy
from pres_plugin.study.scoring import StudyError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["FolderError", "Picture", "Report", "Table", "check_folder"]

#: A page shows this many rows of a table; longer tables can be scrolled.
_LONG = 30

#: Columns with texts longer than this are made wide enough to read.
_SENTENCE = 36


class FolderError(StudyError, RemediedError):
    """Results cannot be written into this folder; the message says why."""


@dataclass(frozen=True, eq=False)
class Table:
    """A table: a file name without extension, a title, the numbers and a note on them.

    A named index is shown as a column.
    """

    name: str
    title: str
    frame: pd.DataFrame
    note: str = ""

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
    """Tables and pictures in the order in which to read them.

    Attributes
    ----------
    title : str
        What was studied.
    intro : str
        A sentence or two on how to read it.
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
            if isinstance(part, Table)
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
        FolderError
            If the folder contains files and `force` is not set, or if it cannot be written to.
        """
        check_folder(folder, force=force)
        files: dict[str, bytes] = {}
        body = []
        for part in self.parts:
            if isinstance(part, Table):
                tsv = part.flat().to_csv(sep="\t", index=False, lineterminator="\n")
                files[f"{part.name}.tsv"] = tsv.encode()
                body.append(_html_table(part))
            else:
                figure = part.draw()
                files[f"{part.name}.png"] = _rendered(figure, "png")
                files[f"{part.name}.svg"] = svg = _rendered(figure, "svg")
                body.append(_html_picture(part, svg, figure.get_figwidth()))
        files["results.json"] = self._json().encode()
        files["report.html"] = self._html("\n".join(body)).encode()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for name, content in files.items():
                (folder / name).write_bytes(content)
        except OSError as error:
            raise FolderError(f"{folder}: cannot be written ({error.strerror})") from error
        return [folder / name for name in files]

    def _json(self) -> str:
        tables = {part.name: _records(part) for part in self.parts if isinstance(part, Table)}
        content = {
            "title": self.title,
            "command": self.command,
            "versions": versions(),
            "tables": tables,
        }
        return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    def _html(self, body: str) -> str:
        contents = "".join(
            f'<li><a href="#{escape(part.name)}">{escape(part.title)}</a></li>'
            for part in self.parts
        )
        installed = ", ".join(f"{name} {version}" for name, version in versions().items())
        return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(self.title)}</title>
<link rel="icon" href="data:,">
<style>{_CSS}</style>
</head>
<body>
<a class="skip" href="#contents">Skip to the results</a>
<header>
<h1>{escape(self.title)}</h1>
<p>{escape(self.intro)}</p>
<nav aria-label="Results"><ul>{contents}</ul></nav>
</header>
<main id="contents">
{body}
</main>
<footer>
<h2>How this was made</h2>
<pre tabindex="0" aria-label="Command">{escape(self.command)}</pre>
<p>{escape(installed)}</p>
</footer>
</body>
</html>
"""


def check_folder(folder: Path, *, force: bool) -> None:
    """Raise a FolderError unless results may be written into this folder."""
    if folder.exists() and not folder.is_dir():
        raise FolderError(f"{folder}: this is a file, not a folder")
    if not force and folder.is_dir() and any(folder.iterdir()):
        remedy = Remedy("write into it with {}", "force", (True,))
        raise FolderError(f"{folder}: the folder contains files already", remedy)


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


def _is_long(column: pd.Series) -> bool:
    return bool(column.astype(str).str.len().max() > _SENTENCE)


def _plain(frame: pd.DataFrame, places: int) -> str:
    return tabulate(
        [[_cell(value, places) for value in row] for row in frame.itertuples(index=False)],
        headers=list(frame.columns),
        disable_numparse=True,
        colalign=["right" if _is_number(frame[c]) else "left" for c in frame.columns]
        if len(frame)
        else None,
    )


def _records(table: Table) -> list[dict[str, Any]]:
    return [
        {key: _jsonable(value) for key, value in record.items()}
        for record in table.flat().to_dict("records")
    ]


def _jsonable(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _html_table(table: Table) -> str:
    frame = table.flat()
    numeric = [_is_number(frame[column]) for column in frame.columns]
    classes = [
        'class="n"' if is_number else f'class="{"w" if _is_long(frame[column]) else "t"}"'
        for is_number, column in zip(numeric, frame.columns, strict=True)
    ]
    head = "".join(
        f'<th scope="col" {c}>{escape(str(column))}</th>'
        for c, column in zip(classes, frame.columns, strict=True)
    )
    rows = []
    for row in frame.itertuples(index=False):
        first, *others = (escape(_cell(value, 4)) for value in row)
        cells = "".join(f"<td {c}>{v}</td>" for c, v in zip(classes[1:], others, strict=True))
        rows.append(f'<tr><th scope="row" {classes[0]}>{first}</th>{cells}</tr>')
    note = f"<p>{escape(table.note)}</p>" if table.note else ""
    tall = " tall" if len(frame) > _LONG else ""
    title = escape(table.title)
    return (
        f'<section id="{escape(table.name)}" aria-label="{title}"><h2>{title}</h2>{note}'
        f'<div class="scroll{tall}" tabindex="0" role="region" aria-label="{title}, table">'
        f"<table><thead><tr>{head}</tr></thead><tbody>\n{chr(10).join(rows)}\n</tbody></table>"
        f"</div></section>"
    )


def _html_picture(picture: Picture, svg: bytes, width: float) -> str:
    title = escape(picture.title)
    data = base64.b64encode(svg).decode()
    return (
        f'<section id="{escape(picture.name)}" aria-label="{title}"><h2>{title}</h2><figure>'
        f'<img alt="{title}. {escape(picture.caption)}" style="width: {1.6 * width:.1f}in" '
        f'src="data:image/svg+xml;base64,{data}">'
        f"<figcaption>{escape(picture.caption)}</figcaption></figure></section>"
    )


# Pictures keep a white background in dark mode, because their colours are chosen for it.
_CSS = """
:root { color-scheme: light dark; --text: #1b1b1b; --ground: #fff; --line: #c9c9c9;
  --soft: #f3f4f6; --link: #0b57a4; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e6e6; --ground: #16181c;
  --line: #474c55; --soft: #22262d; --link: #8ab8f0; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 60rem; color: var(--text);
  background: var(--ground); font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.2; } h2 { font-size: 1.15rem; margin-top: 2.5rem; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { position: static; }
nav ul { padding-left: 1.2rem; } nav a { display: inline-block; padding: .25rem 0; }
figure { margin: 0; }
figure img { display: block; max-width: 100%; height: auto; background: #fff; padding: .5rem;
  border: 1px solid var(--line); border-radius: .4rem; }
figcaption { margin-top: .5rem; max-width: 45rem; }
.scroll { overflow: auto; border: 1px solid var(--line); border-radius: .4rem; }
.tall { max-height: 34rem; }
table { border-collapse: collapse; font-size: .9rem; width: 100%; }
th, td { padding: .3rem .7rem; border-bottom: 1px solid var(--line); font-weight: normal; }
thead th { position: sticky; top: 0; background: var(--soft); font-weight: 600; }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.t, .w { text-align: left; }
.w { min-width: 16rem; }
tbody th { white-space: nowrap; }
@media (max-width: 40rem) {
  table { font-size: .8rem; }
  th, td { padding: .3rem .4rem; }
  tbody th { white-space: normal; overflow-wrap: anywhere; min-width: 7rem; }
}
pre { padding: .7rem; background: var(--soft); border-radius: .4rem; white-space: pre-wrap;
  overflow-wrap: anywhere; }
"""
