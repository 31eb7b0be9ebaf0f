"""Read our measures in trec_eval's style, such as ``pres_100`` and ``pres.100,1000``.

ir-measures' style, ``PRES@100``, is accepted too, because trec_eval's style cannot
express parameters such as Rnorm's N.
"""

from __future__ import annotations

import re
import sys
from contextlib import redirect_stdout
from typing import Any

from pres_plugin.measures.declared import BY_LOWER_NAME, OURS
from pres_plugin.measures.grammar import check_length
from pres_plugin.measures.parameters import MeasureError
from pres_plugin.measures.parsing import BY_ANY_NAME, parse, parse_any, unknown, with_number
from pres_plugin.messages import quoted

# Longest first, because names that start with pres_est also start with pres.
_LOWER = "|".join(sorted(BY_LOWER_NAME, key=len, reverse=True))
_FULL = "|".join(measure.name for measure in OURS)
_IS_OURS = re.compile(rf"\s*(?:{_LOWER}|{_FULL})(?![a-z0-9])", re.IGNORECASE)
_WITH_NUMBERS = re.compile(rf"({_LOWER})(?:[._](.+))?\s*", re.DOTALL)
# What may be a name of trec_eval. Neither @ nor parentheses occur in it.
_TREC_NAME = re.compile(r"\w+(\.[\d.,]+|,[\d.,]+)?")


def parse_text(text: str) -> list[Any]:
    """Return the measures that a string names in ir-measures' style or in trec_eval's.

    Each is read as by :func:`.parsing.parse_any`; ``recall.100,1000`` names two measures.
    """
    if text in BY_ANY_NAME or not _TREC_NAME.fullmatch(text):
        return [parse_any(text)]
    if (ours := parse_trec_name(text)) is not None:
        return ours
    check_length(text)
    import ir_measures

    if text in ir_measures.measures.registry:
        return [parse_any(text)]
    try:
        # ir-measures prints which measures of a group it skips, among the scores.
        with redirect_stdout(sys.stderr):
            found = ir_measures.parse_trec_measure(text)
    except ValueError:
        raise unknown(text, text, ir_measures.measures.registry) from None
    return list(map(parse_any, found))


def parse_trec_name(text: str) -> list[Any] | None:
    """Return the measures that a string names, or None if it does not name one of ours.

    Raise a MeasureError if a parameter is invalid or missing.
    """
    if not _IS_OURS.match(text):
        return None
    check_length(text)
    try:
        return list(map(parse, _read(text)))
    except MeasureError as error:
        raise MeasureError(
            f"cannot read the measure {quoted(text)}: {error}; measures are written as PRES@100, "
            "PRES_est@100 or Rnorm(N=11429), or in trec_eval's style as pres_100, or pres.100,1000 "
            "for several cutoffs"
        ) from error


def _read(text: str) -> list[Any]:
    """Return the measures that a string names, some of them as strings."""
    match = _WITH_NUMBERS.fullmatch(text)
    if match is None:
        return [text]
    measure, numbers = BY_LOWER_NAME[match[1]], (match[2] or "").strip()
    if not numbers:
        return [measure]
    # The measure rejects a number that is left as text.
    each = (int(k) if re.fullmatch("[0-9]+", k) else k for k in numbers.split(","))
    return [with_number(measure, number) for number in each]
