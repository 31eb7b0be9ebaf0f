"""Makes the tables of reference/measures.md and of each measure's page again.

Run it as ``python docs/measure_tables.py``. Tables go into the page between
their markers; the words around them are written by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from marked_parts import with_parts

from pres_plugin import average_precision, last_rel, pres, recall, rnorm, tnr, wss
from pres_plugin.measures.declaration import Declaration
from pres_plugin.measures.declared import OURS
from pres_plugin.measures.parameters import (
    COLLECTION_SIZE,
    CUTOFF,
    RECALL,
    REL,
    ROUNDING,
    Parameter,
)

PAGE = Path(__file__).parent / "reference" / "measures.md"

MEASURES = tuple(measure.declaration for measure in OURS)
PARAMETERS = tuple(dict.fromkeys(p for measure in MEASURES for p in measure.parameters))
#: A value of each parameter other than its default.
VALUES = {
    "cutoff": 100,
    "rel": 2,
    "judged_only": True,
    "N": 11429,
    "recall": 0.8,
    "rounding": "nearest",
}

#: The ranks at which the example systems of the paper find the four relevant documents.
SYSTEMS = ([1], [50, 51, 53, 54], [1, 2, 3, 4], [1, 98, 99, 100])
#: What parameters accept, in words.
KINDS: dict[type, str] = {
    bool: "True or False",
    int: "whole number from 1",
    float: "number above 0, at most 1",
}

Params = Mapping[str, Any]
#: How a framework writes a measure with parameters; None if it cannot.
Writes = Callable[[Declaration, Params], str | None]


def ir_measures_name(measure: Declaration, params: Params) -> str | None:
    """As ir-measures writes it: ``PRES(rel=2)@100``."""
    at = measure.at.name
    others = ",".join(f"{name}={value!r}" for name, value in params.items() if name != at)
    value = f"@{params[at]}" if at in params else ""
    return measure.name + (f"({others})" if others else "") + value


def trec_name(measure: Declaration, params: Params) -> str | None:
    """As trec_eval writes it: ``pres_100``."""
    if set(params) != {CUTOFF.name} or COLLECTION_SIZE in measure.parameters:
        return None
    return f"{measure.lower_name}_{params[CUTOFF.name]}"


def ranx_name(measure: Declaration, params: Params) -> str | None:
    """As ranx writes it: ``pres@100-l2``."""
    known = {p.name for p in (CUTOFF, REL, COLLECTION_SIZE, RECALL, ROUNDING)}
    if COLLECTION_SIZE in measure.parameters and COLLECTION_SIZE.name not in params:
        return None
    if not set(params) <= known:
        return None
    after_dots = [params[p.name] for p in (COLLECTION_SIZE, ROUNDING) if p.name in params]
    parts = [measure.lower_name, *(f".{value}" for value in after_dots)]
    parts += [f"@{params[name]}" for name in params if name == CUTOFF.name]
    parts += [f"@{params[name]:.0%}".rstrip("%") for name in params if name == RECALL.name]
    parts += [f"-l{params[name]}" for name in params if name == REL.name]
    return "".join(parts)


FRAMEWORKS: dict[str, Writes] = {
    "ir-measures": ir_measures_name,
    "trec": trec_name,
    "ranx": ranx_name,
}


def least(measure: Declaration) -> dict[str, Any]:
    """The parameters without which a measure cannot be computed, with values."""
    if measure.requires({}) is None:
        return {}
    needed = COLLECTION_SIZE if COLLECTION_SIZE in measure.parameters else CUTOFF
    return {needed.name: VALUES[needed.name]}


def params_with(measure: Declaration, parameter: Parameter) -> dict[str, Any]:
    """The fewest parameters with which a measure takes this one."""
    params = least(measure)
    if parameter.name == "judged_only":
        params.pop(COLLECTION_SIZE.name, None)  # which it excludes
    return params | {parameter.name: VALUES[parameter.name]}


def measures_table() -> str:
    """Each measure, and what it is."""
    return _markdown(
        ["measure", "name in full", "what it measures"],
        [[f"`{m.name}`", m.pretty_name, m.short_desc] for m in MEASURES],
    )


def parameters_table() -> str:
    """Each parameter, and what it takes."""
    rows = []
    for p in PARAMETERS:
        choices = " or ".join(f"`{choice!r}`" for choice in p.choices)
        default = "–" if p.default is None else f"`{p.default!r}`"
        by = ", ".join(f"`{m.name}`" for m in MEASURES if p in m.parameters)
        rows.append([f"`{p.name}`", by, choices or KINDS[p.kind], default, p.desc])
    return _markdown(["parameter", "of", "takes", "default", "meaning"], rows)


def framework_table(writes: Writes) -> str:
    """How each parameter of each measure is written."""
    rows = []
    for p in PARAMETERS:
        cells = [writes(m, params_with(m, p)) if p in m.parameters else None for m in MEASURES]
        if any(cells):
            rows.append([f"`{p.name}`", *(f"`{cell}`" if cell else "–" for cell in cells)])
    return _markdown(["parameter", *(f"`{m.name}`" for m in MEASURES)], rows)


_SYSTEMS = """\
Four documents are relevant in a collection of N = 1000. The systems are those of Tables 1 and 2 of
the PRES paper."""


def systems_table() -> str:
    """The scores of the example systems, in a collection of 1,000 documents."""
    rows = []
    for number, ranks in enumerate(SYSTEMS, 1):
        rank, *scores = [
            last_rel(ranks, 4),
            pres(ranks, 4, 100),
            rnorm(ranks, 4, 1000),
            wss(ranks, 4, 1000),
            tnr(ranks, 4, 1000),
            average_precision(ranks, 4),
            recall(ranks, 4, 100),
        ]
        cells = [*(f"{score:.4f}" for score in scores), f"{rank:.0f}"]
        rows.append([str(number), ", ".join(map(str, ranks)), *cells])
    measures = ["PRES@100", "Rnorm", "WSS@0.95", "TNR@0.95", "AP", "R@100", "LastRel"]
    return f"{_SYSTEMS}\n\n{_markdown(['system', 'finds them at ranks', *measures], rows)}"


def tables() -> dict[str, str]:
    """The tables of the page by name."""
    return {
        "measures": measures_table(),
        "parameters": parameters_table(),
        **{name: framework_table(writes) for name, writes in FRAMEWORKS.items()},
    }


def pages() -> dict[Path, dict[str, str]]:
    """The tables of each page: the page of all measures, and a page for each."""
    of_measures = sorted(PAGE.with_suffix("").glob("*.md"))
    return {PAGE: tables(), **{path: {"systems": systems_table()} for path in of_measures}}


def _markdown(heads: list[str], rows: list[list[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


if __name__ == "__main__":
    for path, of_page in pages().items():
        page = path.read_text(encoding="utf-8")
        path.write_text(with_parts(page, "table", of_page), encoding="utf-8")
