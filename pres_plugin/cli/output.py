"""Format scores as text for people and programs; :mod:`pres_plugin.cli.papers` is for papers.

Names may contain anything; :mod:`pres_plugin.escaping` writes them for each format.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from pres_plugin.escaping import in_csv, in_table, in_tsv


class Score(NamedTuple):
    """The score of a run by a measure, for one topic or as the mean over all topics.

    For a mean, `query` is a name that differs from every topic's id.
    """

    run: str
    query: str
    measure: str
    value: float


def _number(value: float, places: int) -> str:
    return str(value) if places < 0 else f"{value:.{places}f}"


def _tsv(scores: Sequence[Score], places: int, by_query: bool) -> str:
    return _separated("\t", in_tsv, scores, places, by_query)


def _csv(scores: Sequence[Score], places: int, by_query: bool) -> str:
    header = ",".join(("run", *(["query_id"] if by_query else []), "measure", "value"))
    return f"{header}\n{_separated(',', in_csv, scores, places, by_query)}"


def _separated(
    separator: str,
    escape: Callable[[str], str],
    scores: Iterable[Score],
    places: int,
    by_query: bool,
) -> str:
    """Write one record per score."""
    records = (
        (s.run, *([s.query] if by_query else []), s.measure, _number(s.value, places))
        for s in scores
    )
    return "".join(f"{separator.join(map(escape, record))}\n" for record in records)


def _json(scores: Sequence[Score], places: int, by_query: bool) -> str:
    objects = []
    for s in scores:
        value = s.value if places < 0 else round(s.value, places)
        objects.append(
            {
                "run": s.run,
                **({"query_id": s.query} if by_query else {}),
                "measure": s.measure,
                "value": value if math.isfinite(value) else None,  # JSON has no NaN
            }
        )
    return json.dumps(objects, indent=2, ensure_ascii=False) + "\n"


def _table(scores: Sequence[Score], places: int, by_query: bool) -> str:
    rows = rows_of(scores, by_query)
    measures = list(dict.fromkeys(s.measure for s in scores))
    names = headings(by_query)
    lines = [[*names, *map(in_table, measures)]]
    for key, row in rows.items():
        lines.append([*map(in_table, key), *(_shown(row, measure, places) for measure in measures)])
    return aligned(lines, ["left"] * len(names) + ["right"] * len(measures)) + "\n"


def aligned(lines: Sequence[Sequence[str]], alignment: Sequence[str]) -> str:
    """Return a table in tabulate's format `simple`; the first line contains the headings.

    `alignment` contains "left" or "right" for each column.
    """
    if not all(cell.isascii() for line in lines for cell in line):
        return _aligned_by_tabulate(lines, alignment)
    widths = [max(len(column[0]) + 2, *map(len, column)) for column in zip(*lines, strict=True)]
    rules = ["-" * width for width in widths]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if side == "right" else cell.ljust(width)
            for cell, width, side in zip(line, widths, alignment, strict=True)
        ).rstrip()
        for line in (lines[0], rules, *lines[1:])
    )


def _aligned_by_tabulate(lines: Sequence[Sequence[str]], alignment: Sequence[str]) -> str:
    """Return a table in which some characters may take up two columns, or none."""
    # Imported only if needed: importing tabulate takes longer than scoring most runs.
    from tabulate import tabulate

    return tabulate(
        lines[1:],
        headers=lines[0],
        tablefmt="simple",
        disable_numparse=True,  # keep names and decimals as formatted
        colalign=alignment,
    )


def rows_of(scores: Iterable[Score], by_query: bool) -> dict[tuple[str, ...], dict[str, float]]:
    """Return the values of each run, or of each run and topic, by measure."""
    rows: dict[tuple[str, ...], dict[str, float]] = {}
    for s in scores:
        rows.setdefault((s.run, s.query) if by_query else (s.run,), {})[s.measure] = s.value
    return rows


def headings(by_query: bool) -> list[str]:
    """Return the headings of the columns with names."""
    return ["run", "topic"] if by_query else ["run"]


def _shown(row: Mapping[str, float], measure: str, places: int) -> str:
    return _number(row[measure], places) if measure in row else ""


#: The formats of ``pres-eval score``, by name. Each accepts scores, the number of decimals
#: (-1 for full precision), and whether to name topics; otherwise all scores must be means.
FORMATS: dict[str, Callable[[Sequence[Score], int, bool], str]] = {
    "table": _table,
    "tsv": _tsv,
    "csv": _csv,
    "json": _json,
}

#: The formats that print a table for a paper.
PAPERS = ("markdown", "latex")
