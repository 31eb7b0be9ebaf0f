"""Format scores as tables for papers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pres_plugin.cli.output import Score, headings, rows_of
from pres_plugin.study.paper.scores import about_bold, about_means, cells_of, places_of
from pres_plugin.study.paper.table import Cell, PaperTable, software


def paper_table(scores: Sequence[Score], places: int, by_query: bool, n_topics: int) -> PaperTable:
    """Return scores as a table for a paper; the arguments are the same as for the other formats.

    Means are over `n_topics` topics.
    """
    rows = rows_of(scores, by_query)
    measures = list(dict.fromkeys(s.measure for s in scores))
    # Compare the scores of a topic with each other, and the means with each other.
    compared: dict[str, list[tuple[str, ...]]] = {}
    for key in rows:
        compared.setdefault(key[-1] if by_query else "", []).append(key)
    cells: dict[tuple[str, ...], list[Cell]] = {key: [] for key in rows}
    for measure in measures:
        value_of = {key: row.get(measure, math.nan) for key, row in rows.items()}
        of_column = places_of(measure, value_of.values(), places)
        for keys in compared.values():
            values = [value_of[key] for key in keys]
            for key, cell in zip(keys, cells_of(measure, values, of_column), strict=True):
                cells[key].append(cell)
    caption = [
        about_means(measures, n_topics),
        *about_bold(measures, len({s.run for s in scores}), by_topic=by_query),
        software(["pres-plugin", "ir-measures", "numpy"]),
    ]
    return PaperTable(headings(by_query), measures, list(cells.items()), " ".join(caption))
