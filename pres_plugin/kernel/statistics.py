"""What scores depend on: a few numbers per topic, from the ranks of the relevant documents found.

Each statistic is declared once. Arrays and dataframes compute it from its declaration.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

__all__ = ["STATISTICS", "Statistic"]


@dataclass(frozen=True)
class Statistic:
    """A number per topic, combined from one value per relevant document found.

    Attributes
    ----------
    value : callable
        Takes a document's rank and its position among the relevant documents found,
        both 1-based, as numbers, arrays or expressions; returns the document's value.
    combine : {'sum', 'max'}
        How to combine the values; a topic without values gets 0.
    uses_position : bool
        Whether the value depends on the position, which takes a sort to find.
    is_whole : bool
        Whether the values are whole numbers.
    """

    value: Callable[[Any, Any], Any]
    combine: Literal["sum", "max"] = "sum"
    uses_position: bool = False
    is_whole: bool = True


#: The statistics by name; a formula reads them as attributes of a topic.
STATISTICS = {
    "found": Statistic(lambda rank, position: 1),
    "rank_sum": Statistic(lambda rank, position: rank),
    "precision_sum": Statistic(
        lambda rank, position: position / rank, uses_position=True, is_whole=False
    ),
}
