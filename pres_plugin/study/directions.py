"""Whether a higher value of a measure means a better run, and whether it is a sum."""

from __future__ import annotations

import re

from pres_plugin.measures.declared import BY_NAME

# Counts of topics and documents, which ir-measures adds up over the topics.
_COUNTS = {"NumQ", "NumRel", "NumRet"}

_NAME = re.compile(r"\w+")


def has_direction(measure: str) -> bool:
    """Return whether a higher value of a measure means a better run.

    `measure` is a string in ir-measures' syntax. If the result is False, neither higher nor
    lower values are better.

    >>> from pres_plugin.study.directions import has_direction
    >>> has_direction("PRES@100"), has_direction("NumRet")
    (True, False)
    """
    name = _name(measure)
    if ours := BY_NAME.get(name):
        return ours.declaration.has_direction
    return name not in _COUNTS


def is_sum(measure: str) -> bool:
    """Return whether ir-measures reports the sum of a measure over the topics, not the mean."""
    return _name(measure) in _COUNTS


def _name(measure: str) -> str:
    match = _NAME.match(measure)
    return match[0] if match else ""
