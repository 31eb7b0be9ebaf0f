"""Describe how to fix an error, in words for Python or for the command line.

Python users pass an argument, as in ``duplicates='first'``; users of the command
give an option, as in ``--duplicates first``. An error names the argument, and
:mod:`pres_plugin.cli.errors` writes it as an option.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["KEEP_ONE", "RemediedError", "Remedy"]


@dataclass(frozen=True)
class Remedy:
    """An argument that solves a problem.

    Attributes
    ----------
    advice : str
        What to do, with ``{}`` where the argument belongs.
    argument : str
        The argument's name.
    values : tuple of object
        The values that solve the problem.

    Examples
    --------
    >>> from pres_plugin.remedy import Remedy
    >>> str(Remedy("keep one of them with {}", "duplicates", ("first", "last")))
    "keep one of them with duplicates='first' or 'last'"
    """

    advice: str
    argument: str
    values: tuple[object, ...]

    def __str__(self) -> str:
        values = " or ".join(map(repr, self.values))
        return self.advice.format(f"{self.argument}={values}")


class RemediedError(ValueError):
    """An error with an optional remedy; ``str(error)`` describes both for Python users.

    Parameters
    ----------
    problem : str
        What is wrong, and where.
    remedy : Remedy, optional
        What to do about it.

    Attributes
    ----------
    problem : str
        What is wrong, and where.
    remedy : Remedy or None
        What to do about it.

    Examples
    --------
    >>> from pres_plugin.remedy import RemediedError, Remedy
    >>> str(RemediedError("results: the folder contains files", Remedy("add {}", "force", (True,))))
    'results: the folder contains files; add force=True'
    """

    def __init__(self, problem: str, remedy: Remedy | None = None) -> None:
        super().__init__(problem if remedy is None else f"{problem}; {remedy}")
        self.problem = problem
        self.remedy = remedy


#: What to do about a document that occurs twice in a topic.
KEEP_ONE = Remedy("keep one of them with {}", "duplicates", ("first", "last"))
