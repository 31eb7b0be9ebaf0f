"""Format values, and write the sentences of captions that explain them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from pres_plugin.remedy import listed
from pres_plugin.study.directions import has_direction, is_sum
from pres_plugin.study.paper.table import Cell, with_best_bold
from pres_plugin.study.sentences.words import count, fixed


def number(value: float, places: int) -> str:
    """Return a value for a table; -1 places give full precision."""
    return "–" if math.isnan(value) else fixed(value, places)


def places_of(measure: str, values: Iterable[float], decimals: int) -> int:
    """Return the number of decimals of a column, all of whose values are given.

    Ranks and counts have at most one, and none if all of them are whole numbers.
    """
    if decimals < 0 or has_direction(measure):
        return decimals
    known = [float(value) for value in values if not math.isnan(value)]
    return 0 if all(map(float.is_integer, known)) else min(decimals, 1)


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


def cells_of(measure: str, values: Sequence[float], places: int) -> list[Cell]:
    """Return the values of a measure that are compared with each other, the best ones bold."""
    texts = [number(value, places) for value in values]
    bold = with_best_bold(texts, values) if has_direction(measure) else [False] * len(texts)
    return [Cell(text, is_bold) for text, is_bold in zip(texts, bold, strict=True)]
