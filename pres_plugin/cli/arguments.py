"""Arguments and options that several subcommands share."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import wraps
from typing import Any, get_args

import click

from pres_plugin.escaping import text_of
from pres_plugin.messages import quoted
from pres_plugin.tables.base import Grades, Names, Parts, Reading
from pres_plugin.tables.columns import KINDS
from pres_plugin.tables.mappings import read_collection_sizes
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
        @_format_option("--run-format", "Format of each RUN.", "format")
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
            help="Name of a column in a table, or of a field in JSON, for example "
            f'doc_id="Publication Number". KIND is {", ".join(KINDS)}. In a table whose first row '
            "names no columns, a number is a position: query_id=1 doc_id=2. Repeat the option "
            "if a column has different names in QRELS and RUN.",
            show_default="names that common tools write, such as Query ID",
        )
        @click.option(
            "--topics-in",
            type=click.Choice(get_args(Parts)),
            help="Whether each file of a folder, or each sheet of a workbook, is a topic that is "
            "called after it. QRELS and RUN may be such folders or workbooks.",
            show_default="the rows name their topics",
        )
        @click.option(
            "--grades",
            metavar="WORD=NUMBER,...",
            callback=_grades,
            help="Relevance that each word in QRELS means, for example yes=2,partly=1,no=0. "
            "A word without a number, as in later=, means unjudged.",
            show_default="1 for yes, true, included and the like, 0 for their opposites",
        )
        @click.option(
            "--all-relevant",
            is_flag=True,
            help="Count all documents in QRELS as relevant, whatever other columns contain.",
        )
        @click.option(
            "--families",
            metavar="FILE",
            type=NonEmptyPath(),
            help="Count each patent family once: FILE has the columns doc_id and family. To count "
            "the publications of one number once, write publications in place of FILE.",
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
        def with_sources(collection_sizes: str | None = None, **arguments: Any) -> Any:
            def of(options: type) -> dict[str, Any]:
                names = {field.name for field in fields(options)} & arguments.keys()
                return {name: arguments.pop(name) for name in names}

            sizes = read_collection_sizes(collection_sizes) if collection_sizes else None
            reading = Reading("score", **of(Reading))
            sources = Sources(run_reading=reading, collection_sizes=sizes, **of(Sources))
            return command(sources=sources, **arguments)

        return with_sources

    return decorate


def columns_repeated(arguments: Sequence[str]) -> list[str]:
    """Write ``--columns`` before each KIND=NAME that follows another one.

    >>> from pres_plugin.cli.arguments import columns_repeated
    >>> columns_repeated(["--columns", "query_id=1", "doc_id=2", "qrels", "run"])
    ['--columns', 'query_id=1', '--columns', 'doc_id=2', 'qrels', 'run']
    """
    found: list[str] = []
    for argument in arguments:
        follows = found[-2:-1] == ["--columns"]
        if follows and argument.partition("=")[0] in KINDS:
            found.append("--columns")
        found.append(argument)
    return found


def _columns(context: click.Context, option: click.Parameter, values: Sequence[str]) -> Names:
    """Return the names of each kind; a value contains one or more KIND=NAME."""
    found: dict[str, list[str]] = {}
    for value in values:
        before, *parts = re.split(rf"(?:^|\s+)({'|'.join(KINDS)})=", value)
        if before or not all(parts):
            raise click.BadParameter(
                f"{quoted(value)} is not KIND=NAME, where KIND is {', '.join(KINDS)}."
            )
        for kind, name in zip(parts[::2], parts[1::2], strict=True):
            found.setdefault(kind, []).append(name)
    return found


def _grades(context: click.Context, option: click.Parameter, value: str | None) -> Grades | None:
    """Return the relevance of each word in WORD=NUMBER,…; a word without one is unjudged."""
    try:
        pairs = (pair.rsplit("=", 1) for pair in value.split(",")) if value else ()
        return {word.strip(): int(number) if number else None for word, number in pairs} or None
    except ValueError:
        raise click.BadParameter(
            f"{quoted(str(value))} is not WORD=NUMBER, as in yes=2,partly=1,no=0."
        ) from None


def _format_option(name: str, what: str, *names: str) -> Decorator:
    return click.option(
        name,
        *names,
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


def measure_option(default: str = "PRES@100 AP@100 R@100") -> Decorator:
    """Add ``-m``, and the option for the sizes of the topics' collections."""
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
