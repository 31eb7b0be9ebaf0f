"""Format scores as text for people, programs and papers.

Each row of scores begins with the name of a run, or with those of a run and a topic. Names may
contain anything; :mod:`pres_plugin.escaping` writes them for each format.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from itertools import repeat
from typing import Any

from pres_plugin.escaping import in_csv, in_table, in_tsv

#: A run, or a run and a topic, and the scores by each measure: of that topic, or the means.
Row = tuple[tuple[str, ...], Any]


def formatted(
    fmt: str, measures: Sequence[str], rows: Sequence[Row], places: int, headings: Sequence[str]
) -> str:
    """Return scores in one of FORMATS, with a number of decimals (-1 for full precision).

    `headings` name the parts of the names with which each row begins.
    """
    texts = [
        (names, [str(value) if places < 0 else f"{value:.{places}f}" for value in values])
        for names, values in rows
    ]
    if fmt == "table":
        return _table([*headings, *measures], texts)
    fields = ["query_id" if name == "topic" else name for name in headings]
    fields += ["measure", "value"]
    records: list[dict[str, Any]] = [
        dict(zip(fields, [*names, measure, value], strict=True))
        for names, values in texts
        for measure, value in zip(measures, values, strict=True)
    ]
    if fmt == "json":
        for record in records:
            value = float(record["value"])
            record["value"] = value if math.isfinite(value) else None
            if "topics" in record:
                record["topics"] = int(record["topics"])
        return as_json(records)
    separator, write = (",", in_csv) if fmt == "csv" else ("\t", in_tsv)
    lines = [fields, *(record.values() for record in records)]
    return "".join(separator.join(map(write, line)) + "\n" for line in lines)


def as_json(content: object) -> str:
    """Return JSON, in ASCII if the encoding of standard output may lack other characters."""
    in_utf8 = (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    return json.dumps(content, indent=2, ensure_ascii=not in_utf8) + "\n"


def _table(headings: Sequence[str], rows: Sequence[tuple[Sequence[str], Sequence[str]]]) -> str:
    # Imported only if needed: importing tabulate takes longer than scoring most runs.
    from tabulate import tabulate

    names, values = rows[0]
    table: str = tabulate(
        [[*map(in_table, names), *values] for names, values in rows],
        headers=[*map(in_table, headings)],
        disable_numparse=True,  # keep names and decimals as formatted
        colalign=["left"] * len(names) + ["right"] * len(values),
    )
    return f"{table}\n"


#: The formats of :func:`formatted`.
FORMATS = ("table", "tsv", "csv", "json")

#: The formats that print a table for a paper.
PAPERS = ("markdown", "latex")


def for_paper(
    fmt: str,
    measures: Sequence[str],
    rows: Sequence[Row],
    places: int,
    headings: Sequence[str],
    n_topics: int,
    packages: Sequence[str],
) -> str:
    """Return scores in one of PAPERS: a table for a paper.

    Means are over `n_topics` topics, and `packages` computed the scores.
    """
    from pres_plugin.study.output import paper

    # Compare the scores of a topic with each other, and the means with each other.
    compared: dict[tuple[str, ...], dict[tuple[str, ...], Sequence[float]]] = {}
    for names, scores in rows:
        compared.setdefault(names[1:], {})[names] = scores
    cells: dict[tuple[str, ...], Sequence[paper.Cell]] = {}
    for group in compared.values():
        columns = map(paper.cells_of, measures, zip(*group.values(), strict=True), repeat(places))
        cells.update(zip(group, zip(*columns, strict=True), strict=True))
    n_runs, by_topic = max(map(len, compared.values())), len(headings) > 1
    caption = paper.caption(measures, n_topics, n_runs, packages, by_topic=by_topic)
    ordered = [(names, cells[names]) for names, _ in rows]
    table = paper.PaperTable(headings, measures, ordered, caption)
    return table.to_latex() if fmt == "latex" else table.to_markdown()
