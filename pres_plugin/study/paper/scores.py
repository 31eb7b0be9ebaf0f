"""Format values, and write the sentences of captions that explain them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pres_plugin.remedy import listed
from pres_plugin.study.directions import has_direction
from pres_plugin.study.paper.table import Cell, with_best_bold
from pres_plugin.study.sentences.words import count, is_sum, value_of


def number(measure: str, value: float, decimals: int) -> str:
    """Return a value of a measure for a table; -1 decimals give full precision."""
    if value != value:  # NaN
        return "–"
    if decimals < 0:
        return str(float(value))
    return value_of(measure, value, decimals).replace(",", "")


def about_means(measures: Sequence[str], n_topics: int) -> str:
    """Return the caption's sentence about the number of topics."""
    sums = [measure for measure in measures if is_sum(measure)]
    are_sums = f"; {listed(sums)}: sums" if sums else ""
    return f"Means over {count(n_topics, 'topic')}{are_sums}."


def about_bold(measures: Sequence[str], n_runs: int, *, by_topic: bool = False) -> list[str]:
    """Return the caption's sentences about bold values; empty if no value is bold."""
    directed = [measure for measure in measures if has_direction(measure)]
    if n_runs < 2 or not directed:
        return []
    on_each = " on each topic" if by_topic else ""
    sentences = [f"Bold: the best value by each measure{on_each}."]
    if others := [measure for measure in measures if measure not in directed]:
        sentences.append(
            f"No value of {listed(others)} is bold: neither higher nor lower values are better."
        )
    return sentences


def cells_of(measure: str, values: Sequence[float | None], decimals: int) -> list[Cell]:
    """Return the values of a measure that are compared with each other, the best ones bold."""
    numbers = [math.nan if value is None else value for value in values]
    texts = [number(measure, value, decimals) for value in numbers]
    bold = with_best_bold(texts, numbers) if has_direction(measure) else [False] * len(texts)
    return [Cell(text, is_bold) for text, is_bold in zip(texts, bold, strict=True)]
