"""Arguments and options that several subcommands share."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import wraps
from typing import Any

import click

from pres_plugin.escaping import text_of
from pres_plugin.messages import quoted
from pres_plugin.tables.base import Names
from pres_plugin.tables.columns import NAMES
from pres_plugin.tables.mappings import read_collection_sizes, read_families
from pres_plugin.tables.recognition import FORMATS
from pres_plugin.tables.sources import Sources

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
            name, path = "", value
        return text_of(name) or None, super().convert(path, param, ctx)


def input_arguments(runs: str = "RUN [RUN ...]") -> Decorator:
    """Add QRELS, RUN and the options for reading them; pass their values as `sources`.

    Help texts show `runs`.
    """

    def decorate(command: Command) -> Command:
        @click.argument("qrels", type=NonEmptyPath())
        @click.argument("runs", metavar=runs, type=RunPath(), nargs=-1, required=True)
        @choice_option(
            "--duplicates",
            values=["error", "first", "last", "highest"],
            help="Which line to keep when a document occurs twice in a topic; error rejects the "
            "file.",
        )
        @_format_option("--qrels-format", "Format of QRELS.")
        @_format_option("--run-format", "Format of each RUN.")
        @click.option(
            "--topic-field",
            metavar="NAME",
            help="Field of JSON lines that contains the topic's id.",
            show_default="query_id",
        )
        @click.option(
            "--qrels-field",
            metavar="NAME",
            help="Field that contains the relevant documents if QRELS is JSON lines.",
            show_default="relevant or a similar name",
        )
        @click.option(
            "--sheet",
            metavar="NAME",
            help="Sheet to read in workbooks.",
            show_default="the first sheet",
        )
        @click.option(
            "--qrels-sheet",
            metavar="NAME",
            help="Sheet to read if QRELS is a workbook.",
            show_default="as --sheet",
        )
        @click.option(
            "--columns",
            metavar="KIND=NAME",
            multiple=True,
            callback=_columns,
            help="Name of a column in CSV, TSV, workbooks and Parquet, for example "
            f'doc_id="Publication Number". KIND is {", ".join(NAMES)}. Repeat the option '
            "for several columns, or if a column has different names in QRELS and RUN.",
            show_default="names that common tools write, such as Query ID",
        )
        @click.option(
            "--families",
            metavar="FILE",
            type=NonEmptyPath(),
            help="Count each patent family once: FILE has the columns doc_id and family. To only "
            "remove kind codes from publication numbers, write kind-codes in place of FILE.",
            show_default="no families",
        )
        @click.option(
            "--run-name",
            "run_names",
            metavar="NAME",
            multiple=True,
            help="Run to read from files that contain several. Repeat the option for several runs.",
            show_default="all runs",
        )
        @wraps(command)
        def with_sources(
            families: str | None, collection_sizes: str | None = None, **arguments: Any
        ) -> Any:
            names = {field.name for field in fields(Sources)} & arguments.keys()
            sources = Sources(
                **{name: arguments.pop(name) for name in names},
                families=read_families(families) if families else None,
                collection_sizes=read_collection_sizes(collection_sizes)
                if collection_sizes
                else None,
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
        help=what,
        show_default="recognised from the content, then from the name",
    )


def measures_option(default: str) -> Decorator:
    """Add ``-m`` for one or more measures."""
    return click.option(
        "-m",
        "--measure",
        "measures",
        multiple=True,
        default=[default],
        help="Measures to compute: in one string in quotes, or with several -m.",
    )


def measure_option(default: str = "PRES@1000 AP@1000 R@1000") -> Decorator:
    """Add ``-m``, and the option for the sizes of the topics' collections.

    The papers use an Nmax of 1000.
    """
    sizes = click.option(
        "--collection-sizes",
        metavar="FILE",
        type=NonEmptyPath(),
        help="Number of documents in each topic's collection, for measures such as Rnorm without "
        "N. FILE has the columns topic and N.",
        show_default="measures contain N",
    )
    return lambda command: measures_option(default)(sizes(command))


def number_option(*names: str, **options: Any) -> Decorator:
    """Add an option for a whole number, which the command checks."""
    return click.option(*names, type=int, metavar="NUMBER", **options)


def choice_option(*names: str, values: Sequence[str], help: str) -> Decorator:
    """Add an option that accepts one of these values; the first one is the default."""
    choice = click.Choice(values)
    return click.option(*names, type=choice, default=values[0], help=help)


#: The option ``-p``. More decimals than a float has are zeros or noise.
decimals_option: Decorator = click.option(
    "-p",
    "--places",
    type=click.IntRange(-1, 20),
    metavar="NUMBER",
    default=4,
    help="Number of decimals; -1 prints full precision.",
)

#: The option ``--groups``.
groups_option: Decorator = click.option(
    "--groups",
    metavar="FILE",
    type=NonEmptyPath(),
    help="Add the mean scores per group of topics. FILE has the columns topic and group.",
    show_default="no groups",
)

#: The option ``--rel``.
rel_option: Decorator = number_option(
    "--rel", default=1, help="Lowest relevance that counts as relevant."
)
