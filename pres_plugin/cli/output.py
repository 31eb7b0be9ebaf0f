"""Format scores as text for people, programs and papers.

Each row of scores begins with the name of a run, or with those of a run and a topic. Names may
contain anything; :mod:`pres_plugin.escaping` writes them for each format.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from pres_plugin.escaping import in_csv, in_table, in_tsv

if TYPE_CHECKING:
    from pres_plugin.study.output.paper import PaperTable


#: A run, or a run and a topic, and the scores by each measure: of that topic, or the means.
Row = tuple[tuple[str, ...], Sequence[float]]


def _number(value: float, places: int) -> str:
    return str(value) if places < 0 else f"{value:.{places}f}"


def _tsv(measures: Sequence[str], rows: Sequence[Row], places: int) -> str:
    records = _records(measures, rows, places)
    return "".join("\t".join(map(in_tsv, record)) + "\n" for record in records)


def _csv(measures: Sequence[str], rows: Sequence[Row], places: int) -> str:
    records = [_fields(rows), *_records(measures, rows, places)]
    return "".join(",".join(map(in_csv, record)) + "\n" for record in records)


def _json(measures: Sequence[str], rows: Sequence[Row], places: int) -> str:
    objects = []
    for record in _records(measures, rows, places):
        value = float(record[-1])
        named = dict(zip(_fields(rows), record, strict=True))
        # JSON has no NaN.
        objects.append({**named, "value": value if math.isfinite(value) else None})
    in_utf8 = (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    return json.dumps(objects, indent=2, ensure_ascii=not in_utf8) + "\n"


def _records(measures: Sequence[str], rows: Sequence[Row], places: int) -> Iterator[list[str]]:
    """Yield the fields of each score."""
    for names, values in rows:
        for measure, value in zip(measures, values, strict=True):
            yield [*names, measure, _number(value, places)]


def _fields(rows: Sequence[Row]) -> list[str]:
    return [*_headings(rows, "query_id"), "measure", "value"]


def _table(measures: Sequence[str], rows: Sequence[Row], places: int) -> str:
    # Imported only if needed: importing tabulate takes longer than scoring most runs.
    from tabulate import tabulate

    names = _headings(rows)
    table: str = tabulate(
        [[*map(in_table, keys), *(_number(v, places) for v in values)] for keys, values in rows],
        headers=[*names, *map(in_table, measures)],
        disable_numparse=True,  # keep names and decimals as formatted
        colalign=["left"] * len(names) + ["right"] * len(measures),
    )
    return f"{table}\n"


def _headings(rows: Sequence[Row], topic: str = "topic") -> list[str]:
    return ["run", topic][: len(rows[0][0])]


#: The formats of ``pres-eval score``, by name. Each accepts the measures, the rows, and the number
#: of decimals (-1 for full precision).
FORMATS: dict[str, Callable[[Sequence[str], Sequence[Row], int], str]] = {
    "table": _table,
    "tsv": _tsv,
    "csv": _csv,
    "json": _json,
}

#: The formats that print a table for a paper.
PAPERS = ("markdown", "latex")


def paper_table(
    measures: Sequence[str],
    rows: Sequence[Row],
    places: int,
    n_topics: int,
    packages: Sequence[str],
) -> PaperTable:
    """Return scores as a table for a paper.

    Means are over `n_topics` topics, and `packages` computed the scores.
    """
    from pres_plugin.study.output import paper

    # Compare the scores of a topic with each other, and the means with each other.
    compared: dict[tuple[str, ...], list[int]] = {}
    for i, (names, _) in enumerate(rows):
        compared.setdefault(names[1:], []).append(i)
    cells: list[list[paper.Cell]] = [[] for _ in rows]
    for measure, *values in zip(measures, *(row for _, row in rows), strict=True):
        texts = paper.numbers(measure, values, places)
        for group in compared.values():
            found = paper.cells_of(measure, [values[i] for i in group], [texts[i] for i in group])
            for i, cell in zip(group, found, strict=True):
                cells[i].append(cell)
    headings = _headings(rows)
    caption = [
        paper.about_means(measures, n_topics),
        *paper.about_bold(measures, max(map(len, compared.values())), by_topic=len(headings) > 1),
        paper.software(packages),
    ]
    body = [(names, of_row) for (names, _), of_row in zip(rows, cells, strict=True)]
    return paper.PaperTable(headings, measures, body, " ".join(caption))
