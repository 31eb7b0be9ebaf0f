"""Whether a higher value of a measure means a better run."""

from __future__ import annotations

import re

from pres_plugin.measures.declared import BY_NAME

# Counts of topics and documents, which ir-measures computes.
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
    match = _NAME.match(measure)
    name = match[0] if match else ""
    if ours := BY_NAME.get(name):
        return ours.declaration.has_direction
    return name not in _COUNTS
