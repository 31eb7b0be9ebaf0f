"""Parts of error messages: how to fix a problem, and lists of names and topics.

Python users fix a problem with an argument, as in ``duplicates='first'``; users of the
command with an option, as in ``--duplicates first``. An error names the argument, and
:mod:`pres_plugin.cli.app` writes it as an option.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from typing import Any


@dataclass(frozen=True)
class Remedy:
    """An argument that solves a problem, and the values to choose from.

    The `advice` says what to do, with ``{}`` where the argument belongs.
    """

    advice: str
    argument: str
    values: tuple[object, ...]

    def __str__(self) -> str:
        values = " or ".join(map(repr, self.values))
        return self.advice.format(f"{self.argument}={values}")


class RemediedError(ValueError):
    """An error with an optional remedy; ``str(error)`` describes both for Python users."""

    def __init__(self, problem: str, remedy: Remedy | None = None) -> None:
        super().__init__(problem if remedy is None else f"{problem}; {remedy}")
        self.problem = problem
        self.remedy = remedy


#: What to do about a document that occurs twice in a topic.
KEEP_ONE = Remedy("keep one of them with {}", "duplicates", ("first", "last"))

#: The problem with a score that is NaN.
NAN = "the score is NaN, which has no order"


def install(extra: str) -> str:
    """Return how to install an extra, as the end of a message.

    All messages use this function. Change it when pres-plugin is released on a package index.
    """
    return f"in a clone of pres-plugin, run: pip install '.[{extra}]'"


def imported(package: str, need: str, extra: str) -> Any:
    """Import a package that may be missing; the ImportError begins with the need for it."""
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        raise ImportError(f"{need}, which is not installed; {install(extra)}") from error


def listed(names: Sequence[str]) -> str:
    """Return names joined with commas and a final "and"."""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def shortened(text: str, at_most: int = 100) -> str:
    """Return text for a message, cut after some characters if it is longer.

    An id or a field may be megabytes long.
    """
    return text if len(text) <= at_most else f"{text[:at_most]}…"


def quoted(text: str) -> str:
    """Return an id or a field for a message: in quotes and shortened."""
    return repr(shortened(text))


def some(topics: Collection[str], at_most: int = 3) -> str:
    """Return the first few topics, separated by commas."""
    shown = ", ".join(shortened(str(topic)) for topic in islice(topics, at_most))
    return shown if len(topics) <= at_most else f"{shown}, …"


def no_common_topic(
    topics: Collection[str], judged: Collection[str], what: str = "run"
) -> str | None:
    """Return the problem with a run, or `what` it is, if none of its topics is judged, or None.

    A warning would be easy to miss, so one such run stops the scoring of all runs.
    """
    if any(topic in judged for topic in topics):
        return None
    advice = f"use the qrels that match the {what}"
    if what == "run":
        advice = "leave this run out, or use the qrels that match it"
    return (
        f"no topic in common with the qrels ({what}: {some(topics)}; qrels: {some(judged)}), so no "
        f"run is scored; {advice}"
    )
