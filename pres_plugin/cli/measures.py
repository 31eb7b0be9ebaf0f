"""Parse measures given on the command line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from pres_plugin.measures import MeasureError
from pres_plugin.measures.trec_names import parse_text

# Blanks in parentheses, before them and around `@` do not end a measure.
_MEASURE = re.compile(r"(?:\s*\([^)]*\)?|\s*@\s*|\S)+")


def parse_measures(texts: Iterable[str]) -> list[Any]:
    """Return each measure once, as ours or as ir-measures' object, or raise a MeasureError."""
    found = dict.fromkeys(m for name in split_measures(texts) for m in parse_text(name))
    if not found:
        raise MeasureError("no measure is given; for instance -m PRES@100")
    return list(found)


def split_measures(texts: Iterable[str]) -> list[str]:
    """Split texts at blanks into measure strings, such as ``PRES @ 100``."""
    return [match[0].strip() for text in texts for match in _MEASURE.finditer(text)]
