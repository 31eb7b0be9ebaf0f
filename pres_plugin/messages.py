"""The error for wrong input, and parts of messages: how to fix a problem, lists of names.

Python users fix a problem with an argument, as in ``duplicates='first'``; users of the command with
an option, as in ``--duplicates first``. Messages name both.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import islice
from typing import Any


class InputError(ValueError):
    """Judgements, runs or arguments are wrong. The message says which, where and what to do.

    .. versionadded:: 0.2.0
    """

    __module__ = "pres_plugin"  # so that tracebacks show where to import it from


#: What to do about a document that occurs twice in a topic.
KEEP_ONE = (
    "keep one of them with duplicates='first', 'last' or 'highest' "
    "(--duplicates first, last or highest)"
)


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


def check_common_topic(
    topics: Collection[str], judged: Collection[str], what: str, where: str = ""
) -> None:
    """Raise an InputError, which begins with `where`, if no topic of `what` is judged."""
    if not any(topic in judged for topic in topics):
        raise InputError(
            f"{where}no topic in common with the qrels ({what}: {some(topics)}; qrels: "
            f"{some(judged)}); use the qrels that match the {what}"
        )


@contextmanager
def problems_of(what: str | None = None) -> Iterator[None]:
    """Turn errors into InputErrors whose messages begin with `what`: a run, or the qrels."""
    try:
        yield
    except InputError:
        raise
    except (TypeError, ValueError, RuntimeError) as error:
        where = "" if what is None else f"{what}: "
        raise InputError(f"{where}{error}") from error


def check_known(what: str, value: Any, names: Collection[str], of_what: str) -> None:
    """Raise an InputError if a name, such as a baseline's, is not among those of `of_what`."""
    if isinstance(value, str) and value in names:
        return
    from difflib import get_close_matches  # imported only for messages

    problem = f"{what} {value!r:.60} is not among the {of_what} ({some(names)})"
    similar = get_close_matches(str(value), names, n=1)
    raise InputError(problem + (f"; did you mean {similar[0]!r}?" if similar else ""))
