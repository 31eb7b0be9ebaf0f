"""Read measures that users give as strings or objects."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pres_plugin.measures.declared import BY_NAME
from pres_plugin.measures.grammar import HOW_TO_WRITE, read
from pres_plugin.measures.measure import Measure
from pres_plugin.measures.parameters import MeasureError
from pres_plugin.remedy import quoted

_BY_ANY_NAME = {
    name: measure
    for measure in BY_NAME.values()
    for name in (measure.name, *measure.declaration.aliases)
}


def parse(measure: Any) -> Measure:
    """Read a measure, given as a string, as one of our objects or as one of ir-measures'.

    Raise a MeasureError if it is unknown or cannot be computed with its parameters.
    """
    parsed = parse_sized(measure)
    parsed.check_complete()
    return parsed


def parse_sized(measure: Any) -> Measure:
    """Read a measure as :func:`parse` does, except that N may be missing; see check_sizes."""
    parsed = measure if isinstance(measure, Measure) else _parsed(str(measure))
    parsed.with_any_size().check_complete()
    return parsed


def check_sizes(measures: Iterable[Any], sizes: object) -> None:
    """Raise a MeasureError if N is missing, unless the `sizes` of the collections are given."""
    for measure in measures if sizes is None else ():
        if isinstance(measure, Measure) and measure.lacks_size:
            measure.check_complete()


def parse_all(measures: Any, read_one: Callable[[Any], Any] = parse) -> list[Any]:
    """Read one measure or several; drop duplicates and keep the order."""
    parsed = list(dict.fromkeys(map(read_one, several(measures))))
    if not parsed:
        raise MeasureError("no measure is given; for instance 'PRES@100'")
    return parsed


def several(measures: Any) -> Iterable[Any]:
    """Return the given measures as an iterable; a single one may be given by itself."""
    alone = isinstance(measures, str) or not isinstance(measures, Iterable)
    return [measures] if alone else measures


def with_number(measure: Measure, number: Any) -> Measure:
    """Return the measure with the number after ``@``; a whole number is a recall in per cent."""
    is_per_cent = measure.declaration.at.kind is float and isinstance(number, int)
    found: Measure = measure @ (number / 100 if is_per_cent and number <= 100 else number)
    return found


def _parsed(text: str) -> Measure:
    parts = read(text)
    measure = _BY_ANY_NAME.get(parts.name)
    if measure is None:
        raise MeasureError(
            f"measure {quoted(text)} is not one of {', '.join(BY_NAME)}; {HOW_TO_WRITE}; "
            "use ir_measures for other measures"
        )
    at = {} if parts.at is None else {measure.declaration.at.name: parts.at}
    return measure(**parts.params | at)
