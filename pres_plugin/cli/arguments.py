"""Arguments and options that several subcommands take."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import click

from pres_plugin.cli.completion import complete_measures

Command = Callable[..., None]
Decorator = Callable[[Command], Command]


class NonEmptyPath(click.Path):
    """A path; an empty one, which often comes from an unset shell variable, is an error."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path as the requested type."""
        if value == "":
            self.fail("'' is an empty path; is a shell variable unset?", param, ctx)
        return super().convert(value, param, ctx)


def input_arguments(command: Command) -> Command:
    """Add QRELS, one or more RUN, and ``--duplicates``."""
    # Click does not check the files: reading them gives better messages.
    file = NonEmptyPath(allow_dash=True, readable=False)
    command = choice_option(
        "--duplicates",
        values=["error", "first", "last"],
        help="Which line to keep when a document occurs twice in a topic.",
    )(command)
    runs = click.argument("runs", metavar="RUN [RUN ...]", type=file, nargs=-1, required=True)
    return click.argument("qrels", type=file)(runs(command))


def measure_option(
    *default: str,
    complete: Callable[[click.Context, click.Parameter, str], list[Any]] = complete_measures,
    help: str = "Measures to compute, in one string or several -m; the first one orders the runs.",
) -> Decorator:
    """Add ``-m`` for one or more measures; it may be given several times."""
    return click.option(
        "-m",
        "--measure",
        "measures",
        multiple=True,
        default=default,
        show_default=" ".join(default),
        shell_complete=complete,
        help=help,
    )


def number_option(*names: str, default: int, help: str, least: int = 1) -> Decorator:
    """Add an option for a whole number."""
    number = click.IntRange(min=least)
    return click.option(*names, type=number, default=default, show_default=True, help=help)


def choice_option(*names: str, values: Iterable[str], help: str) -> Decorator:
    """Add an option that takes one of these values; the first one is the default."""
    choice = click.Choice(list(values))
    return click.option(
        *names, type=choice, default=choice.choices[0], show_default=True, help=help
    )
