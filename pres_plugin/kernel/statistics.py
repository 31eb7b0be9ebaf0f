"""The numbers per topic that formulas use, computed from the ranks of relevant documents found.

Each statistic is declared once. Arrays and dataframes compute it from its declaration.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class Statistic:
    """The sum or the maximum of one value per relevant document found; 0 if none was found."""

    #: Takes a document's rank and its position among the relevant documents found, both
    #: 1-based, as numbers, arrays or expressions. Returns the document's value.
    value: Callable[[Any, Any], Any]
    combine: Literal["sum", "max"] = "sum"
    #: Whether the value depends on the position; finding positions requires a sort.
    uses_position: bool = False
    #: Whether to count only the documents needed to reach the topic's :class:`.goal.Goal`.
    of_goal: bool = False
    #: Whether the values are whole numbers.
    is_whole: bool = True

    @property
    def needs_positions(self) -> bool:
        """Whether computing the statistic requires the positions of the documents."""
        return self.uses_position or self.of_goal


#: The statistics by name; a formula reads them as attributes of a topic.
STATISTICS = {
    "found": Statistic(lambda rank, position: 1),
    "rank_sum": Statistic(lambda rank, position: rank),
    "goal_found": Statistic(lambda rank, position: 1, of_goal=True),
    "goal_rank": Statistic(lambda rank, position: rank, combine="max", of_goal=True),
    "last_rank": Statistic(lambda rank, position: rank, combine="max"),
    "precision_sum": Statistic(
        lambda rank, position: position / rank, uses_position=True, is_whole=False
    ),
}
