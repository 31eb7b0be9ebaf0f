"""Make tables of reference/measures.md and of the pages in reference/measures.

Run it as ``python docs/measure_tables.py``. The tables go between the markers of the
pages. The text around them is written by hand, and so are all other tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any

from markdown_tables import table
from marked_parts import with_parts

from pres_plugin.measures.declaration import Declaration
from pres_plugin.measures.declared import BY_NAME, OURS
from pres_plugin.measures.parameters import (
    COLLECTION_SIZE,
    CUTOFF,
    RECALL,
    REL,
    Parameter,
)

DOCS = Path(__file__).parent

MEASURES = tuple(measure.declaration for measure in OURS)
ALL = tuple(measure.declaration for measure in BY_NAME.values())
PARAMETERS = tuple(dict.fromkeys(p for measure in MEASURES for p in measure.parameters))
#: An example value of each parameter, which is not its default.
VALUES = {
    "cutoff": 100,
    "rel": 2,
    "judged_only": True,
    "N": 11429,
    "recall": 0.8,
    "rounding": "nearest",
}

#: What parameters accept, in words.
KINDS: dict[type, str] = {
    bool: "True or False",
    int: "whole number from 1",
    float: "above 0, at most 1",
}

#: The lowest and the highest value of measures for which they are not 0 and 1.
RANGES = {"WSS": "R − 1 to R", "Effort": "0 to N", "LastRel": "0 to N"}
#: Measures that share a page with others.
SHARED_PAGES = {"AP": "ap-and-recall", "R": "ap-and-recall"}

#: The numbers of relevant documents in the table of random orders, and the size of a large
#: collection. With three decimals, larger collections have the same values.
NUMBERS, MANY = (1, 4, 10, 100), 10**6

Params = Mapping[str, Any]


def ir_measures_name(measure: Declaration, params: Params) -> str:
    """Return the name in ir-measures, such as ``PRES(rel=2)@100``."""
    at = measure.at.name
    others = ",".join(f"{name}={value!r}" for name, value in params.items() if name != at)
    value = f"@{params[at]}" if at in params else ""
    return measure.name + (f"({others})" if others else "") + value


def ranx_name(measure: Declaration, params: Params) -> str:
    """Return the name in ranx, such as ``pres@100-l2``."""
    shown = params | {"judged_only": "judged"} if "judged_only" in params else params
    after_dots = [shown[name] for name in ("judged_only", "N", "rounding") if name in params]
    parts = [measure.lower_name, *(f".{value}" for value in after_dots)]
    parts += [f"@{params[name]}" for name in params if name == CUTOFF.name]
    parts += [f"@{params[name]:.0%}".rstrip("%") for name in params if name == RECALL.name]
    parts += [f"-l{params[name]}" for name in params if name == REL.name]
    return "".join(parts)


def params_with(measure: Declaration, parameter: Parameter) -> dict[str, Any]:
    """Return example values for a parameter and for those that the measure requires."""
    params = {}
    if measure.requires({}, has_size=False):
        needed = COLLECTION_SIZE if COLLECTION_SIZE in measure.parameters else CUTOFF
        params = {needed.name: VALUES[needed.name]}
    return params | {parameter.name: VALUES[parameter.name]}


def accepts(parameter: Parameter) -> str:
    """Return the values that a parameter accepts and its default, in words."""
    choices = " or ".join(f"`{choice!r}`" for choice in parameter.choices)
    default = "" if parameter.default is None else f"; default `{parameter.default!r}`"
    return (choices or KINDS[parameter.kind]) + default


def among_all(measures: list[Declaration]) -> str:
    """Return the names of some measures, or of those that are not among them."""
    others = [m for m in ALL if m not in measures]
    if len(others) >= len(measures):
        return ", ".join(m.name for m in measures)
    return f"all but {', '.join(m.name for m in others)}" if others else "all"


def measures_table() -> str:
    """Return each measure with its page, what it measures and its range."""
    rows = []
    for m in ALL:
        page = SHARED_PAGES.get(m.name) or m.lower_name.replace("_", "-")
        name = f"[`{m.name}`](measures/{page}.md)"
        rows.append([name, m.short_desc, RANGES.get(m.name, "0 to 1")])
    return table(["measure", "what it measures", "range"], rows)


def parameters_table() -> str:
    """Return each parameter with its measures, and how tools write it."""
    rows = []
    for p in PARAMETERS:
        having = [m for m in ALL if m.takes(p)]
        params = params_with(having[0], p)
        names = [ir_measures_name(having[0], params), ranx_name(having[0], params)]
        cells = [f"`{p.name}`", among_all(having), p.desc, accepts(p)]
        rows.append([*cells, *(f"`{name}`" for name in names)])
    heads = ["parameter", "measures", "meaning", "accepts", "ir-measures", "ranx"]
    return table(heads, rows)


def goal(n: int, recall: float) -> int:
    """Return how many of `n` relevant documents a recall requires, rounded up."""
    return max(1, ceil(Fraction(str(recall)) * n))


def expected_wss(n: int, n_docs: int, recall: float = 0.95) -> Fraction:
    """Return the expected WSS at a recall if all documents are in random order.

    Parameters
    ----------
    n : int
        Number of relevant documents of the topic, from 1 to `n_docs`.
    n_docs : int
        Number of documents in the collection.
    recall : float
        The target recall.
    """
    return Fraction(str(recall)) - Fraction(goal(n, recall) * (n_docs + 1), n_docs * (n + 1))


def expected_tnr(n: int, recall: float = 0.95) -> Fraction:
    """Return the expected TNR at a recall if all documents are in random order.

    It does not depend on the size of the collection, unless all documents are relevant.
    """
    return 1 - Fraction(goal(n, recall), n + 1)


def random_table() -> str:
    """Return the expected WSS and TNR of a random order by the number of relevant documents."""
    rows = [
        [str(n), f"{float(expected_wss(n, MANY)):.3f}", f"{float(expected_tnr(n)):.3f}"]
        for n in NUMBERS
    ]
    return table(["n", "WSS@0.95", "TNR@0.95"], rows)


def tables() -> dict[str, dict[str, str]]:
    """Return the tables of each page by name."""
    return {
        "reference/measures.md": {
            "measures": measures_table(),
            "parameters": parameters_table(),
        },
        "reference/measures/wss.md": {"random": random_table()},
    }


if __name__ == "__main__":
    for name, made in tables().items():
        text = (DOCS / name).read_text(encoding="utf-8")
        (DOCS / name).write_text(with_parts(text, made), encoding="utf-8")
