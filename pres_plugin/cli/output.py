"""Format scores as text for people, programs and papers.

Each row of scores begins with the name of a run, or with those of a run and a topic. Names may
contain anything; :mod:`pres_plugin.escaping` writes them for each format.
"""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from collections.abc import Sequence
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
    from pres_plugin.output.paper import Row as PaperRow
    from pres_plugin.output.paper import caption, paper
    from pres_plugin.output.tables import Table

    columns = dict(zip(measures, zip(*(scores for _, scores in rows), strict=True), strict=True))
    texts = zip(*Table(columns, measures=measures).texts(places), strict=True)
    # Compare the scores of a topic with each other, and the means with each other.
    compared = [
        PaperRow(names, of_row, group=names[1:])
        for (names, _), of_row in zip(rows, texts, strict=True)
    ]
    n_runs = max(Counter(row.group for row in compared).values())
    about = caption(measures, n_topics, n_runs, packages, by_topic=len(headings) > 1)
    return paper(fmt, headings, measures, compared, about)
