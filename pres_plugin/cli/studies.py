"""Print or write the reports of the commands that study runs."""

from __future__ import annotations

import logging
import os
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pres_plugin.cli.arguments import Command, NonEmptyPath, decimals_option, with_default
from pres_plugin.cli.errors import command_error
from pres_plugin.cli.process import failing_import, import_problem, low_limit, report_mb
from pres_plugin.cli.streams import say
from pres_plugin.escaping import text_of

if TYPE_CHECKING:
    from pres_plugin.study.report import Report

# The packages that studies import only when needed, and those that only ``--out`` needs. The latter
# include ir-measures, because report.html names its version.
_TO_COMPUTE = ("pandas", "scipy.stats")
_TO_WRITE = ("jinja2", "matplotlib.figure", "ir_measures")


def study_options(command: Callable[..., Report]) -> Command:
    """Add ``--out``, ``--force`` and ``--places``; write or print the report of the command."""

    @click.option(
        "--out",
        type=NonEmptyPath(path_type=Path, readable=False),
        help=with_default(
            "Write a report into this folder, which must be missing or empty: report.html, "
            "pictures (PNG, SVG) and numbers (TSV, JSON).",
            "print tables",
        ),
    )
    @click.option(
        "--force",
        is_flag=True,
        help="Replace the folder of --out if it contains an older report and nothing else.",
    )
    @decimals_option("Number of decimals in printed tables, up to 20; -1 prints full precision.")
    @wraps(command)
    def studied(out: Path | None, force: bool, places: int, **arguments: Any) -> None:
        if out is not None and (limit := low_limit()):
            raise click.ClickException(
                f"{limit}, and a report needs about {report_mb():,} MB; raise the limit, or leave "
                "out --out to print tables"
            )
        _check_extra(draws=out is not None)
        from pres_plugin.study.folder import check_folder
        from pres_plugin.study.inputs import StudyError

        fmt = arguments.pop("fmt", "table")
        if fmt != "table" and out is not None:
            raise click.ClickException(
                f"-f {fmt} prints a table, and --out writes files; choose one of them"
            )
        try:
            with _import_problems():
                if out is not None:
                    check_folder(out, force=force)
                report = command(**arguments)
                if out is None:
                    texts = report.texts(places) if fmt == "table" else [report.papers[fmt](places)]
                    for text in texts:
                        click.echo(text, nl=False)
                else:
                    report.write(out, force=force)
                    say(f"written: {out / 'report.html'}")
        except StudyError as error:
            raise command_error(error) from error

    return studied


def _check_extra(*, draws: bool) -> None:
    """Raise a ClickException unless all packages are installed.

    If the study draws pictures, import all of them, to check that they work. Otherwise, import
    none: most tables need none of them.
    """
    for module in (*_TO_WRITE, *_TO_COMPUTE):
        package = module.partition(".")[0]
        if sys.modules.get(package) is None and find_spec(package) is None:
            raise click.ClickException(import_problem(None, package, "study"))
    if draws:
        _ignore_settings_of_matplotlib()
        for module in (*_TO_COMPUTE, *_TO_WRITE):
            with _import_problems(module.partition(".")[0]):
                import_module(module)


@contextmanager
def _import_problems(package: str | None = None) -> Iterator[None]:
    """Report in one line that a package which studies need cannot be imported.

    `package` is the package that is being imported. Without it, find the package from the error,
    and leave errors with other causes unchanged.
    """
    try:
        yield
    except Exception as error:
        failing = package or failing_import(error)
        if failing in {module.partition(".")[0] for module in (*_TO_WRITE, *_TO_COMPUTE)}:
            raise click.ClickException(import_problem(error, failing, "study")) from error
        raise


def _ignore_settings_of_matplotlib() -> None:
    """Keep the user's settings, which may be broken, out of this process; print no logs.

    Reports are drawn in a style of their own and without a window. matplotlib still reads
    a file called matplotlibrc in the current folder.
    """
    os.environ["MATPLOTLIBRC"] = os.devnull
    os.environ.pop("MPLBACKEND", None)
    logging.getLogger("matplotlib").setLevel(logging.CRITICAL + 1)


def command_line(program: str = "pres-eval") -> str:
    """Return the command line, quoted so that it can be run again."""
    return shlex.join([program, *map(text_of, sys.argv[1:])])
