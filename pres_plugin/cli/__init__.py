"""The command ``pres-eval``; its subcommands are in ``commands``, one module each."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from pres_plugin.cli.process import guarded

# What a command imports is imported within `guarded`, which reports a missing package.


def main() -> None:
    """Run ``pres-eval`` with the arguments of the process, and exit."""
    with guarded("pres-eval"):
        from pres_plugin.cli.app import run

        sys.exit(run())


def asreview_pres(arguments: Sequence[str]) -> None:
    """Run ``asreview pres`` with these arguments, and exit."""
    with guarded("asreview pres"):
        from pres_plugin.cli.asreview import run

        sys.exit(run(arguments))
