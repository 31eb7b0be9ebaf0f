"""Arguments and options that several subcommands share."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import click

from pres_plugin.cli.measures import complete_measures
from pres_plugin.files.mappings import read_collection_sizes, read_families
from pres_plugin.files.sources import Sources
from pres_plugin.formats.base import Names, Reading
from pres_plugin.formats.recognition import FORMATS
from pres_plugin.formats.tables import NAMES
from pres_plugin.kernel.arguments import whole
from pres_plugin.measures.parameters import LARGEST
from pres_plugin.remedy import quoted

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]


class NonEmptyPath(click.Path):
    """A path; reject an empty one, which often comes from an unset shell variable.

    Nothing else is checked, because reading or writing a file gives better messages.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path as the requested type."""
        if value == "":
            self.fail("'' is an empty path; is a shell variable unset?", param, ctx)
        return self.coerce_path_result(value)


class RunPath(NonEmptyPath):
    """The path of a run, or ``NAME=PATH``; its value is the name, or None, and the path."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Split the text at its first ``=``, unless it is the path of a file or has none."""
        name, equals, path = value.partition("=")
        # A slash before the "=" belongs to a path, whose file is missing.
        if not (name and equals) or os.path.basename(name) != name or os.path.lexists(value):
            name, path = None, value
        return name, super().convert(path, param, ctx)


def input_arguments(runs: str = "RUN [RUN ...]") -> Decorator:
    """Add QRELS, RUN and the options for reading them; pass their values as `sources`.

    Help texts show `runs`.
    """

    def decorate(command: Command) -> Command:
        @click.argument("qrels", type=NonEmptyPath())
        @click.argument("runs", metavar=runs, type=RunPath(), nargs=-1, required=True)
        @choice_option(
            "--duplicates",
            values=["error", "first", "last"],
            help="Which line to keep when a document occurs twice in a topic; error rejects the "
            "file.",
        )
        @_format_option("--qrels-format", "Format of QRELS.")
        @_format_option("--run-format", "Format of each RUN.")
        @click.option(
            "--topic-field",
            metavar="NAME",
            help=with_default("Field of JSON lines that contains the topic's id.", "query_id"),
        )
        @click.option(
            "--qrels-field",
            metavar="NAME",
            help=with_default(
                "Field that contains the relevant documents if QRELS is JSON lines.",
                "relevant or a similar name",
            ),
        )
        @click.option(
            "--sheet",
            metavar="NAME",
            help=with_default("Sheet to read in workbooks.", "the first sheet"),
        )
        @click.option(
            "--qrels-sheet",
            metavar="NAME",
            help=with_default("Sheet to read if QRELS is a workbook.", "as --sheet"),
        )
        @click.option(
            "--columns",
            metavar="KIND=NAME",
            multiple=True,
            callback=_columns,
            help=with_default(
                "Name of a column in CSV, TSV, workbooks and Parquet, for example "
                f'doc_id="Publication Number". KIND is {", ".join(NAMES)}. Repeat the option '
                "for several columns, or if a column has different names in QRELS and RUN.",
                "names that common tools write, such as Query ID",
            ),
        )
        @click.option(
            "--families",
            metavar="FILE",
            type=NonEmptyPath(),
            help=with_default(
                "Count each patent family once: FILE has the columns doc_id and family. To only "
                "remove kind codes from publication numbers, write kind-codes in place of FILE.",
                "no families",
            ),
        )
        @click.option(
            "--run-name",
            "run_names",
            metavar="NAME",
            multiple=True,
            help=with_default(
                "Run to read from files that contain several. Repeat the option for several runs.",
                "all runs",
            ),
        )
        @wraps(command)
        def with_sources(
            topic_field: str | None,
            sheet: str | None,
            columns: Names,
            families: str | None,
            **arguments: Any,
        ) -> Any:
            take = arguments.pop
            sizes = take("collection_sizes", None)
            qrels_sheet = take("qrels_sheet") or sheet
            sources = Sources(
                take("qrels"),
                take("runs"),
                take("duplicates"),
                Reading(
                    *(take("qrels_format"), topic_field, take("qrels_field"), qrels_sheet, columns)
                ),
                Reading(take("run_format"), topic_field, None, sheet, columns),
                take("run_names"),
                None if families is None else read_families(families),
                None if sizes is None else read_collection_sizes(sizes),
            )
            return command(sources=sources, **arguments)

        return with_sources

    return decorate


