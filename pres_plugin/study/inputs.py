"""Check the arguments of a study before anything is scored.

All studies raise a :class:`StudyError` for a wrong argument. This module imports ir-measures only
where it is needed, because comparing scores from files works without it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from itertools import islice
from numbers import Integral, Real
from typing import Any, TypeVar

from pres_plugin.measures import Measure, MeasureError
from pres_plugin.measures.parameters import LARGEST
from pres_plugin.measures.parsing import several
from pres_plugin.ranking.inputs import Judgements, check_scores, check_topics
from pres_plugin.remedy import RemediedError, no_common_topic, some

Qrels = Mapping[str, Mapping[str, int]]
"""Judgements: the relevance of each judged document, by topic and document."""

Run = Mapping[str, Mapping[str, float]]

Runs = Mapping[str, Run] | Iterable[tuple[str, Run]]
"""Named runs: a mapping, or an iterable of pairs of name and run.

A run contains the score of each retrieved document, by topic and document.
"""

_Number = TypeVar("_Number", int, float)


class StudyError(RemediedError):
    """A study cannot be carried out; the message says why."""


@contextmanager
def problems_of(what: str | None = None) -> Iterator[None]:
    """Turn errors into StudyErrors whose messages begin with `what`: a run, or the qrels."""
    try:
        yield
    except StudyError:
        raise
    except (TypeError, ValueError, RuntimeError) as error:
        from pres_plugin.adapters.ir_measures.scoring import ProviderError

        # A ProviderError is about a measure, so its message does not name the run or the qrels.
        if what is None or isinstance(error, ProviderError):
            raise StudyError(str(error)) from error
        raise StudyError(f"{what}: {error}") from error


def checked_qrels(qrels: Any) -> Qrels:
    """Return judgements as a dict of dicts."""
    from pres_plugin.adapters.ir_measures.native.inputs import qrels_dicts

    with problems_of("qrels"):
        found: Qrels = qrels if isinstance(qrels, Mapping) else qrels_dicts(qrels)
        Judgements(found)
        if not found:
            raise ValueError("there are no judgements")
        for topic, docs in found.items():
            _check_unicode(topic, docs)
    return found


def _check_unicode(topic: str, docs: Iterable[str]) -> None:
    """Raise a ValueError if an id cannot be written in UTF-8, as tables and seeds require."""
    try:
        "".join((topic, *docs)).encode()
    except UnicodeEncodeError as error:
        wrong = next(each for each in (topic, *docs) if error.object[error.start] in each)
        raise ValueError(
            f"topic {topic!r}: the id {wrong!r} cannot be written in UTF-8; remove the surrogates "
            "from the ids"
        ) from None


def named_runs(runs: Runs, qrels: Qrels, *, check: bool = False) -> Iterator[tuple[str, Run]]:
    """Yield the name of each run, and the run as a dict of dicts, one at a time.

    With `check`, documents and scores are checked too. Our measures check them while scoring.
    """
    from pres_plugin.adapters.ir_measures.native.inputs import run_dicts

    seen = set()
    for pair in runs.items() if isinstance(runs, Mapping) else checked_items("runs", runs):
        if not (isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[0], str)):
            raise StudyError(
                f"runs must be a dict of name to run, or pairs of name and run; got {pair!r:.60}"
            )
        name, run = pair
        if name in seen:
            raise StudyError(f"two runs are called {name}; give each run its own name")
        seen.add(name)
        with problems_of(name):
            found = run if isinstance(run, Mapping) else run_dicts(run)
            if check:
                check_scores(found)
            else:
                check_topics(found, "score")
            if found and (problem := no_common_topic(found, qrels)):
                raise ValueError(problem)
        yield name, found
    if not seen:
        raise StudyError("no run is given")


def checked_measures(asked: Any) -> list[Any]:
    """Return measures, given as strings or objects, as objects of ir-measures, each once."""
    from pres_plugin.adapters.ir_measures.any_measure import read_all

    with problems_of():
        return read_all(asked)


def all_from_ranks(measures: Collection[Any]) -> dict[Any, Measure]:
    """Map each measure to ours; return an empty dict if any of them needs more than ranks."""
    from pres_plugin.adapters.ir_measures.any_measure import ours_from_ranks

    ours = ours_from_ranks(measures)
    return ours if ours.keys() == set(measures) else {}


def swept_measures(asked: Any, cutoff: int) -> list[Any]:
    """Return measures without a cutoff, after checking that they can be computed at this one."""
    from pres_plugin.adapters.ir_measures import any_measure

    found: dict[Any, None] = {}
    with problems_of():
        for written in several(asked):
            measure = any_measure.parse(written)
            if "cutoff" in measure.params:
                raise MeasureError(
                    f"measure '{written}': a sweep sets the cutoff itself; leave it out"
                )
            if "cutoff" not in measure.SUPPORTED_PARAMS:
                raise MeasureError(
                    f"measure '{written}': it does not accept a cutoff, "
                    "so it is the same at every Nmax"
                )
            any_measure.check(measure(cutoff=cutoff), str(written))
            found[measure] = None
    if not found:
        raise StudyError("no measure is given; for instance 'PRES'")
    return list(found)


def ascending(
    name: str, values: Any, check: Callable[[str, Any], _Number], most: int
) -> tuple[_Number, ...]:
    """Return up to `most` values of an argument in ascending order, each checked and only once."""
    asked = list(islice(checked_items(f"{name}s", values), most + 1))
    if len(asked) > most:
        raise StudyError(f"at most {most} {name}s can be given")
    found = sorted({check(f"a {name}", value) for value in asked})
    if not found:
        raise StudyError(f"no {name} is given")
    return tuple(found)


def checked_n_max(name: str, value: Any) -> int:
    """Return a value of Nmax as an int."""
    return whole(name, value, 1, LARGEST)


def whole(name: str, value: Any, least: int, most: float = math.inf) -> int:
    """Return a whole number in a range as an int."""
    expected = "a positive whole number" if least == 1 else f"a whole number of at least {least}"
    if isinstance(value, Integral) and not isinstance(value, bool):
        if least <= int(value) <= most:
            return int(value)
        if int(value) > most:
            expected += f" up to {most}"
    raise StudyError(f"{name} must be {expected}, got {value!r:.60}")


def real(name: str, value: Any, *, above: float, below: float, inclusive: bool = False) -> float:
    """Return a number in a range as a float; with `inclusive`, it may equal `below`."""
    if isinstance(value, Real) and not isinstance(value, bool):
        number = float(value)
        if above < number < below or (inclusive and number == below):
            return number
    limits = f"above {above:g} and {'at most' if inclusive else 'below'} {below:g}"
    raise StudyError(f"{name} must be {limits}, got {value!r:.60}")


def checked_choice(name: str, value: Any, choices: Collection[str]) -> None:
    """Raise a StudyError if `value` is not one of these."""
    if not isinstance(value, str) or value not in choices:
        raise StudyError(f"{name} must be {' or '.join(map(repr, choices))}, got {value!r:.60}")


def check_known(what: str, value: Any, names: Collection[Any], of_what: str) -> None:
    """Raise a StudyError if a name, such as a baseline's, is not among those of `of_what`."""
    if isinstance(value, str) and value in names:
        return
    problem = f"{what} {value!r:.60} is not among the {of_what} ({some(names)})"
    similar = get_close_matches(str(value), map(str, names), n=1)
    raise StudyError(problem + (f"; did you mean {similar[0]!r}?" if similar else ""))


def checked_items(name: str, values: Any) -> Iterable[Any]:
    """Return the values of an argument; raise a StudyError if it is a string or a single value."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise StudyError(f"{name} must be several values, such as a list, got {values!r:.60}")
    return values
