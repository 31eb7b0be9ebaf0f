"""The target recall, for measures of the effort that it takes."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

if TYPE_CHECKING:
    from fractions import Fraction

#: How to turn a fraction of the relevant documents into a number of documents.
Rounding = Literal["up", "nearest"]
ROUNDINGS: tuple[Rounding, ...] = get_args(Rounding)


class Goal(NamedTuple):
    """Find a fraction of a topic's relevant documents: R·n of them, rounded, and at least one."""

    #: The fraction R: above 0, at most 1.
    recall: float = 0.95
    #: 'up', so that recall R is reached, or 'nearest', as Python's `round` does: halves to even.
    rounding: Rounding = "up"

    def includes(self, position: Any, n: Any) -> Any:
        """Return whether the goal includes finding this many of `n` relevant documents.

        `position` is the 1-based position of a document among the relevant ones found. Both
        may be integers, arrays or expressions of a dataframe library.
        """
        if self.rounding == "up":
            # Compute with whole numbers: as floats, 0.55 * 100 is slightly above 55, and would be
            # rounded up to 56.
            recall = _fraction(self.recall)
            needed = (position - 1) * recall.denominator < n * recall.numerator
        else:
            exactly, half_below = n * self.recall, position - 0.5
            to_even = (half_below == exactly) & (position % 2 == 0)
            needed = (half_below < exactly) | to_even
        return (position == 1) | needed


@cache
def _fraction(recall: float) -> Fraction:
    """Return the simple fraction that a float approximates, such as 19/20 for 0.95."""
    # Imported only here: the module is slow to import, and few measures need it.
    from fractions import Fraction

    return Fraction(str(recall)).limit_denominator(10**6)


#: Find 95 % of the relevant documents, rounded up.
USUAL_GOAL = Goal()
