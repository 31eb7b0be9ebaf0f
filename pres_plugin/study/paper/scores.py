"""Values, and what captions say about them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pres_plugin.remedy import listed
from pres_plugin.study.directions import has_direction, is_sum
from pres_plugin.study.paper.table import Cell, with_best_bold
from pres_plugin.study.sentences.words import count, value_of


def number(measure: str, value: float, decimals: int) -> str:
    """Return a value of a measure for a table; -1 decimals give full precision."""
    if value != value:  # NaN
        return "–"
    if decimals < 0:
        return str(float(value))
    return value_of(measure, value, decimals).replace(",", "")


def about_means(measures: Sequence[str], n_topics: int) -> str:
    """Say over how many topics the means are."""
    sums = [measure for measure in measures if is_sum(measure)]
    are_sums = f"; {listed(sums)}: sums" if sums else ""
    return f"Means over {count(n_topics, 'topic')}{are_sums}."


def about_bold(measures: Sequence[str], n_runs: int, *, by_topic: bool = False) -> list[str]:
    """Say which values are bold, if any are."""
    directed = [measure for measure in measures if has_direction(measure)]
    if n_runs < 2 or not directed:
        return []
    on_each = " on each topic" if by_topic else ""
    sentences = [f"Bold: the best value by each measure{on_each}."]
    if others := [measure for measure in measures if measure not in directed]:
        sentences.append(f"No value of {listed(others)} is bold, because none is better.")
    return sentences


def cells_of(measure: str, values: Sequence[float | None], decimals: int) -> list[Cell]:
    """Return the values of a measure that are compared with each other, the best ones bold."""
    numbers = [math.nan if value is None else value for value in values]
    texts = [number(measure, value, decimals) for value in numbers]
    bold = with_best_bold(texts, numbers) if has_direction(measure) else [False] * len(texts)
    return [Cell(text, is_bold) for text, is_bold in zip(texts, bold, strict=True)]
