"""Check the arguments of a study before anything is scored.

All studies raise a :class:`StudyError` for a wrong argument.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from numbers import Integral, Real
from typing import Any, TypeVar

from pres_plugin.adapters.ir_measures import any_measure
from pres_plugin.adapters.ir_measures.native.inputs import qrels_dicts, run_dicts
from pres_plugin.measures import MeasureError
from pres_plugin.measures.parameters import LARGEST
from pres_plugin.measures.parsing import several
from pres_plugin.ranking.inputs import Judgements, check_scores, check_topics
from pres_plugin.remedy import RemediedError

__all__ = [
    "Qrels",
    "Runs",
    "StudyError",
    "choice",
    "items",
    "judgements",
    "measures",
    "n_max",
    "named",
    "named_runs",
    "problems_of",
    "real",
    "swept_measures",
    "whole",
]

Qrels = Mapping[str, Mapping[str, int]]
Run = Mapping[str, Mapping[str, float]]
Runs = Mapping[str, Run] | Iterable[tuple[str, Run]]
_Run = TypeVar("_Run")


class StudyError(RemediedError):
    """A study cannot be carried out; the message says why."""


@contextmanager
def problems_of(what: str | None = None) -> Iterator[None]:
    """Raise a StudyError for an error in a run or in the judgements, which `what` names."""
    try:
        yield
    except StudyError:
        raise
    except (TypeError, ValueError, RuntimeError) as error:
        raise StudyError(str(error) if what is None else f"{what}: {error}") from error


def judgements(qrels: Any) -> Qrels:
    """Return judgements as a dict of dicts.

    Raises
    ------
    StudyError
        If there are none, or an id or relevance is wrong.
    """
    with problems_of("qrels"):
        found: Qrels = qrels if isinstance(qrels, Mapping) else qrels_dicts(qrels)
        Judgements(found)
        if not found:
            raise ValueError("there are no judgements")
    return found


def named(runs: Mapping[str, _Run] | Iterable[tuple[str, _Run]]) -> Iterator[tuple[str, _Run]]:
    """Yield pairs of name and run, one at a time.

    Raises
    ------
    StudyError
        If two runs have the same name, if there are no runs, or if `runs` contains
        anything but pairs.
    """
    seen = set()
    for pair in runs.items() if isinstance(runs, Mapping) else items("runs", runs):
        if not (isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[0], str)):
            raise StudyError(
                f"runs must be a dict of name to run, or pairs of name and run; got {pair!r:.60}"
            )
        name, run = pair
        if name in seen:
            raise StudyError(f"two runs are called {name}; results could not tell them apart")
        seen.add(name)
        yield name, run
    if not seen:
        raise StudyError("no run is given")


def named_runs(runs: Runs, qrels: Qrels, *, check: bool = False) -> Iterator[tuple[str, Run]]:
    """Yield the name of each run, and the run as a dict of dicts, one at a time.

    Parameters
    ----------
    runs : dict of str to run, or iterable of (str, run)
        The runs, as given to the study.
    qrels : dict of dict
        The judgements.
    check : bool, default False
        Whether to check documents and scores too. Not needed if scoring checks them.

    Raises
    ------
    StudyError
        As :func:`named` does, and if a run is not a dict of dicts by topic, has no
        topic in common with the judgements, or does not pass the check.
    """
    for name, run in named(runs):
        with problems_of(name):
            found = run if isinstance(run, Mapping) else run_dicts(run)
            if check:
                check_scores(found)
            else:
                check_topics(found, "score")
            if found and found.keys().isdisjoint(qrels):
                raise ValueError(
                    "no topic in common with the qrels; "
                    f"it has {some(found)}, the qrels have {some(qrels)}"
                )
        yield name, found


def some(topics: Collection[str], at_most: int = 3) -> str:
    """Return the first few topics, for messages."""
    shown = ", ".join(map(str, list(topics)[:at_most]))
    return shown if len(topics) <= at_most else f"{shown}, …"


def measures(asked: Any) -> list[Any]:
    """Return measures of ir-measures, from objects or strings; each once, in order.

    Raises
    ------
    StudyError
        If there are no measures, or one cannot be computed.
    """
    with problems_of():
        return any_measure.read_all(asked)


def swept_measures(asked: Any, cutoff: int) -> list[Any]:
    """Return measures without a cutoff, after checking that they can be computed at this one.

    Raises
    ------
    StudyError
        If there are no measures, or if one has a cutoff, takes none or cannot be computed.
    """
    found: dict[Any, None] = {}
    with problems_of():
        for written in several(asked):
            measure = any_measure.parse(written)
            if "cutoff" in measure.params:
                raise MeasureError(
                    f"measure '{written}': a sweep sets the cutoff itself; leave it out"
                )
            if "cutoff" not in measure.SUPPORTED_PARAMS:
                raise MeasureError(f"measure '{written}': it takes no cutoff that could be swept")
            any_measure.check(measure(cutoff=cutoff), str(written))
            found[measure] = None
    if not found:
        raise StudyError("no measure is given; for instance 'PRES'")
    return list(found)


def n_max(name: str, value: Any) -> int:
    """Return a value of Nmax as an int."""
    return whole(name, value, 1, LARGEST)


def whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    """Return a whole number as an int.

    Raises
    ------
    StudyError
        If it is not a whole number, or out of range.
    """
    expected = "a positive whole number" if least == 1 else f"a whole number of at least {least}"
    if isinstance(value, Integral) and not isinstance(value, bool):
        number = int(value)
        if most is not None and number > most:
            expected += f" up to {most}"
        elif number >= least:
            return number
    raise StudyError(f"{name} must be {expected}, got {value!r:.60}")


def real(name: str, value: Any, *, above: float, below: float, inclusive: bool = False) -> float:
    """Return a number in a range as a float; with `inclusive`, it may equal `below`.

    Raises
    ------
    StudyError
        If it is not a number, is NaN, or is out of range.
    """
    if isinstance(value, Real) and not isinstance(value, bool):
        number = float(value)
        if above < number < below or (inclusive and number == below):
            return number
    limits = f"above {above:g} and {'at most' if inclusive else 'below'} {below:g}"
    raise StudyError(f"{name} must be {limits}, got {value!r:.60}")


def choice(name: str, value: Any, choices: Collection[str]) -> str:
    """Return `value` if it is one of these.

    Raises
    ------
    StudyError
        If it is not.
    """
    if not isinstance(value, str) or value not in choices:
        raise StudyError(f"{name} must be {' or '.join(map(repr, choices))}, got {value!r:.60}")
    return value


def items(name: str, values: Any) -> Iterator[Any]:
    """Return an iterator over `values`.

    Raises
    ------
    StudyError
        If they are a string, or cannot be iterated over.
    """
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise StudyError(f"{name} must be several values, such as a list, got {values!r:.60}")
    return iter(values)
