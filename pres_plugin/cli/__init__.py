"""The command ``pres-eval``; its subcommands are in ``commands``, one module each."""

from __future__ import annotations

from collections.abc import Sequence

from pres_plugin.cli.process import guarded


def main() -> None:
    """Run ``pres-eval`` with the arguments of the process, and exit."""
    guarded(_run, "pres-eval")


def asreview_pres(arguments: Sequence[str]) -> None:
    """Run ``asreview pres`` with these arguments, and exit."""
    guarded(lambda: _run_asreview(arguments), "asreview pres")


# Imported here, so that a missing Click is reported in one line.


def _run() -> int:
    from pres_plugin.cli.app import run

    return run()


def _run_asreview(arguments: Sequence[str]) -> int:
    from pres_plugin.cli.asreview import run

    return run(arguments)
