"""Makes the tables of reference/measures.md again, from the declarations of the measures.

Run it as ``python docs/measure_tables.py``. Tables go into the page between
their markers; the words around them are written by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from marked_parts import with_parts

from pres_plugin.measures.declaration import Declaration
from pres_plugin.measures.declared import OURS
from pres_plugin.measures.parameters import COLLECTION_SIZE, CUTOFF, REL, Parameter

PAGE = Path(__file__).parent / "reference" / "measures.md"

MEASURES = tuple(measure.declaration for measure in OURS)
PARAMETERS = tuple(dict.fromkeys(p for measure in MEASURES for p in measure.parameters))
#: A value of each parameter other than its default.
VALUES = {"cutoff": 100, "rel": 2, "judged_only": True, "N": 11429}

Params = Mapping[str, Any]
#: How a framework writes a measure with parameters; None if it cannot.
Writes = Callable[[Declaration, Params], str | None]


def ir_measures_name(measure: Declaration, params: Params) -> str | None:
    """As ir-measures writes it: ``PRES(rel=2)@100``."""
    others = ",".join(f"{name}={value}" for name, value in params.items() if name != CUTOFF.name)
    cutoff = f"@{params[CUTOFF.name]}" if CUTOFF.name in params else ""
    return measure.name + (f"({others})" if others else "") + cutoff


def trec_name(measure: Declaration, params: Params) -> str | None:
    """As trec_eval writes it: ``pres_100``."""
    if set(params) != {CUTOFF.name} or COLLECTION_SIZE in measure.parameters:
        return None
    return f"{measure.name.lower()}_{params[CUTOFF.name]}"


def ranx_name(measure: Declaration, params: Params) -> str | None:
    """As ranx writes it: ``pres@100-l2``."""
    known = {CUTOFF.name, REL.name, COLLECTION_SIZE.name}
    if COLLECTION_SIZE in measure.parameters and COLLECTION_SIZE.name not in params:
        return None
    if not set(params) <= known:
        return None
    parts = [measure.name.lower()]
    parts += [f".{params[name]}" for name in params if name == COLLECTION_SIZE.name]
    parts += [f"@{params[name]}" for name in params if name == CUTOFF.name]
    parts += [f"-l{params[name]}" for name in params if name == REL.name]
    return "".join(parts)


FRAMEWORKS: dict[str, Writes] = {
    "ir-measures": ir_measures_name,
    "trec": trec_name,
    "ranx": ranx_name,
}


def least(measure: Declaration) -> dict[str, Any]:
    """The parameters without which a measure cannot be computed, with values."""
    return {
        p.name: VALUES[p.name]
        for p in measure.parameters
        if p == (COLLECTION_SIZE if COLLECTION_SIZE in measure.parameters else CUTOFF)
    }


def params_with(measure: Declaration, parameter: Parameter) -> dict[str, Any]:
    """The fewest parameters with which a measure takes this one."""
    params = least(measure)
    if parameter.name == "judged_only":
        params.pop(COLLECTION_SIZE.name, None)  # which it excludes
    return params | {parameter.name: VALUES[parameter.name]}


def measures_table() -> str:
    """Each measure, and what it is."""
    return _markdown(
        ["measure", "name in full", "what it says"],
        [[f"`{m.name}`", m.pretty_name, m.short_desc] for m in MEASURES],
    )


def parameters_table() -> str:
    """Each parameter, and what it takes."""
    rows = []
    for p in PARAMETERS:
        kind = "True or False" if p.kind is bool else "whole number from 1"
        default = "–" if p.default is None else f"`{p.default}`"
        by = ", ".join(f"`{m.name}`" for m in MEASURES if p in m.parameters)
        rows.append([f"`{p.name}`", by, kind, default, p.desc])
    return _markdown(["parameter", "of", "takes", "default", "meaning"], rows)


def framework_table(writes: Writes) -> str:
    """How each parameter of each measure is written."""
    rows = []
    for p in PARAMETERS:
        cells = [writes(m, params_with(m, p)) if p in m.parameters else None for m in MEASURES]
        if any(cells):
            rows.append([f"`{p.name}`", *(f"`{cell}`" if cell else "–" for cell in cells)])
    return _markdown(["parameter", *(f"`{m.name}`" for m in MEASURES)], rows)


def tables() -> dict[str, str]:
    """The tables of the page by name."""
    return {
        "measures": measures_table(),
        "parameters": parameters_table(),
        **{name: framework_table(writes) for name, writes in FRAMEWORKS.items()},
    }


def _markdown(heads: list[str], rows: list[list[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(with_parts(page, "table", tables()), encoding="utf-8")
