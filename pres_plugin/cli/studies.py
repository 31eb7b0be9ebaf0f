"""Print or write the reports of the commands that study runs."""

from __future__ import annotations

import logging
import os
import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from pres_plugin.cli.arguments import Command, NonEmptyPath, decimals_option
from pres_plugin.cli.output import as_json
from pres_plugin.cli.process import OF_STUDIES, print_data, say, warned
from pres_plugin.cli.runs import with_progress
from pres_plugin.escaping import text_of


def study_options(command: Callable[..., Any]) -> Command:
    """Add ``--out``, ``--force`` and ``--places``; report what the command returns.

    The command returns the result of a study. A result with `numbers` can be printed as JSON.
    """

    @click.option(
        "--out",
        type=NonEmptyPath(path_type=Path),
        help="Write a report into this folder, which must be missing or empty: report.html, "
        "pictures (PNG, SVG) and numbers (TSV, JSON).",
        show_default="print tables",
    )
    @click.option(
        "--force",
        is_flag=True,
        help="Replace the folder of --out if it contains an older report and nothing else.",
    )
    @decimals_option
    @wraps(command)
    def studied(
        out: Path | None, force: bool, places: int, fmt: str = "table", **arguments: Any
    ) -> int:
        # Studies import these packages only when needed, which may be after minutes.
        for package in OF_STUDIES:
            if find_spec(package) is None:
                raise ModuleNotFoundError(name=package)
        if out is not None:
            if fmt != "table":
                raise click.ClickException(
                    f"-f {fmt} prints the result, and --out writes files; choose one of them"
                )
            _import_matplotlib()
            from pres_plugin.study.output.folder import check_folder

            check_folder(out, force=force)
        from pres_plugin.study.result import report as report_of

        # The command line is quoted so that it can be run again.
        command_line = shlex.join(["pres-eval", *map(text_of, sys.argv[1:])])
        found = command(**arguments)
        report = report_of(found, command_line)
        if out is not None:
            report = replace(report, summary=[*report.summary, *warned])
            report.write(out, force=force, progress=with_progress)
            say(f"written: {out / 'report.html'}")
        elif fmt == "json":
            print_data(as_json(found.numbers))
        else:
            texts = report.texts(places) if fmt == "table" else [report.paper(fmt, places)]
            for text in texts:
                click.echo(text, nl=False)
        return report.exit_code

    return studied


def _import_matplotlib() -> None:
    """Import matplotlib without the user's settings, which may be broken; print no logs.

    Reports are drawn in a style of their own and without a window.
    """
    os.environ["MATPLOTLIBRC"] = os.devnull
    os.environ.pop("MPLBACKEND", None)
    logging.getLogger("matplotlib").setLevel(logging.CRITICAL + 1)
    import matplotlib  # noqa: F401
