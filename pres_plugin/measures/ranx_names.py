"""Read our measures in ranx's strings, such as ``pres@100`` and ``rnorm.11429@1000-l2``.

ranx itself reads the cutoff after ``@`` and the relevance level after ``-l``. This module
reads the name before them and, after a dot, the size of the collection.
"""

from __future__ import annotations

from typing import NamedTuple

from pres_plugin.measures.declared import OURS
from pres_plugin.measures.grammar import check_length
from pres_plugin.measures.measure import Measure
from pres_plugin.measures.parameters import COLLECTION_SIZE, LARGEST, MeasureError

#: Our measures by their names in ranx, without cutoff, collection size and relevance level.
RANX_NAMES = {measure.name.lower(): measure for measure in OURS}


class RanxName(NamedTuple):
    """Our measure, without the cutoff and the relevance level, which ranx reads."""

    measure: Measure
    #: The metric's title in reports, such as ``Rnorm(N=11429)@1000-l2``.
    label: str


def parse_ranx_name(text: str) -> RanxName | None:
    """Read a metric's string; return None if it does not name one of our measures.

    Raise a MeasureError if the size of the collection is missing or invalid.
    """
    end = min((at for at in (text.find("@"), text.find("-l")) if at >= 0), default=len(text))
    name = text[:end]
    base, dot, size = name.partition(".")
    measure = RANX_NAMES.get(base)
    if measure is None:
        return None
    check_length(text)
    if measure.declaration.takes(COLLECTION_SIZE):
        if not (size.isascii() and size.isdigit() and 0 < int(size) <= LARGEST):
            raise MeasureError(
                f"{name}: write the {COLLECTION_SIZE.desc} after a dot, as a whole number "
                f"from 1 to {LARGEST}; for instance {base}.11429 or {base}.11429@1000"
            )
        measure = measure(N=int(size))
    elif dot:
        return None
    return RanxName(measure, f"{measure}{text[end:]}")
