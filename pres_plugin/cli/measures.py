"""Parse measures given on the command line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import click

from pres_plugin.measures import MeasureError

__all__ = ["parse_measures", "split_measures"]


def parse_measures(texts: Iterable[str]) -> list[Any]:
    """Read measures; return each once, in the given order.

    Parameters
    ----------
    texts : iterable of str
        Each contains one measure, or several separated by blanks.

    Returns
    -------
    list of ir_measures.Measure

    Raises
    ------
    click.ClickException
        If a measure is unknown, or cannot be computed with its parameters.
    """
    try:
        found = dict.fromkeys(m for name in split_measures(texts) for m in _read(name))
    except MeasureError as error:
        raise click.ClickException(str(error)) from None
    if not found:
        raise click.ClickException("no measure is given; for instance -m PRES@100")
    return list(found)


def split_measures(texts: Iterable[str]) -> list[str]:
    """Split texts into the measures in them, which are separated by blanks.

    Blanks in brackets, in quotes and around ``@`` belong to a measure.

    Examples
    --------
    >>> from pres_plugin.cli.measures import split_measures
    >>> split_measures(["PRES @ 100  AP(rel=2, judged_only=True)@10", "R@5"])
    ['PRES @ 100', 'AP(rel=2, judged_only=True)@10', 'R@5']
    """
    return [name for text in texts for name in _split(text)]


_TREC_NAME = re.compile(r"\w+(\.[\d.,]+|,[\d.,]+)?")


def _split(text: str) -> Iterator[str]:
    """Yield the measures in one text."""
    start = depth = 0
    quote = ""
    for i, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character.isspace() and depth <= 0 and not _is_inside(text[start:i], text[i:]):
            if name := text[start:i].strip():
                yield name
            start, depth = i, 0
    if name := text[start:].strip():
        yield name


def _is_inside(before: str, after: str) -> bool:
    """Return whether a blank belongs to a measure: next to an @, or before parentheses."""
    return before.rstrip().endswith("@") or after.lstrip().startswith(("@", "("))


def _read(name: str) -> list[Any]:
    # Imported late, because the import takes longer than scoring with our own measures,
    # which do not need it.
    from pres_plugin.any_measure import read_measure, read_trec_name

    try:
        return [read_measure(name)]
    except MeasureError:
        if not _TREC_NAME.fullmatch(name) or _is_ir_measures(name):
            raise
    return read_trec_name(name)


def _is_ir_measures(name: str) -> bool:
    import ir_measures

    return name in ir_measures.measures.registry
