"""Turn Python errors into one-line errors of the command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from pres_plugin.formats.base import FileError
from pres_plugin.remedy import RemediedError


def command_error(error: Exception, path: str | None = None) -> click.ClickException:
    """Return the error that the command reports; an argument in its remedy becomes an option.

    `path` is the file concerned, if the error does not name it.
    """
    message = str(error)
    if isinstance(error, RemediedError) and error.remedy is not None:
        remedy = error.remedy
        values = [str(value) for value in remedy.values if value is not True]  # a flag has none
        option = f"--{remedy.argument.replace('_', '-')} {' or '.join(values)}".rstrip()
        message = f"{error.problem}; {remedy.advice.format(option)}"
    return click.ClickException(message if path is None else f"{path}: {message}")


@contextmanager
def errors_of(path: str | None = None) -> Iterator[None]:
    """Report an error in reading or processing a file, in one line."""
    try:
        yield
    except FileError as error:  # names the file
        raise command_error(error) from None
    except (TypeError, ValueError, RuntimeError) as error:
        raise command_error(error, path) from None
