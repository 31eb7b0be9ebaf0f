"""Parse measures given on the command line, and complete them in a shell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import click

from pres_plugin.measures import MeasureError

_TREC_NAME = re.compile(r"\w+(\.[\d.,]+|,[\d.,]+)?")
# A quoted text, blanks, or one other character.
_TOKEN = re.compile(r"""'[^']*'?|"[^"]*"?|\s+|.""", re.DOTALL)


def parse_measures(texts: Iterable[str], *, sized: bool = False) -> list[Any]:
    """Return ir-measures' object for each measure, each once, or raise a MeasureError.

    If `sized`, the size of each topic's collection is known, and N may be missing.
    """
    found = dict.fromkeys(m for name in split_measures(texts) for m in _read(name, sized))
    if not found:
        raise MeasureError("no measure is given; for instance -m PRES@100")
    return list(found)


def split_measures(texts: Iterable[str]) -> list[str]:
    """Return the measures in texts that may each contain several."""
    return [name for text in texts for name in split(text)]


def split(text: str) -> Iterator[str]:
    """Split text at blanks into measure strings, such as ``PRES @ 100``.

    Blanks in brackets, in quotes, around ``@`` and before parentheses do not end a measure.
    """
    start = depth = 0
    for token in _TOKEN.finditer(text):
        first = token[0][0]
        if first in "([{":
            depth += 1
        elif first in ")]}":
            depth -= 1
        elif first.isspace() and depth <= 0:
            begin, end = token.span()
            if text[begin - 1 : begin] != "@" and text[end : end + 1] not in ("@", "("):
                if name := text[start:begin].strip():
                    yield name
                start, depth = end, 0
    if name := text[start:].strip():
        yield name


def _read(name: str, sized: bool) -> list[Any]:
    # Imported only if used: the import takes longer than scoring with our own measures.
    from ir_measures import measures

    from pres_plugin.study.any_measure.reading import read_measure, read_trec_name

    try:
        return [read_measure(name, sized=sized)]
    except MeasureError:
        if not _TREC_NAME.fullmatch(name) or name in measures.registry:
            raise
    return read_trec_name(name)


def complete_measures(_: click.Context, __: click.Parameter, text: str) -> list[str]:
    """Complete the last measure in a text, with a cutoff if the measure requires one."""
    from ir_measures import measures

    before, blank, begun = text.rpartition(" ")
    forms: list[str] = []
    for name, measure in sorted(measures.registry.items()):
        cutoff = measure.SUPPORTED_PARAMS.get("cutoff")
        required = cutoff is not None and cutoff.required
        forms += [f"{name}@{k}" for k in (10, 100, 1000)] if required else [name]
    return [before + blank + form for form in forms if form.startswith(begun)]
