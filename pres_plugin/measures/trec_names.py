"""Read our measures in strings in trec_eval's style, such as ``pres_100`` and ``pres.100,1000``.

They are read like ``recall_100`` and ``recall.100,1000``. ir-measures' own style,
``PRES@100``, is read too, because trec_eval's style cannot express parameters such as
Rnorm's N.
"""

from __future__ import annotations

import re

from pres_plugin.measures.declared import OURS
from pres_plugin.measures.measure import Measure
from pres_plugin.measures.parameters import MeasureError
from pres_plugin.measures.parsing import parse

__all__ = ["parse_trec_name"]

_BY_TREC_NAME = {measure.name.lower(): measure for measure in OURS}
# Longest first, since names that start with pres_est also start with pres.
_ANY_NAME = "|".join(sorted(_BY_TREC_NAME, key=len, reverse=True))
_OURS = re.compile(rf"\s*({_ANY_NAME})(?![a-z0-9])", re.IGNORECASE)
_IN_TREC_STYLE = re.compile(rf"({_ANY_NAME})[._](.+)")


def parse_trec_name(text: str) -> list[Measure] | None:
    """Return the measures that a string names; None if it is not about one of ours.

    Raises
    ------
    MeasureError
        If a parameter is wrong or missing.

    Examples
    --------
    >>> from pres_plugin.measures.trec_names import parse_trec_name
    >>> parse_trec_name("pres.100,1000"), parse_trec_name("recall_100")
    ([PRES@100, PRES@1000], None)
    """
    if not _OURS.match(text):
        return None
    try:
        if match := _IN_TREC_STYLE.fullmatch(text):
            name, cutoffs = match.groups()
            return [
                parse(_BY_TREC_NAME[name](cutoff=_number(cutoff))) for cutoff in cutoffs.split(",")
            ]
        return [parse(text)]
    except MeasureError as error:
        raise MeasureError(
            f"cannot read the measure {text!r}: {error} (in full: PRES@100, PRES_est@100 or "
            "Rnorm(N=11429); in trec_eval's style: pres_100, or pres.100,1000 for several cutoffs)"
        ) from error


def _number(text: str) -> int | str:
    """Return a cutoff as a number; leave other text for the measure to reject."""
    return int(text) if re.fullmatch("[0-9]+", text) else text
