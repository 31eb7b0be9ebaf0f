"""Read measures that users give as strings or objects, each as one of ours or of ir-measures'."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pres_plugin.measures.declared import BY_NAME
from pres_plugin.measures.grammar import HOW_TO_WRITE, Parts, read
from pres_plugin.measures.measure import Measure
from pres_plugin.measures.parameters import CUTOFF, MeasureError
from pres_plugin.messages import imported, quoted

#: The measures of this package by all names that ir-measures gives them.
BY_ANY_NAME = {
    name: measure
    for measure in BY_NAME.values()
    for name in (measure.name, *measure.declaration.aliases)
}


def parse(measure: Any) -> Measure:
    """Read a measure of this package, given as a string or as an object.

    Raise a MeasureError if it is unknown or cannot be computed with its parameters.
    """
    parsed = parse_sized(measure)
    parsed.check_complete()
    return parsed


def parse_sized(measure: Any) -> Measure:
    """Read a measure as :func:`parse` does, except that N may be missing; see check_sizes."""
    parsed: Measure = checked(read_any(measure, only_ours=True), str(measure))
    return parsed


def parse_any(measure: Any) -> Any:
    """Read any measure as one of this package or, if only ir-measures knows it, as its object.

    ir-measures is imported only for a name that is not one of ours. N may be missing. Raise a
    MeasureError if the measure is unknown, or if a parameter is invalid or missing.
    """
    return checked(read_any(measure), str(measure))


def read_any(measure: Any, *, only_ours: bool = False) -> Any:
    """Read a measure as :func:`parse_any` does, except that parameters may be missing."""
    if isinstance(measure, Measure):
        return measure
    is_object = hasattr(measure, "SUPPORTED_PARAMS")  # of ir-measures
    parts = Parts(measure.NAME, measure.params, None) if is_object else read(str(measure))
    if parts.name in BY_ANY_NAME:
        return _with(BY_ANY_NAME[parts.name], parts)
    if only_ours:
        raise unknown(str(measure), parts.name)
    return measure if is_object else _by_ir_measures(str(measure), parts)


def ours_and_others(measures: Iterable[Any]) -> tuple[list[Measure], list[Any]]:
    """Split measures into those that this package computes, and objects of ir-measures."""
    ours: list[Measure] = []
    others: list[Any] = []
    for measure in measures:
        (ours if isinstance(measure, Measure) else others).append(measure)
    return ours, others


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


def unknown(text: str, name: str, others: Iterable[str] = ()) -> MeasureError:
    """Return the error about a measure whose `name` is neither ours nor one of the `others`."""
    from difflib import get_close_matches  # imported only for messages

    known = {each.lower(): each for each in reversed([*BY_NAME, *others])}
    similar = get_close_matches(name.lower(), known, n=1)
    hint = f" (did you mean {known[similar[0]]}{text[len(name) :]}?)" if similar else ""
    end = "" if others else f"; use ir_measures for measures other than {', '.join(BY_NAME)}"
    return MeasureError(f"measure {quoted(text)} is unknown{hint}; {HOW_TO_WRITE}{end}")


def _with(measure: Any, parts: Parts) -> Any:
    """Return a measure, ours or one of ir-measures', with the parameters in a string."""
    at = measure.declaration.at.name if isinstance(measure, Measure) else measure.AT_PARAM
    return measure(**parts.params | ({} if parts.at is None else {at: parts.at}))


def _by_ir_measures(text: str, parts: Parts) -> Any:
    """Return a measure of ir-measures."""
    need = f"measure {quoted(text)} is not one of ours, so it needs ir-measures"
    registry = imported("ir_measures", need, "ir-measures").measures.registry
    if parts.name not in registry:
        raise unknown(text, parts.name, registry)
    return _with(registry[parts.name], parts)


def checked(measure: Any, text: str) -> Any:
    """Return a measure if it can be computed; N may be missing.

    ir-measures checks its measures only when it scores, and does not name them.
    """
    if isinstance(measure, Measure):
        measure.check_complete(has_size=True)
        return measure
    try:
        for name, info in measure.SUPPORTED_PARAMS.items():
            # ir-measures' own message contains the address of an object in memory.
            if info.required and name not in measure.params:
                raise ValueError(f"{name} is missing; {HOW_TO_WRITE}")
        CUTOFF.read(measure.params.get("cutoff", 1))  # at 0, trec_eval ends the process
        measure.validate_params()
        hash(measure)  # a TypeError if gains cannot be sorted
    except (AssertionError, TypeError, ValueError) as error:
        raise MeasureError(f"measure {quoted(text)}: {error}") from None
    return measure
