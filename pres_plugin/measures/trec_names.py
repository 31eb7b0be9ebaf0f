"""Read our measures in trec_eval's style, such as ``pres_100`` and ``pres.100,1000``.

ir-measures' style, ``PRES@100``, is accepted too, because trec_eval's style cannot
express parameters such as Rnorm's N.
"""

from __future__ import annotations

import re

from pres_plugin.measures.declared import OURS
from pres_plugin.measures.grammar import check_length
from pres_plugin.measures.measure import Measure
from pres_plugin.measures.parameters import MeasureError
from pres_plugin.measures.parsing import parse
from pres_plugin.remedy import quoted

_BY_TREC_NAME = {measure.name.lower(): measure for measure in OURS}
# Longest first, because names that start with pres_est also start with pres.
_ANY_NAME = "|".join(sorted(_BY_TREC_NAME, key=len, reverse=True))
_OURS = re.compile(rf"\s*({_ANY_NAME})(?![a-z0-9])", re.IGNORECASE)
_IN_TREC_STYLE = re.compile(rf"({_ANY_NAME})[._](.+)")
_IN_FULL = re.compile(rf"\s*({'|'.join(measure.name for measure in OURS)})\s*([(@].*)?", re.DOTALL)


def parse_trec_name(text: str) -> list[Measure] | None:
    """Return the measures that a string names, or None if it does not name one of ours.

    Raise a MeasureError if a parameter is invalid or missing.
    """
    if not _OURS.match(text):
        return None
    check_length(text)
    try:
        if match := _IN_TREC_STYLE.fullmatch(text):
            measure, written = _BY_TREC_NAME[match[1]], match[2].split(",")
            # The measure rejects a cutoff that is left as text.
            cutoffs = [int(k) if re.fullmatch("[0-9]+", k) else k for k in written]
            return [parse(measure(cutoff=cutoff)) for cutoff in cutoffs]
        if not _IN_FULL.fullmatch(text):
            raise MeasureError("it is in neither of these styles")
        return [parse(text)]
    except MeasureError as error:
        raise MeasureError(
            f"cannot read the measure {quoted(text)}: {error} (in full: PRES@100, PRES_est@100 or "
            "Rnorm(N=11429); in trec_eval's style: pres_100, or pres.100,1000 for several cutoffs)"
        ) from error
