"""The ``pres-eval`` command, its subcommands and its exit codes."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from pres_plugin.cli.commands import COMMANDS
from pres_plugin.cli.process import INTERRUPTED, say, warned
from pres_plugin.escaping import text_of
from pres_plugin.measures import MeasureError
from pres_plugin.messages import InputError

#: The settings of all commands: help texts state the defaults of options.
SETTINGS: dict[str, object] = {"help_option_names": ["-h", "--help"], "show_default": True}


class _Text(click.types.StringParamType):
    """Text, read as UTF-8 in every locale, as ids in files are."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return text_of(value)


class _Subcommands(click.Group):
    """The subcommands; each is imported when it is used, and none of them to list them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"pres_plugin.cli.commands.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        command.short_help = COMMANDS[cmd_name]
        for parameter in command.params:
            if parameter.type is click.STRING:
                parameter.type = _Text()
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, arguments = super().resolve_command(ctx, args)
        if "--columns" in arguments:
            from pres_plugin.cli.arguments import columns_repeated

            arguments = columns_repeated(arguments)
        return name, command, arguments

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_Subcommands, context_settings=SETTINGS)
@click.version_option(package_name="pres-plugin", prog_name="pres-eval")
def pres_eval() -> None:
    """Score search runs for users who need every relevant document.

    To score a run, write "pres-eval score QRELS RUN". Each subcommand has its own --help.
    """


def run_command(command: click.Command, name: str, arguments: Sequence[str] | None = None) -> int:
    """Run a command; report an error in one line on stderr and return 2.

    The default arguments are those of the process. Click handles a closed pipe silently.
    """
    warned.clear()
    try:
        # Not standalone, because Click's own messages are several lines long.
        return command.main(arguments, prog_name=name, standalone_mode=False) or 0
    except click.exceptions.Abort:
        return INTERRUPTED
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
    except click.ClickException as error:
        message = " ".join(error.format_message().split())
        if context := getattr(error, "ctx", None):
            message += f" (see {context.command_path} --help)"
        say(message)
    except (InputError, MeasureError) as error:
        say(str(error))
    return 2
