"""Read our measures in trec_eval's style, such as ``pres_100`` and ``pres.100,1000``.

ir-measures' style, ``PRES@100``, is accepted too, because trec_eval's style cannot
express parameters such as Rnorm's N.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pres_plugin.measures.declared import OURS
from pres_plugin.measures.grammar import check_length
from pres_plugin.measures.measure import Measure
from pres_plugin.measures.parameters import MeasureError
from pres_plugin.measures.parsing import parse
from pres_plugin.remedy import quoted

_BY_TREC_NAME = {measure.declaration.lower_name: measure for measure in OURS}
_FULL_NAMES = [measure.name for measure in OURS]


def _any_of(names: Iterable[str]) -> str:
    # Longest first, because names that start with pres_est also start with pres.
    return f"({'|'.join(sorted(names, key=len, reverse=True))})"


_OURS = re.compile(rf"\s*{_any_of([*_BY_TREC_NAME, *_FULL_NAMES])}(?![a-z0-9])", re.IGNORECASE)
_IN_TREC_STYLE = re.compile(rf"{_any_of(_BY_TREC_NAME)}[._](.+)")
_IN_FULL = re.compile(rf"\s*{_any_of(_FULL_NAMES)}\s*([(@].*)?", re.DOTALL)


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
            # The measure rejects a number that is left as text.
            numbers = [int(k) if re.fullmatch("[0-9]+", k) else k for k in written]
            return [parse(measure @ measure.declaration.at.from_whole(k)) for k in numbers]
        if (alone := _BY_TREC_NAME.get(text.rstrip())) is not None:
            return [parse(alone)]
        if not _IN_FULL.fullmatch(text):
            raise MeasureError("it is in neither of these styles")
        return [parse(text)]
    except MeasureError as error:
        raise MeasureError(
            f"cannot read the measure {quoted(text)}: {error}; measures are written as PRES@100, "
            "PRES_est@100 or Rnorm(N=11429), or in trec_eval's style as pres_100, or pres.100,1000 "
            "for several cutoffs"
        ) from error
