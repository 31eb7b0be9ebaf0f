"""Read and check measures of ir-measures, given as strings or objects, before scoring.

ir-measures checks parameters only when it scores, with assertions that do not name the
measure. A few wrong values even make trec_eval end the process. This module rejects a
wrong measure beforehand, with an error that names it.
"""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from typing import Any

import ir_measures

from pres_plugin.measures import Measure, MeasureError
from pres_plugin.measures.declared import BY_NAME
from pres_plugin.measures.parameters import TREC_EVAL_CUTOFF, TREC_EVAL_REL
from pres_plugin.measures.parsing import several

__all__ = ["check", "from_ranks", "parse", "read_all", "read_measure", "read_trec_name"]

_LIMITED = {parameter.name: parameter for parameter in (TREC_EVAL_CUTOFF, TREC_EVAL_REL)}


def read_measure(measure: Any) -> Any:
    """Return a measure as an object of ir-measures, after checking that it can be computed.

    Raises
    ------
    MeasureError
        If the measure is unknown, if a parameter is wrong or missing, or if no installed
        package computes the measure. The message begins with the measure.
    """
    return check(parse(measure), str(measure))


def parse(measure: Any) -> Any:
    """Return the ir-measures object for a measure, without checking that it can be computed.

    Raises
    ------
    MeasureError
        If the measure is unknown.
    """
    if isinstance(measure, ir_measures.Measure):
        return measure
    if isinstance(measure, str | Measure):
        return _from_string(str(measure))
    raise MeasureError(
        f"measure {measure!r:.60}: {type(measure).__name__} is not a measure; {_WRITTEN}"
    )


def read_all(measures: Any) -> list[Any]:
    """Read one or several measures; return each once, in the given order.

    Raises
    ------
    MeasureError
        If a measure is wrong, or none is given.
    """
    found = list(dict.fromkeys(map(read_measure, several(measures))))
    if not found:
        raise MeasureError("no measure is given; for instance 'PRES@100'")
    return found


def read_trec_name(name: str) -> list[Any]:
    """Return the measures with this trec_eval name, such as ``recall_100``.

    Raises
    ------
    MeasureError
        If the name is unknown, or one of the measures cannot be computed.
    """
    try:
        with redirect_stdout(sys.stderr):  # ir-measures prints the measures that it skips
            found = ir_measures.parse_trec_measure(name)
    except MeasureError:  # about our own measure, already worded for users
        raise
    except ValueError:
        raise MeasureError(f"measure {name!r}: {_UNKNOWN}") from None
    return [check(measure, name) for measure in found]


def check(measure: Any, written: str) -> Any:
    """Return the measure if it can be computed; errors refer to it as `written`.

    Raises
    ------
    MeasureError
        If a parameter is wrong or missing, or no installed package computes the measure.
    """
    try:
        _check_parameters(measure)
    except (AssertionError, TypeError, ValueError) as error:
        # Errors of our own measures already begin with the measure's name.
        problem = str(error).removeprefix(f"{measure.NAME}: ")
        raise MeasureError(f"measure {written!r}: {problem}") from None
    if not ir_measures.DefaultPipeline.supports(measure):
        raise MeasureError(
            f"measure {written!r}: no installed package computes it{_to_install(measure)}"
        )
    return measure


def from_ranks(measure: Any) -> Measure | None:
    """Return the measure of ours that computes this one from ranks, or None."""
    if isinstance(measure, Measure):
        ours = measure
    elif measure.NAME in BY_NAME:
        ours = BY_NAME[measure.NAME](**measure.params)
    else:
        return None
    return None if ours.judged_only else ours


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
    if not isinstance(measure, Measure):
        for name in _LIMITED.keys() & measure.params.keys():
            if problem := _LIMITED[name].problem(measure.params[name]):
                raise ValueError(f"{name} {problem}")
    measure.validate_params()


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
