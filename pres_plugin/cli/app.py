"""The command itself, and how it ends."""

from __future__ import annotations

import click

from pres_plugin import __version__
from pres_plugin.cli.compare import compare
from pres_plugin.cli.completion import completion
from pres_plugin.cli.doctor import doctor
from pres_plugin.cli.explain import explain
from pres_plugin.cli.gallery import gallery
from pres_plugin.cli.robustness import robustness
from pres_plugin.cli.score import score
from pres_plugin.cli.sweep import sweep

__all__ = ["run"]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="pres-eval")
def pres_eval() -> None:
    """Score search runs for people who read on: PRES, recall and more."""


for _command in (score, explain, compare, sweep, robustness, gallery, doctor, completion):
    pres_eval.add_command(_command)


def run() -> int:
    """Run the command; an error is one line on stderr and exit code 2.

    Click sees to a closed pipe, without a word.
    """
    try:
        # Not standalone: Click's own messages take several lines.
        return pres_eval.main(prog_name="pres-eval", standalone_mode=False) or 0
    except click.exceptions.Abort:
        return 130  # as shells have it for a process that Ctrl-C ended
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return 2
    except click.ClickException as error:
        message = " ".join(error.format_message().split())
        if isinstance(error, click.UsageError) and error.ctx is not None:
            message += f" (see {error.ctx.command_path} --help)"
        click.echo(f"pres-eval: {message}", err=True)
        return 2
