"""Whether a higher value of a measure means a better run."""

from __future__ import annotations

import re

# Counts of topics and documents, and the rank of the last relevant document found. A low rank
# means little effort, or that relevant documents were missed.
_WITHOUT_DIRECTION = {"LastRel", "NumQ", "NumRel", "NumRet"}

_NAME = re.compile(r"\w+")


def has_direction(measure: str) -> bool:
    """Return whether a higher value of a measure means a better run.

    The measure is written as in ir-measures. For all others, no value is better than another.

    >>> from pres_plugin.study.directions import has_direction
    >>> has_direction("PRES@100"), has_direction("LastRel")
    (True, False)
    """
    name = _NAME.match(measure)
    return name is None or name[0] not in _WITHOUT_DIRECTION
