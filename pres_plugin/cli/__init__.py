"""The command ``pres-eval``; its subcommands are in ``commands``, one module each."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from pres_plugin.cli.process import guarded, leave

# What a command imports is imported within `guarded`, which reports a missing package.


def main() -> None:
    """Run ``pres-eval`` with the arguments of the process, and exit."""
    leave(run())


def run() -> int:
    """Run ``pres-eval`` with the arguments of the process, and return its exit code."""

    def command() -> int:
        from pres_plugin.cli.app import pres_eval, run_command

        return run_command(pres_eval, "pres-eval")

    return guarded("pres-eval", command)


def asreview_pres(arguments: Sequence[str]) -> None:
    """Run ``asreview pres`` with these arguments, and exit."""

    def command() -> int:
        from pres_plugin.cli.app import run_command
        from pres_plugin.cli.asreview import pres

        return run_command(pres, "asreview pres", arguments)

    sys.exit(guarded("asreview pres", command))
