"""The ``pres-eval`` command, its subcommands and its exit codes."""

from __future__ import annotations

from importlib import import_module
from typing import cast

import click

import pres_plugin.cli.completion  # noqa: F401 (registers the completion for bash)
from pres_plugin.cli.commands import COMMANDS
from pres_plugin.cli.process import INTERRUPTED
from pres_plugin.cli.streams import say


class _Subcommands(click.Group):
    """The subcommands, each imported only when it is used: scoring loads no plotting code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"pres_plugin.cli.commands.{cmd_name}")
        command = cast(click.Command, getattr(module, cmd_name))
        # Shells show it beside the name. Click would cut the first sentence of the help.
        command.short_help = COMMANDS[cmd_name]
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        # Click suggests similar names only among commands that have been added to the group.
        if not args[0].startswith("-") and args[0] not in COMMANDS and not ctx.resilient_parsing:
            from difflib import get_close_matches

            similar = get_close_matches(args[0], COMMANDS, n=1)
            hint = f" Did you mean {similar[0]!r}?" if similar else ""
            ctx.fail(f"No such command {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)


@click.group(cls=_Subcommands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pres-plugin", prog_name="pres-eval")
def pres_eval() -> None:
    """Score search runs for users who need every relevant document.

    To score a run, write "pres-eval score QRELS RUN". Each subcommand has its own --help.
    """


def run() -> int:
    """Run ``pres-eval`` with the arguments of the process; see :func:`run_command`."""
    return run_command(pres_eval, "pres-eval")


def run_command(command: click.Command, name: str, arguments: list[str] | None = None) -> int:
    """Run a command; report an error in one line on stderr and return 2.

    Click handles a closed pipe silently.
    """
    try:
        # Not standalone, because Click's own messages are several lines long.
        return command.main(arguments, prog_name=name, standalone_mode=False) or 0
    except click.exceptions.Abort:
        return INTERRUPTED
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return 2
    except click.ClickException as error:
        message = " ".join(error.format_message().split())
        if isinstance(error, click.UsageError) and error.ctx is not None:
            message += f" (see {error.ctx.command_path} --help)"
        say(message)
        return 2
