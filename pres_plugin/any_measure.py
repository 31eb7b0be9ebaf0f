"""Any measure of ir-measures, from a string or an object, checked before it meets data.

ir-measures checks parameters when it scores, by assertions that blame nobody; a
few wrong values make trec_eval end the process. Here a wrong measure is refused
first, with an error that names it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import redirect_stdout
from numbers import Integral
from typing import Any

import ir_measures

import pres_plugin  # noqa: F401 (adds its measures to those that ir-measures reads)
from pres_plugin.frames.measures import Measure as FrameMeasure
from pres_plugin.measures import AP, Declaration, MeasureError

__all__ = ["check", "parse", "read_all", "read_measure", "read_trec_name"]

# What trec_eval, through ir-measures, can take; the declaration of AP has the reasons.
_LIMITED = {parameter.name: parameter for parameter in AP.parameters if parameter.kind is int}


def read_measure(measure: Any) -> Any:
    """Return a measure of ir-measures that can be computed.

    Parameters
    ----------
    measure : str, ir_measures.Measure or pres_plugin.frames.Measure
        Strings are read by ``ir_measures.parse_measure``.

    Returns
    -------
    ir_measures.Measure

    Raises
    ------
    MeasureError
        If there is no such measure, if a parameter is wrong or missing, or if
        nothing that is installed computes the measure. The message begins with
        the measure.
    """
    return check(parse(measure), str(measure))


def parse(measure: Any) -> Any:
    """Return a measure of ir-measures, without having checked that it can be computed.

    Raises
    ------
    MeasureError
        If there is no such measure.
    """
    if isinstance(measure, FrameMeasure):
        measure = str(measure)
    if isinstance(measure, str):
        return _from_string(measure)
    if not isinstance(measure, ir_measures.Measure):
        raise MeasureError(
            f"measure {measure!r:.60}: {type(measure).__name__} is not a measure; {_WRITTEN}"
        )
    return measure


def read_all(measures: Any) -> list[Any]:
    """Read one measure or several; each is returned once, in order.

    Raises
    ------
    MeasureError
        If one is wrong, or there is none.
    """
    alone = isinstance(measures, str) or not isinstance(measures, Iterable)
    found = list(dict.fromkeys(map(read_measure, [measures] if alone else measures)))
    if not found:
        raise MeasureError("no measure is given; for instance 'PRES@100'")
    return found


def read_trec_name(name: str) -> list[Any]:
    """Return the measures that trec_eval calls by this name, such as ``recall_100``.

    Raises
    ------
    MeasureError
        If there is no such name, or one of the measures cannot be computed.
    """
    try:
        with redirect_stdout(sys.stderr):  # where ir-measures prints what it leaves out
            found = ir_measures.parse_trec_measure(name)
    except MeasureError:  # about one of ours, in our own words
        raise
    except ValueError:
        raise MeasureError(f"measure {name!r}: {_UNKNOWN}") from None
    return [check(measure, name) for measure in found]


def check(measure: Any, written: str) -> Any:
    """Return the measure if it can be computed; `written` is how errors call it.

    Raises
    ------
    MeasureError
        If a parameter is wrong or missing, or nothing that is installed computes it.
    """
    try:
        _check_parameters(measure)
    except (AssertionError, TypeError, ValueError) as error:
        # Errors of our own measures begin with the measure already.
        problem = str(error).removeprefix(f"{measure.NAME}: ")
        raise MeasureError(f"measure {written!r}: {problem}") from None
    if not ir_measures.DefaultPipeline.supports(measure):
        raise MeasureError(
            f"measure {written!r}: nothing that is installed computes it{_to_install(measure)}"
        )
    return measure


def _from_string(text: str) -> Any:
    try:
        return ir_measures.parse_measure(text)
    except NameError:
        raise MeasureError(f"measure {text!r}: {_UNKNOWN}") from None
    except (TypeError, ValueError, RecursionError, MemoryError) as error:
        problem = str(error).removeprefix(f"{text.split('@')[0]}: ")
        raise MeasureError(f"measure {text!r}: {problem}") from None


def _check_parameters(measure: Any) -> None:
    for name in measure.params:
        if name not in measure.SUPPORTED_PARAMS:
            raise ValueError(f"no parameter {name!r}, only {', '.join(measure.SUPPORTED_PARAMS)}")
    for name, info in measure.SUPPORTED_PARAMS.items():
        if info.required and name not in measure.params:
            example = f"; write {measure.NAME}@100" if name == "cutoff" else ""
            raise ValueError(f"{name} is missing{example}")
    if not isinstance(getattr(measure, "DECLARATION", None), Declaration):
        for name in _LIMITED.keys() & measure.params.keys():
            _check_number(name, measure.params[name])
    measure.validate_params()


def _check_number(name: str, value: Any) -> None:
    limit = _LIMITED[name]
    is_number = isinstance(value, Integral) and (limit.true_is_one or not isinstance(value, bool))
    if not (is_number and 1 <= value <= limit.largest):
        too_large = is_number and value > limit.largest
        expected = "a positive whole number" + (f" up to {limit.largest}" if too_large else "")
        raise ValueError(f"{name} takes {expected}, got {value!r:.60}")


def _to_install(measure: Any) -> str:
    providers = (
        provider
        for provider in ir_measures.DefaultPipeline.providers
        if provider.supports(measure) and not provider.is_available()
    )
    commands = [provider.install_instructions() or provider.NAME for provider in providers]
    return f"; it needs {' or '.join(commands)}" if commands else ""


_WRITTEN = "measures are written as PRES@100, AP, R@100 or nDCG@10"
_UNKNOWN = f"unknown; {_WRITTEN}"
