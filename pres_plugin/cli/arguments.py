"""Arguments and options that several subcommands share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import click

from pres_plugin.cli.measures import complete_measures
from pres_plugin.files.sources import Sources
from pres_plugin.formats.base import Reading
from pres_plugin.formats.recognition import FORMATS
from pres_plugin.remedy import quoted

Command = Callable[..., None]
Decorator = Callable[[Command], Command]


class NonEmptyPath(click.Path):
    """A path; reject an empty one, which often comes from an unset shell variable."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path as the requested type."""
        if value == "":
            self.fail("'' is an empty path; is a shell variable unset?", param, ctx)
        return super().convert(value, param, ctx)


#: A file of judgements or runs. Click does not check it: reading it gives better messages.
INPUT = NonEmptyPath(allow_dash=True, readable=False)


def input_arguments(command: Command) -> Command:
    """Add QRELS, one or more RUN and :func:`reading_options`; pass them as `sources`."""

    @click.argument("qrels", type=INPUT)
    @click.argument("runs", metavar="RUN [RUN ...]", type=INPUT, nargs=-1, required=True)
    @reading_options
    @wraps(command)
    def with_sources(**arguments: Any) -> Any:
        return command(sources=sources_of(arguments), **arguments)

    return with_sources


def reading_options(command: Command) -> Command:
    """Add options for reading judgements and runs; :func:`sources_of` collects their values."""
    for option in (
        choice_option(
            "--duplicates",
            values=["error", "first", "last"],
            help="Which line to keep when a document occurs twice in a topic; error rejects the "
            "file.",
        ),
        _format_option("--qrels-format", "Format of QRELS."),
        _format_option("--run-format", "Format of each RUN."),
        click.option(
            "--topic-field",
            metavar="NAME",
            help=with_default("Field of JSON lines that contains the topic's id.", "query_id"),
        ),
        click.option(
            "--qrels-field",
            metavar="NAME",
            help=with_default(
                "Field that contains the relevant documents if QRELS is JSON lines.",
                "relevant or a similar name",
            ),
        ),
        click.option(
            "--run-name",
            "run_names",
            metavar="NAME",
            multiple=True,
            help=with_default(
                "Run to read from files that contain several. Repeat the option for several runs.",
                "all runs",
            ),
        ),
    )[::-1]:
        command = option(command)
    return command


def sources_of(arguments: dict[str, Any]) -> Sources:
    """Remove QRELS, RUN and the options for reading them from `arguments`, and return them."""
    take = arguments.pop
    topic_field = take("topic_field")
    return Sources(
        take("qrels"),
        take("runs"),
        take("duplicates"),
        Reading(take("qrels_format"), topic_field, take("qrels_field")),
        Reading(take("run_format"), topic_field),
        take("run_names"),
    )


def _format_option(name: str, what: str) -> Decorator:
    recognised = with_default(what, "recognised from the content, then from the name")
    return click.option(name, type=click.Choice(list(FORMATS)), help=recognised)


def with_default(help: str, default: str) -> str:
    """Return a help text that ends with the default, written as Click writes it.

    Click would put parentheses around a default that is described in words.
    """
    return f"{help}  [default: {default}]"


def measure_option(
    *default: str,
    help: str = (
        "Measures to compute: in one string, or with several -m. The first one orders the runs."
    ),
) -> Decorator:
    """Add ``-m`` for one or more measures; it may be given several times."""
    return click.option(
        "-m",
        "--measure",
        "measures",
        multiple=True,
        default=default,
        shell_complete=complete_measures,
        help=with_default(help, " ".join(default)),
    )


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
        if re.fullmatch("[+-]?[0-9]{1,100}", str(value)):
            number = int(value)
            if self._least <= number <= self._most:
                return number
        expected = f"a whole number from {self._least} to {self._most}"
        return self.fail(f"{quoted(str(value))} is not {expected}.", param, ctx)


def number_option(
    *names: str,
    help: str,
    most: int,
    least: int = 1,
    default: int | None = None,
) -> Decorator:
    """Add an option for a whole number in a range."""
    number = WholeNumber(least, most)
    return click.option(*names, type=number, default=default, show_default=True, help=help)


def decimals_option(help: str) -> Decorator:
    """Add ``-p``, the number of decimals to print."""
    # More decimals than a float has are zeros or noise.
    return number_option("-p", "--places", least=-1, most=20, default=4, help=help)


def choice_option(*names: str, values: Iterable[str], help: str) -> Decorator:
    """Add an option that accepts one of these values; the first one is the default."""
    choice = click.Choice(list(values))
    return click.option(
        *names, type=choice, default=choice.choices[0], show_default=True, help=help
    )
