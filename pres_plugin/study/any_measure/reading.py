"""Read and check any measure of ir-measures, given as a string or an object.

ir-measures checks parameters only when it scores, with assertions that do not name the
measure. Some invalid values even make trec_eval end the process. This module rejects an
invalid measure before scoring, with an error that names it.
"""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

import ir_measures

from pres_plugin.measures import Measure, MeasureError
from pres_plugin.measures.declared import BY_LOWER_NAME, BY_NAME
from pres_plugin.measures.grammar import check_length
from pres_plugin.measures.parameters import TREC_EVAL_CUTOFF, TREC_EVAL_REL
from pres_plugin.remedy import quoted

_SYNTAX = "measures are written as PRES@100, AP, R@100 or nDCG@10"
# trec_eval assigns scores to wrong cutoffs beyond a C int.
_LIMITED = {"cutoff": replace(TREC_EVAL_CUTOFF, largest=2**31 - 1), "rel": TREC_EVAL_REL}


def read_measure(measure: Any) -> Any:
    """Return a measure as an object of ir-measures, after checking that it can be computed.

    Raise a MeasureError, whose message begins with the measure, if it is unknown, if a
    parameter is invalid or missing, or if no installed package computes the measure. N
    may be missing, because each topic may have a collection of its own.
    """
    return check(parse(measure), str(measure))


def provider_of(measure: Any, given: str) -> Any:
    """Return the provider that computes a measure in ir-measures; errors name it as `given`.

    Raise a MeasureError if there is none, or if its package cannot be imported.
    """
    missing = []
    for provider in ir_measures.DefaultPipeline.providers:
        if provider.supports(measure):
            try:
                available = provider.is_available()
            except Exception as error:  # ir-measures handles only a missing package
                raise MeasureError(
                    f"measure {quoted(given)}: {provider.NAME}, which computes it, cannot "
                    f"be imported ({type(error).__name__}: {error!s:.200})"
                ) from error
            if available:
                return provider
            missing.append(provider.install_instructions() or provider.NAME)
    needed = f"; it needs {' or '.join(missing)}" if missing else ""
    raise MeasureError(f"measure {quoted(given)}: no installed package computes it{needed}")


def parse(measure: Any) -> Any:
    """Return a measure as an object of ir-measures, without checking that it can be computed."""
    if isinstance(measure, ir_measures.Measure):
        return measure
    if not isinstance(measure, str | Measure):
        raise MeasureError(
            f"measure {measure!r:.60}: {type(measure).__name__} is not a measure; {_SYNTAX}"
        )
    text = str(measure)
    check_length(text)
    try:
        return ir_measures.parse_measure(text)
    except NameError:
        raise _unknown(text) from None
    except (TypeError, ValueError, RecursionError, MemoryError) as error:
        # Messages about our measures already begin with the name.
        problem = str(error).removeprefix(f"{re.split('[(@]', text)[0]}: ")
        if problem.startswith("problem parsing"):
            problem = f"it cannot be read; {_SYNTAX}{_instead_of(text)}"
        raise MeasureError(f"measure {quoted(text)}: {problem}") from None


def _instead_of(text: str) -> str:
    """Return how to write measures that are separated by commas or are written as in ranx."""
    if "," in re.sub(r"\(.*?\)", "", text):
        return "; separate measures with blanks, without commas"
    measure = BY_LOWER_NAME.get(text.partition(".")[0])
    return f"; write this one as {measure.declaration.example}" if measure else ""


def read_trec_name(name: str) -> list[Any]:
    """Return the measures with this trec_eval name, such as ``recall.100,1000``."""
    check_length(name)
    try:
        found = _of_trec_name(name)
    except MeasureError:  # for our measures, the message is already complete
        raise
    except ValueError:
        raise _unknown(name) from None
    except Exception as error:  # pytrec_eval, which lists the names, may fail to be imported
        raise MeasureError(
            f"measure {quoted(name)} cannot be read ({type(error).__name__}: {error!s:.200})"
        ) from error
    return [check(measure, name) for measure in found]


def _of_trec_name(name: str) -> list[Any]:
    """Read one name, or the supported names of a group such as ``official``.

    ir-measures reads groups, too, but prints what it skips to standard output, among the scores.
    """
    import pytrec_eval

    if name not in pytrec_eval.supported_nicknames:
        return list(ir_measures.parse_trec_measure(name))
    found, skipped = [], []
    for each in sorted(pytrec_eval.supported_nicknames[name] - {"runid"}):
        try:
            found += ir_measures.parse_trec_measure(each)
        except ValueError:
            skipped.append(each)
    if skipped:
        print(f"{name}: ir-measures lacks {', '.join(skipped)}", file=sys.stderr)
    return found


def check(measure: Any, given: str) -> Any:
    """Return the measure if it can be computed; error messages name it as `given`."""
    checked = measure.with_any_size() if isinstance(measure, Measure) else measure
    try:
        _check_parameters(checked)
    except (AssertionError, TypeError, ValueError) as error:
        # Messages about our measures already begin with the name.
        problem = str(error).removeprefix(f"{measure.NAME}: ")
        raise MeasureError(f"measure {quoted(given)}: {problem}") from None
    provider_of(checked, given)
    return measure


def _unknown(measure: str) -> MeasureError:
    name = re.split(r"\W", measure, maxsplit=1)[0]
    names = [*BY_NAME, *ir_measures.measures.registry]
    known = {each.lower(): each for each in reversed(names)}
    similar = get_close_matches(name.lower(), known, n=1)
    hint = f" (did you mean {known[similar[0]]}{measure[len(name) :]}?)" if similar else ""
    return MeasureError(f"measure {quoted(measure)} is unknown{hint}; {_SYNTAX}")


def _check_parameters(measure: Any) -> None:
    for name, info in measure.SUPPORTED_PARAMS.items():
        if info.required and name not in measure.params:
            example = f"; write {measure.NAME}@100" if name == "cutoff" else ""
            raise ValueError(f"{name} is missing{example}")
    if not isinstance(measure, Measure):
        for name in _LIMITED.keys() & measure.params.keys():
            _LIMITED[name].read(measure.params[name])
    measure.validate_params()
