"""Format scores as text for people, programs and papers.

Names may contain anything; :mod:`pres_plugin.escaping` writes them for each format.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from tabulate import tabulate

from pres_plugin.escaping import in_csv, in_markdown, in_table, in_tsv


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


def _table(style: str, escape: Callable[[str], str]) -> Callable[[Sequence[Score], int, bool], str]:
    def table(scores: Sequence[Score], places: int, by_query: bool) -> str:
        rows: dict[tuple[str, ...], dict[str, str]] = {}
        for s in scores:
            key = tuple(map(escape, (s.run, s.query) if by_query else (s.run,)))
            rows.setdefault(key, {})[s.measure] = _number(s.value, places)
        measures = list(dict.fromkeys(s.measure for s in scores))
        names = ["run", "query"] if by_query else ["run"]
        text = tabulate(
            [[*key, *(row.get(measure, "") for measure in measures)] for key, row in rows.items()],
            headers=[*names, *map(escape, measures)],
            tablefmt=style,
            disable_numparse=True,  # keep names and decimals as formatted
            colalign=["left"] * len(names) + ["right"] * len(measures),
        )
        return text + "\n"

    return table


def _latex(scores: Sequence[Score], places: int, by_query: bool) -> str:
    # tabulate escapes TeX's special characters, except * and [. At the start of a row, TeX would
    # read these as an argument of the command before, such as ``\\``.
    return re.sub(
        r"^( *)([*\[])", r"\1{\2}", _in_latex(scores, places, by_query), flags=re.MULTILINE
    )


_in_latex = _table("latex_booktabs", in_table)

#: The formats of ``pres-eval score``, by name. Each accepts scores, the number of decimals
#: (-1 for full precision), and whether to name topics; otherwise all scores must be means.
FORMATS: dict[str, Callable[[Sequence[Score], int, bool], str]] = {
    "table": _table("simple", in_table),
    "tsv": _tsv,
    "csv": _csv,
    "json": _json,
    "markdown": _table("github", in_markdown),
    "latex": _latex,
}
