"""The measures by name, wherever a string in trec_eval's style is taken.

``pres_100`` and ``pres.100,1000``, as ``recall_100`` and ``recall.100,1000``;
and ir-measures' own ``PRES@100``, because trec_eval's style has no room for
parameters such as Rnorm's N.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Any

import ir_measures
from ir_measures import Measure

from pres_plugin.adapters.ir_measures.native.measures import MEASURES
from pres_plugin.measures import MeasureError

__all__ = ["parser_with_ours"]

_TREC_NAMES: dict[str, Any] = {measure.DECLARATION.name.lower(): measure for measure in MEASURES}
# The longest first: what starts with pres_est starts with pres, too.
_ANY_NAME = "|".join(sorted(_TREC_NAMES, key=len, reverse=True))
_OURS = re.compile(rf"\s*({_ANY_NAME})(?![a-z0-9])", re.IGNORECASE)
_IN_TREC_STYLE = re.compile(rf"({_ANY_NAME})[._](.+)")


def parser_with_ours(parse_trec_measure: Callable[[str], list[Measure]]) -> Any:
    """The given function of ir-measures, which from here on knows our measures too."""

    @wraps(parse_trec_measure)
    def parse(measure: str) -> list[Measure]:
        if isinstance(measure, str) and _OURS.match(measure):
            return _parse(measure)
        return parse_trec_measure(measure)

    return parse


def _parse(text: str) -> list[Measure]:
    measures: list[Measure]
    try:
        if match := _IN_TREC_STYLE.fullmatch(text):
            name, cutoffs = match.groups()
            measures = [_TREC_NAMES[name](cutoff=_number(cutoff)) for cutoff in cutoffs.split(",")]
        else:
            measures = [ir_measures.parse_measure(text)]
        for measure in measures:
            # Where ir-measures would notice, the run has been made.
            measure.validate_params()
    except (NameError, TypeError, ValueError) as error:
        raise MeasureError(
            f"cannot read the measure {text!r}: {error} (in full: PRES@100, PRES_est@100 or "
            "Rnorm(N=11429); in trec_eval's style: pres_100, or pres.100,1000 for several cutoffs)"
        ) from error
    return measures


def _number(text: str) -> int | str:
    """A cutoff as a number; what is none is left for the measure to refuse."""
    return int(text) if re.fullmatch("[0-9]+", text) else text
