"""Turn Python errors into the one-line errors that ``pres-eval`` prints."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from pres_plugin.formats.base import FileError
from pres_plugin.remedy import RemediedError

#: Options, by Python argument, whose name and values cannot be derived from the argument.
_OPTIONS = {"baselines": "--baseline RUN", "run_names": "--run-name NAME"}


def command_error(error: Exception, path: str | None = None) -> click.ClickException:
    """Return the error to print, which names an option where `error` names an argument.

    `path` is the file that caused the error, if the error does not name it.
    """
    message = str(error)
    if isinstance(error, RemediedError) and error.remedy is not None:
        remedy = error.remedy
        values = [str(value) for value in remedy.values if value is not True]  # flags take no value
        option = _OPTIONS.get(
            remedy.argument,
            f"--{remedy.argument.replace('_', '-')} {' or '.join(values)}".rstrip(),
        )
        message = f"{error.problem}; {remedy.advice.format(option)}"
    return click.ClickException(message if path is None else f"{path}: {message}")


@contextmanager
def errors_of(path: str | None = None) -> Iterator[None]:
    """Report in one line that a file could not be read or processed."""
    try:
        yield
    except FileError as error:  # its message names the file
        raise command_error(error) from None
    except (TypeError, ValueError, RuntimeError) as error:
        raise command_error(error, path) from None
