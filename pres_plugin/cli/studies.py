"""Print or write the reports of the commands that study runs."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pres_plugin.cli.arguments import Command, NonEmptyPath, decimals_option
from pres_plugin.cli.errors import command_error
from pres_plugin.cli.streams import say
from pres_plugin.escaping import text_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pres_plugin.study.report import Report

_EXTRA = ("jinja2", "matplotlib", "pandas", "scipy")


def study_options(command: Callable[..., Report]) -> Command:
    """Add ``--out``, ``--force`` and ``--places``; write or print the report of the command."""

    @click.option(
        "--out",
        type=NonEmptyPath(path_type=Path),
        help="Folder for pictures (PNG, SVG), numbers (TSV, JSON) and report.html.",
    )
    @click.option("--force", is_flag=True, help="Write into a folder that contains files.")
    @decimals_option("Number of decimals on the terminal; -1 for full precision.")
    @wraps(command)
    def studied(out: Path | None, force: bool, places: int, **arguments: Any) -> None:
        for module in _EXTRA:
            if find_spec(module) is None:
                raise click.ClickException(
                    f"{module} is not installed; to install what studies need: "
                    "pip install 'pres-plugin[study]'"
                )
        from pres_plugin.study.inputs import StudyError
        from pres_plugin.study.report import check_folder

        try:
            if out is not None:
                check_folder(out, force=force)
            report = command(**arguments)
            if out is None:
                click.echo(report.text(places), nl=False)
            else:
                report.write(out, force=force)
                say(f"written: {out / 'report.html'}")
        except StudyError as error:
            raise command_error(error) from error

    return studied


def drawn_by(module: str, function: str, *results: Any) -> Callable[[], Figure]:
    """Return a function that draws results with a function of ``pres_plugin.study.pictures``.

    It imports the module only when it draws, because printing tables needs no matplotlib.
    """

    def draw() -> Figure:
        pictures = import_module(f"pres_plugin.study.pictures.{module}")
        figure: Figure = getattr(pictures, function)(*results)
        return figure

    return draw


def command_line() -> str:
    """Return the command line, quoted so that it can be run again."""
    return shlex.join(["pres-eval", *map(text_of, sys.argv[1:])])
