"""Format scores as text for people, programs and papers."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from tabulate import tabulate


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


def _records(scores: Iterable[Score], places: int, by_query: bool) -> list[tuple[str, ...]]:
    """Return one row per score."""
    return [
        (s.run, *([s.query] if by_query else []), s.measure, _number(s.value, places))
        for s in scores
    ]


def _tsv(scores: Sequence[Score], places: int, by_query: bool) -> str:
    return _separated("\t", _records(scores, places, by_query))


def _csv(scores: Sequence[Score], places: int, by_query: bool) -> str:
    header = ("run", *(["query_id"] if by_query else []), "measure", "value")
    return _separated(",", [header, *_records(scores, places, by_query)])


def _separated(delimiter: str, records: Iterable[Sequence[str]]) -> str:
    """Write one line per record; quote names that contain the delimiter or a line break."""
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(records)
    return text.getvalue()


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


def _table(
    style: str, escape: Callable[[str], str] = str
) -> Callable[[Sequence[Score], int, bool], str]:
    def table(scores: Sequence[Score], places: int, by_query: bool) -> str:
        rows: dict[tuple[str, ...], dict[str, str]] = {}
        for s in scores:
            key = tuple(map(escape, (s.run, s.query) if by_query else (s.run,)))
            rows.setdefault(key, {})[s.measure] = _number(s.value, places)
        measures = list(dict.fromkeys(s.measure for s in scores))
        names = ["run", "query"] if by_query else ["run"]
        text = tabulate(
            [[*key, *(row.get(measure, "") for measure in measures)] for key, row in rows.items()],
            headers=[*names, *measures],
            tablefmt=style,
            disable_numparse=True,  # keep names and decimals as formatted
            colalign=["left"] * len(names) + ["right"] * len(measures),
        )
        return text + "\n"

    return table


#: The formats of ``pres-eval score``, by name. Each takes scores, the number of decimals
#: (-1 for full precision), and whether to name topics; otherwise all scores must be means.
FORMATS: dict[str, Callable[[Sequence[Score], int, bool], str]] = {
    "table": _table("simple"),
    "tsv": _tsv,
    "csv": _csv,
    "json": _json,
    "markdown": _table("github", lambda name: name.replace("|", r"\|")),
    "latex": _table("latex_booktabs"),
}
