"""``asreview pres``: score ASReview's simulations by PRES, Rnorm and recall.

ASReview finds :func:`main` through the entry point in pyproject.toml, and calls it with the
arguments after ``pres``. ASReview 2 and 3 have no base class for subcommands, and nothing
else of ASReview is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NoReturn

from pres_plugin.cli.process import guarded

_PROGRAM = "asreview pres"
_N_MAX = "--n-max"


def main(arguments: Sequence[str]) -> NoReturn:
    """Run ``asreview pres`` with these arguments, and exit."""
    guarded(lambda: run(arguments), _PROGRAM)


def run(arguments: Sequence[str]) -> int:
    """Run ``asreview pres``; report an error in one line on stderr and return 2."""
    # Imported here, so that a missing Click is reported in one line.
    from pres_plugin.cli.app import run_command
    from pres_plugin.cli.simulations import pres

    return run_command(pres, _PROGRAM, list(_one_by_one(arguments)))


def _one_by_one(arguments: Sequence[str]) -> Iterator[str]:
    """Repeat ``--n-max`` before each of its values, as Click requires.

    ASReview's own options accept several values, as in ``--prior-idx 1 2``.
    """
    before, in_values = "", False
    for argument in arguments:
        in_values = before == _N_MAX or (in_values and argument.isdecimal())
        if in_values and before != _N_MAX:
            yield _N_MAX
        yield argument
        before = argument
