"""Measures as users of the command write them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from contextlib import redirect_stdout
from numbers import Integral
from typing import Any

import click

import pres_plugin  # noqa: F401 (adds its measures to those that ir-measures can parse)

__all__ = ["parse_measures", "split_measures"]


def parse_measures(texts: Iterable[str]) -> list[Any]:
    """The measures named, each once, in order.

    Parameters
    ----------
    texts : iterable of str
        Each one or several measures with blanks between.

    Returns
    -------
    list of ir_measures.Measure

    Raises
    ------
    click.ClickException
        If there is no such measure, or it cannot be computed with these parameters.
    """
    measures: dict[Any, None] = {}
    for name in split_measures(texts):
        measures.update(dict.fromkeys(_checked(name, m) for m in _parsed(name)))
    if not measures:
        raise click.ClickException("no measure is given; for instance -m PRES@100")
    return list(measures)


def split_measures(texts: Iterable[str]) -> list[str]:
    """The names of measures in texts that hold one or several, with blanks between."""
    # Blanks between parentheses belong to a measure.
    return [name for text in texts for name in re.findall(r"(?:\([^)]*\)|\S)+", text)]


def _parsed(name: str) -> list[Any]:
    import ir_measures  # takes longer than to score a run of our measures, without it

    try:
        return [ir_measures.parse_measure(name)]
    except NameError:
        problem = _UNKNOWN
    except (TypeError, ValueError) as error:
        problem = str(error)
    if re.fullmatch(r"\w+(\.[\d.,]+|,[\d.,]+)?", name):
        try:
            with redirect_stdout(sys.stderr):  # where it tells of what it leaves out
                return list(ir_measures.parse_trec_measure(name))
        except ValueError:
            problem = _UNKNOWN
    raise _error(name, problem)


def _checked(name: str, measure: Any) -> Any:
    """The measure, if it can be computed.

    ir-measures' own fail assertions, or let trec_eval end the process.
    """
    for param in measure.params:
        if param not in measure.SUPPORTED_PARAMS:
            raise _error(
                name, f"no parameter {param!r}, only {', '.join(measure.SUPPORTED_PARAMS)}"
            )
    for param, info in measure.SUPPORTED_PARAMS.items():
        if info.required and param not in measure.params:
            raise _error(name, f"{param} is missing")
    for param in ("cutoff", "rel"):
        value = measure.params.get(param, 1)
        if not isinstance(value, Integral) or isinstance(value, bool) or value < 1:
            raise _error(name, f"{param} takes a positive whole number, got {value!r}")
    try:
        measure.validate_params()
    except (AssertionError, TypeError, ValueError) as error:
        raise _error(name, str(error)) from None
    return measure


_UNKNOWN = "unknown; measures are written as PRES@100, AP, R@100 or nDCG@10"


def _error(name: str, problem: str) -> click.ClickException:
    # Problems of our own measures begin with the measure.
    return click.ClickException(
        f"measure {name!r}: {problem.removeprefix(name.split('@')[0] + ': ')}"
    )
