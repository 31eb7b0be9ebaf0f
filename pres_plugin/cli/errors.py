"""Errors of Python as one line in the words of the command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from pres_plugin.remedy import RemediedError, Remedy

__all__ = ["command_error", "errors_of"]


def command_error(error: Exception) -> click.ClickException:
    """Return an error that the command reports: it names options in place of arguments."""
    if isinstance(error, RemediedError) and error.remedy is not None:
        return click.ClickException(f"{error.problem}; {_as_option(error.remedy)}")
    return click.ClickException(str(error))


@contextmanager
def errors_of(path: str) -> Iterator[None]:
    """Report what is wrong with a file; errors that do not name a file get its path."""
    try:
        yield
    except RemediedError as error:  # these name their file
        raise command_error(error) from None
    except OSError as error:
        raise click.ClickException(f"{path}: cannot be read ({error.strerror})") from None
    except (TypeError, ValueError, RuntimeError) as error:
        raise click.ClickException(f"{path}: {error}") from None


def _as_option(remedy: Remedy) -> str:
    """Write a remedy with the option that is called like its argument."""
    values = [str(value) for value in remedy.values if value is not True]  # a flag has no value
    option = f"--{remedy.argument.replace('_', '-')} {' or '.join(values)}".rstrip()
    return remedy.advice.format(option)