def _columns(context: click.Context, option: click.Parameter, values: Sequence[str]) -> Names:
    """Return the names of each kind in several KIND=NAME."""
    found: dict[str, list[str]] = {}
    for value in values:
        kind, _, name = value.partition("=")
        if kind not in NAMES or not name:
            raise click.BadParameter(
                f"{quoted(value)} is not KIND=NAME, where KIND is {', '.join(NAMES)}."
            )
        found.setdefault(kind, []).append(name)
    return found


def _format_option(name: str, what: str) -> Decorator:
    return click.option(
        name,
        type=click.Choice(list(FORMATS)),
        help=with_default(what, "recognised from the content, then from the name"),
    )


def with_default(help: str, default: str) -> str:
    """Return a help text that ends with the default, written as Click writes it.

    Click would put parentheses around a default that is described in words.
    """
    return f"{help}  [default: {default}]"


def measure_option(default: str = "PRES@1000 AP@1000 R@1000") -> Decorator:
    """Add ``-m`` for one or more measures, and the option for the sizes of their collections.

    The papers use an Nmax of 1000.
    """

    def decorate(command: Command) -> Command:
        command = click.option(
            "--collection-sizes",
            metavar="FILE",
            type=NonEmptyPath(),
            help=with_default(
                "Number of documents in each topic's collection, for Rnorm, WSS and TNR without N. "
                "FILE has the columns topic and N.",
                "measures contain N",
            ),
        )(command)
        return click.option(
            "-m",
            "--measure",
            "measures",
            multiple=True,
            default=[default],
            shell_complete=complete_measures,
            help=with_default(
                "Measures to compute: in one string in quotes, or with several -m.", default
            ),
        )(command)

    return decorate


class WholeNumber(click.types.IntParamType):
    """A whole number in a range; messages stay short, however long the text is.

    The help texts state a range if users need it. Click's own ranges would print all of them,
    also those that only keep numbers within 64 bits.
    """

    name = "number"

    def __init__(self, least: int, most: int) -> None:
        self._least, self._most = least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number."""
        # Python would also accept digits of other scripts, and underscores between digits.
        is_number = re.fullmatch("[+-]?[0-9]{1,100}", str(value))
        try:
            return whole("it", int(value) if is_number else value, self._least, self._most)
        except ValueError as error:
            return self.fail(f"{error}.", param, ctx)


def number_option(*names: str, least: int = 1, most: int = LARGEST, **options: Any) -> Decorator:
    """Add an option for a whole number in a range; by default, that of Nmax."""
    return click.option(*names, type=WholeNumber(least, most), show_default=True, **options)


def choice_option(*names: str, values: Sequence[str], help: str) -> Decorator:
    """Add an option that accepts one of these values; the first one is the default."""
    choice = click.Choice(values)
    return click.option(*names, type=choice, default=values[0], show_default=True, help=help)


#: The option ``-p``. More decimals than a float has are zeros or noise.
decimals_option: Decorator = number_option(
    "-p",
    "--places",
    least=-1,
    most=20,
    default=4,
    help="Number of decimals, up to 20; -1 prints full precision.",
)

#: The option ``--groups``.
groups_option: Decorator = click.option(
    "--groups",
    metavar="FILE",
    type=NonEmptyPath(),
    help=with_default(
        "Add the mean scores per group of topics. FILE has the columns topic and group.",
        "no groups",
    ),
)
