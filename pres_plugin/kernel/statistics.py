"""The numbers per topic that formulas use, computed from the ranks of relevant documents found.

Each statistic is declared once. One topic, arrays and dataframes compute it from its declaration.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from pres_plugin.kernel.goal import USUAL_GOAL, Goal


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


class TopicValues:
    """What a formula uses: numbers, arrays with one element per topic, or expressions on columns.

    Attributes
    ----------
    n
        The number of relevant documents, at least 1.
    n_max
        The cutoff, or None.
    n_docs
        The size of the collection, at least 1, or None.
    goal : Goal
        The target recall.
    found, rank_sum, ...
        Each of :data:`STATISTICS`.
    minimum, where : callable
        Functions that work like numpy's.
    """

    def __init__(self, ranks: Any, n_max: Any, n_docs: Any, goal: Goal) -> None:
        self._ranks = ranks
        # Avoid dividing by zero; score() then sets the score of these topics to 0.
        self.n: Any = ranks.maximum(ranks.n, 1)
        self.n_max = n_max
        self.n_docs: Any = None if n_docs is None else ranks.maximum(n_docs, 1)
        self.goal = goal
        self.minimum: Any = ranks.minimum
        self.where: Any = ranks.where

    def __getattr__(self, name: str) -> Any:
        return self._ranks.statistic(name, self.n_max, self.goal)


#: A function that returns the score of a topic with relevant documents, given its
#: :class:`TopicValues`. It uses only ``+ - * /``, comparisons, `minimum` and `where`, so that it
#: works for all kinds of values.
Formula = Callable[[Any], Any]


def score(
    formula: Formula, ranks: Any, n_max: Any, n_docs: Any = None, goal: Goal = USUAL_GOAL
) -> Any:
    """Return the score of each topic; 0 for topics without relevant documents.

    Parameters
    ----------
    formula : Formula
        The formula of the measure.
    ranks : RankedTopic or RelevantRanks
        The ranks of one topic, or of T topics.
    n_max : int, ndarray or None
        The cutoff, or None. For T topics, it may be an array of C ascending cutoffs, of shape
        (C, 1).
    n_docs : int or ndarray, optional
        The size of the collection, or one size per topic. Only some measures need it.
    goal : Goal
        The target recall. Only some measures depend on it.

    Returns
    -------
    float or ndarray
        The score of one topic, or an array of shape (T,) or (C, T).
    """
    return ranks.where(ranks.n == 0, 0.0, formula(TopicValues(ranks, n_max, n_docs, goal)))
