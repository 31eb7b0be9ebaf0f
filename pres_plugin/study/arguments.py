"""Check the arguments of a study before anything is scored.

All studies raise a `InputError` for a wrong argument. This module imports ir-measures only
where it is needed, because its checks of numbers and names work without it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import islice
from numbers import Integral
from typing import Any, TypeVar

from pres_plugin.kernel import arguments
from pres_plugin.measures.parameters import LARGEST
from pres_plugin.measures.parsing import parse_all, parse_any
from pres_plugin.messages import InputError, problems_of

Run = Mapping[str, Mapping[str, float]]
"""A run: the score of each retrieved document, by topic and document."""

# The largest values of arguments. Memory and time grow with them, and nobody needs larger ones.

#: Values of Nmax in a sweep.
MOST_CUTOFFS = 10_000

#: Samples of the judgements, in total over all fractions.
MOST_SAMPLES = 10_000

#: A relevance level, which judgements store in 64 bits.
LARGEST_LEVEL = 2**63 - 1

#: A seed of random samples: 128 bits, as numpy recommends.
LARGEST_SEED = 2**128 - 1

#: Resamples for a confidence interval or a randomization test. With fewer than the smallest
#: number, the results depend too much on the seed.
FEWEST_RESAMPLES = 999
MOST_RESAMPLES = 100_000

_Number = TypeVar("_Number", int, float)


def checked_measures(asked: Any) -> list[Any]:
    """Return measures, given as strings or objects, as ours or ir-measures'; N may be missing."""
    with problems_of():
        return parse_all(asked, parse_any)


def ascending(
    name: str, values: Any, check: Callable[[str, Any], _Number], most: int
) -> tuple[_Number, ...]:
    """Return up to `most` values of an argument in ascending order, each checked and only once."""
    asked = list(islice(checked_items(f"{name}s", values), most + 1))
    if not 1 <= len(asked) <= most:
        raise InputError(f"at least one and at most {most} {name}s must be given")
    return tuple(sorted({check(f"a {name}", value) for value in asked}))


def whole(name: str, value: Any, least: int = 1, most: int = LARGEST) -> int:
    """Return a whole number in a range as an int."""
    with problems_of():
        return arguments.whole(name, value, least, most, kind=Integral)


def positive(name: str, value: Any, limit: int = 1, *, inclusive: bool = False) -> float:
    """Return a number above 0 and below a limit, or at most the limit, as a float."""
    with problems_of():
        return arguments.positive_number(name, value, limit, inclusive=inclusive)


#: Raise an InputError if a value is not one of several.
checked_choice: Callable[[str, Any, Collection[str]], str] = problems_of()(arguments.choice)


def checked_items(name: str, values: Any) -> Iterable[Any]:
    """Return the values of an argument; raise an InputError if it is a string or a single value."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InputError(f"{name} must be several values, such as a list, got {values!r:.60}")
    return values
