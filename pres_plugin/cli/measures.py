"""Parse measures given on the command line, and complete them in a shell."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import click

from pres_plugin.measures import MeasureError
from pres_plugin.measures.trec_names import parse_text

# A measure, or blanks between measures. Blanks in parentheses, in quotes, around `@` and before
# parentheses do not end a measure. Nothing is matched twice, so long texts take no longer.
_QUOTED = """'[^']*+'?|"[^"]*+"?"""
_MEASURE = re.compile(rf"(?:\((?:{_QUOTED}|[^)])*+\)?|\s*+@\s*+|\s++(?=\()|{_QUOTED}|\S)++|\s++")


def parse_measures(texts: Iterable[str]) -> list[Any]:
    """Return each measure once, as ours or as ir-measures' object, or raise a MeasureError."""
    found = dict.fromkeys(m for name in split_measures(texts) for m in parse_text(name))
    if not found:
        raise MeasureError("no measure is given; for instance -m PRES@100")
    return list(found)


def split_measures(texts: Iterable[str]) -> list[str]:
    """Split texts at blanks into measure strings, such as ``PRES @ 100``."""
    found = (match[0].strip() for text in texts for match in _MEASURE.finditer(text))
    return list(filter(None, found))


def complete_measures(_: click.Context, __: click.Parameter, text: str) -> list[str]:
    """Complete the last measure in a text, with a cutoff if the measure requires one."""
    from ir_measures import measures

    before, blank, begun = text.rpartition(" ")
    forms: list[str] = []
    for name, measure in sorted(measures.registry.items()):
        required = getattr(measure.SUPPORTED_PARAMS.get("cutoff"), "required", False)
        forms += [f"{name}@{k}" for k in (10, 100, 1000)] if required else [name]
    return [before + blank + form for form in forms if form.startswith(begun)]
