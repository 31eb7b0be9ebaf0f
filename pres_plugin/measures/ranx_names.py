"""Read our measures in ranx's strings, such as ``pres@100`` and ``rnorm.11429@1000-l2``.

ranx itself reads the number after ``@`` and the relevance level after ``-l``. This module
reads the name before them, and the parameters that follow the name after dots: the size of the
collection, or ``judged`` for judged_only, and then the rounding, as in ``wss.11429.nearest@95``.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import NamedTuple

from pres_plugin.measures.declared import BY_LOWER_NAME
from pres_plugin.measures.grammar import check_length
from pres_plugin.measures.measure import Measure
from pres_plugin.measures.parameters import (
    COLLECTION_SIZE,
    CUTOFF,
    LARGEST,
    ROUNDING,
    MeasureError,
)
from pres_plugin.measures.parsing import with_number

_NUMBER = re.compile(r"@([0-9]{1,20})")


class RanxName(NamedTuple):
    """Our measure, without the parameters that ranx reads."""

    measure: Measure
    #: The metric's title in reports, such as ``Rnorm(N=11429)@1000-l2``.
    label: str


def parse_ranx_name(text: str) -> RanxName | None:
    """Read a metric's string; return None if it does not name one of our measures.

    Raise a MeasureError if a parameter after a dot is missing or invalid.
    """
    name = re.split("@|-l", text, maxsplit=1)[0]
    base, *parts = name.split(".")
    measure = BY_LOWER_NAME.get(base)
    if measure is None:
        return None
    check_length(text)
    declaration = measure.declaration
    if parts[:1] == ["judged"]:
        measure, parts = measure(judged_only=True), parts[1:]
    elif declaration.takes(COLLECTION_SIZE):
        measure, parts = measure(N=_size(measure, name, parts)), parts[1:]
    if parts and declaration.takes(ROUNDING):
        measure, parts = measure(rounding=".".join(parts)), []
    return None if parts else RanxName(measure, _label(measure, text[len(name) :]))


def _size(measure: Measure, name: str, parts: list[str]) -> int:
    """Return the number in the first of the parts that follow a dot."""
    size = "".join(parts[:1])
    if not (size.isascii() and size.isdigit() and 0 < int(size) <= LARGEST):
        base = measure.declaration.lower_name
        raise MeasureError(
            f"{name}: write the {COLLECTION_SIZE.desc} after a dot, as a whole number "
            f"from 1 to {LARGEST}, or judged if each topic's collection is judged completely; for "
            f"instance {base}.11429, {base}.11429@{number_example(measure)} or {base}.judged"
        )
    return int(size)


def number_example(measure: Measure) -> int:
    """Return a number that users may write after ``@``."""
    return 100 if measure.declaration.at == CUTOFF else 95


def _label(measure: Measure, end: str) -> str:
    """Return a metric's title. `end` is the part of its string that ranx parses, as ``@100-l2``."""
    if number := _NUMBER.match(end):
        with suppress(MeasureError):
            return f"{with_number(measure, int(number[1]))}{end[number.end() :]}"
    return f"{measure}{end}"
