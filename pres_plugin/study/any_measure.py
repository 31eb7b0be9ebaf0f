"""Read any measure of ir-measures, given as a string or an object, and score runs with it.

ir-measures checks a measure only when it scores, with assertions that do not name it. This
module does so before files are read, and names the measure. Errors of its providers are passed
on, with the measures that they compute.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

import ir_measures

from pres_plugin.measures.declared import BY_LOWER_NAME, BY_NAME
from pres_plugin.measures.grammar import check_length
from pres_plugin.measures.parameters import CUTOFF, MeasureError
from pres_plugin.measures.parsing import parse_sized
from pres_plugin.remedy import quoted, some
from pres_plugin.study.provider_limits import Topics, check_ids, check_judgements

_SYNTAX = "measures are written as PRES@100, AP, R@100 or nDCG@10"

# trec_eval ends the process at a cutoff of 0, and assigns scores to wrong cutoffs beyond a C int.
_CUTOFF = replace(CUTOFF, largest=2**31 - 1)


class Evaluator:
    """Scores runs by any checked measures, with the same judgements for all.

    Judgements and runs are dicts whose ids and values have been checked. Raise a ValueError that
    names the measures if a provider of ir-measures fails.
    """

    def __init__(self, measures: Iterable[Any], qrels: Topics) -> None:
        # ir-measures' pipeline passes sets of measures. The score of NumRet beside measures with
        # judged_only depends on their order, which differs between processes.
        groups: dict[Any, list[Any]] = {}
        for measure in measures:
            groups.setdefault(_provider_of(measure), []).append(measure)
        plain = _plain(qrels, int)
        self._topics = qrels
        self._evaluators = []
        for provider, group in groups.items():
            with _naming(provider, group):
                check_judgements(provider.NAME, group, plain)
                evaluator = provider.evaluator(group, plain)
            evaluator.warns = False  # our evaluator would repeat the study's warnings
            self._evaluators.append((provider, group, evaluator))

    def calc(self, run: Topics) -> Any:
        """Return the means of a run, and its score on each topic, as ir-measures' CalcResults."""
        means: dict[Any, Any] = {}
        scores: list[Any] = []
        # Some providers fail for topics that are not judged or contain no documents. Such
        # topics do not change any score.
        taken = {t: docs for t, docs in run.items() if docs and t in self._topics}
        plain = _plain(taken, float)
        for provider, group, evaluator in self._evaluators:
            with _naming(provider, group):
                check_ids(provider.NAME, plain)
                found = evaluator.calc(plain)
            means |= found.aggregated
            scores += found.per_query
        return ir_measures.CalcResults(means, scores)


def _provider_of(measure: Any) -> Any:
    """Return the provider that computes a measure in ir-measures, or raise a MeasureError."""
    able = [each for each in ir_measures.DefaultPipeline.providers if each.supports(measure)]
    for provider in able:
        if provider.is_available():
            return provider
    needed = " or ".join(each.install_instructions() or each.NAME for each in able)
    advice = f"; it needs {needed}" if needed else ""
    raise MeasureError(f"no installed package computes it{advice}")


def _plain(topics: Topics, kind: type) -> Topics:
    """Return dicts with Python's own numbers; pytrec_eval rejects others."""
    return {
        topic: docs
        if isinstance(docs, dict) and set(map(type, docs.values())) <= {kind}
        else {doc_id: kind(value) for doc_id, value in docs.items()}
        for topic, docs in topics.items()
    }


@contextmanager
def _naming(provider: Any, measures: list[Any]) -> Iterator[None]:
    """Re-raise an error as a ValueError that names the provider and its measures."""
    try:
        yield
    except Exception as error:  # providers raise errors of any class
        names = some(list(map(str, measures)))
        problem = f"{type(error).__name__}: {error}"
        raise ValueError(f"{provider.NAME} cannot compute {names} ({problem:.300})") from error


def read_measure(measure: Any) -> Any:
    """Return a measure as an object of ir-measures, after checking that it can be computed.

    Raise a MeasureError, whose message begins with the measure, if it is unknown, if a
    parameter is invalid or missing, or if no installed package computes the measure. N
    may be missing, because each topic may have a collection of its own.
    """
    return check(parse(measure), str(measure))


def parse(measure: Any) -> Any:
    """Return a measure as an object of ir-measures, without checking that it can be computed."""
    if isinstance(measure, ir_measures.Measure):
        return measure
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
        # ir-measures prints which measures of a group it skips, among the scores.
        with redirect_stdout(sys.stderr):
            found = ir_measures.parse_trec_measure(name)
    except MeasureError:  # for our measures, the message is already complete
        raise
    except ValueError:
        raise _unknown(name) from None
    return [check(measure, name) for measure in found]


def check(measure: Any, given: str) -> Any:
    """Return the measure if it can be computed; error messages name it as `given`."""
    try:
        if ours := BY_NAME.get(measure.NAME):
            parse_sized(ours(**measure.params))
        else:
            _check_parameters(measure)
            _provider_of(measure)
            hash(measure)  # a TypeError if gains cannot be sorted
    except Exception as error:  # packages that ir-measures imports may raise errors of any class
        # Messages about our measures already begin with the name.
        problem = str(error).removeprefix(f"{measure.NAME}: ")
        raise MeasureError(f"measure {quoted(given)}: {problem}") from error
    return measure


def _check_parameters(measure: Any) -> None:
    """Raise a ValueError if ir-measures would not name the parameter, or score wrongly."""
    for name, info in measure.SUPPORTED_PARAMS.items():
        if info.required and name not in measure.params:
            raise ValueError(f"{name} is missing; {_SYNTAX}")
    if "cutoff" in measure.params:
        _CUTOFF.read(measure.params["cutoff"])


def _unknown(measure: str) -> MeasureError:
    name = re.split(r"\W", measure, maxsplit=1)[0]
    names = [*BY_NAME, *ir_measures.measures.registry]
    known = {each.lower(): each for each in reversed(names)}
    similar = get_close_matches(name.lower(), known, n=1)
    hint = f" (did you mean {known[similar[0]]}{measure[len(name) :]}?)" if similar else ""
    return MeasureError(f"measure {quoted(measure)} is unknown{hint}; {_SYNTAX}")
