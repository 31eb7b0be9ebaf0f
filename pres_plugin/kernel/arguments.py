"""Check the arguments of the functions that score one topic."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import pairwise
from numbers import Real
from typing import Any, NamedTuple


class RankedTopic(NamedTuple):
    """The number of relevant documents of a topic, and the ranks of those that were retrieved."""

    n: int
    ranks: list[int]

    def found(self, n_max: int | None) -> list[int]:
        """Return the ranks up to a cutoff, which is checked; None means all ranks."""
        last = math.inf if n_max is None else positive("n_max", n_max)
        return [rank for rank in self.ranks if rank <= last]


def ranked_topic(ranks: Iterable[int], n_relevant: int) -> RankedTopic:
    """Check the ranks and the number of relevant documents of a topic."""
    n = whole("n_relevant", n_relevant, least=0)
    checked = [positive("each rank in ranks", rank) for rank in ranks]
    for rank, next_rank in pairwise(sorted(checked)):
        if rank == next_rank:
            raise ValueError(f"ranks contains rank {rank} more than once")
    if len(checked) > n:
        raise ValueError(f"ranks contains {len(checked)} ranks, but n_relevant is {n}")
    return RankedTopic(n, checked)


def check_collection_size(topic: RankedTopic, n_docs: int) -> None:
    """Raise a ValueError if the collection is too small for a topic."""
    if n_docs < topic.n:
        raise ValueError(f"n_docs is {n_docs}, below n_relevant, which is {topic.n}")
    last = max(topic.ranks, default=0)
    if n_docs < last:
        raise ValueError(f"n_docs is {n_docs}, below the rank {last} in ranks")
    not_retrieved = topic.n - len(topic.ranks)
    if n_docs < last + not_retrieved:
        raise ValueError(
            f"n_docs is {n_docs}, but the collection has at least {last + not_retrieved} "
            f"documents: {last} retrieved, and {not_retrieved} relevant but not in ranks"
        )


def is_bool(value: Any) -> bool:
    """Return whether a value is a bool of Python or numpy, without importing numpy."""
    return type(value).__name__ in ("bool", "bool_")


def positive(name: str, value: Any) -> int:
    """Return a whole number of at least 1 as an int."""
    return whole(name, value)


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


def positive_number(name: str, value: Any, limit: int = 1, *, inclusive: bool = True) -> float:
    """Return a number above 0 and at most a limit, or below it, as a float."""
    is_real = isinstance(value, Real) and not is_bool(value)
    if is_real and 0 < value <= limit and (inclusive or value < limit):
        return float(value)
    below = "at most" if inclusive else "below"
    raise ValueError(f"{name} must be above 0 and {below} {limit}, got {value!r:.60}")


def number(name: str, value: Any, at_most: float = math.inf) -> float:
    """Return a finite number of at least 0 as a float."""
    if isinstance(value, Real):
        number = float(value)
        if 0 <= number <= at_most and math.isfinite(number):
            return number
    limit = (
        "finite number of at least 0" if math.isinf(at_most) else f"number from 0 to {at_most:g}"
    )
    raise ValueError(f"{name} must be a {limit}, got {value!r}")
