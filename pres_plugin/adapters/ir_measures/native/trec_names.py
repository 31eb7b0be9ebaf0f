"""Read the names of our measures in strings in trec_eval's style.

``pres_100`` and ``pres.100,1000`` are read like ``recall_100`` and
``recall.100,1000``. ir-measures' own style, ``PRES@100``, is read too, because
trec_eval's style cannot express parameters such as Rnorm's N.
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
# Longest first, since names that start with pres_est also start with pres.
_ANY_NAME = "|".join(sorted(_TREC_NAMES, key=len, reverse=True))
_OURS = re.compile(rf"\s*({_ANY_NAME})(?![a-z0-9])", re.IGNORECASE)
_IN_TREC_STYLE = re.compile(rf"({_ANY_NAME})[._](.+)")


def parser_with_ours(parse_trec_measure: Callable[[str], list[Measure]]) -> Any:
    """Return ir-measures' parser, wrapped so that it also reads our measures."""

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
            # ir-measures itself would check this only after the run has been made.
            measure.validate_params()
    except (NameError, TypeError, ValueError) as error:
        raise MeasureError(
            f"cannot read the measure {text!r}: {error} (in full: PRES@100, PRES_est@100 or "
            "Rnorm(N=11429); in trec_eval's style: pres_100, or pres.100,1000 for several cutoffs)"
        ) from error
    return measures


def _number(text: str) -> int | str:
    """Return a cutoff as a number; leave other text for the measure to reject."""
    return int(text) if re.fullmatch("[0-9]+", text) else text
