"""Check single values. Each function returns the value, or raises a ValueError that names it."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from numbers import Real
from typing import Any


def is_bool(value: Any) -> bool:
    """Return whether a value is a bool of Python or numpy, without importing numpy."""
    return type(value).__name__ in ("bool", "bool_")


def whole(
    name: str, value: Any, least: int = 1, most: float = math.inf, kind: type = object
) -> int:
    """Return a whole number in a range as an int; it may be of any numeric type of this kind.

    The error message states the limits only as far as they matter for the value.
    """
    expected = "positive whole number" if least == 1 else f"whole number of at least {least}"
    try:
        number = int(value)
        if number == value and isinstance(value, kind) and not is_bool(value):
            if least <= number <= most:
                return number
            if number > most:
                expected = f"whole number from {least} to {most}"
    except (TypeError, ValueError, OverflowError):  # not a number, NaN or infinite
        pass
    raise ValueError(f"{name} must be a {expected}, got {value!r:.60}")


def check_ids(ranking: Any, relevant: Any) -> None:
    """Raise a TypeError for a ranking without an order, and for a string of relevant documents."""
    if isinstance(ranking, Mapping | set | frozenset | str | bytes):
        raise TypeError(
            f"ranking must be a list of document ids, best first, got {ranking!r:.60}; for a dict "
            "of scores, pass sorted(run, key=run.get, reverse=True)"
        )
    if isinstance(relevant, str | bytes):
        raise TypeError(f"relevant must contain document ids, got the string {relevant!r:.60}")


def number(name: str, value: Any, expected: str, accepts: Callable[[Any], bool]) -> float:
    """Return a real number as a float. The error message describes it as `expected`."""
    if isinstance(value, Real) and not is_bool(value) and accepts(value):
        return float(value)
    raise ValueError(f"{name} must be {expected}, got {value!r:.60}")


def positive_number(name: str, value: Any, limit: int = 1, *, inclusive: bool = True) -> float:
    """Return a number above 0 and at most a limit, or below it, as a float."""
    expected = f"above 0 and {'at most' if inclusive else 'below'} {limit}"
    return number(name, value, expected, lambda it: 0 < it <= limit and (inclusive or it < limit))


def choice(name: str, value: Any, choices: Collection[str]) -> str:
    """Return one of several strings."""
    if isinstance(value, str) and value in choices:
        return value
    raise ValueError(f"{name} must be {' or '.join(map(repr, choices))}, got {value!r:.60}")
