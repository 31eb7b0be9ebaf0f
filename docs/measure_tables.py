"""Make the tables of reference/measures.md.

Run it as ``python docs/measure_tables.py``. The tables go between the markers of the
page. The text around them is written by hand. ``measure_cards.py`` makes the tables on the
pages of the single measures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

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

PAGE = Path(__file__).parent / "reference" / "measures.md"

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

#: The ranks at which the example systems of the paper find the four relevant documents.
SYSTEMS = ([1], [50, 51, 53, 54], [1, 2, 3, 4], [1, 98, 99, 100])
#: What parameters accept, in words.
KINDS: dict[type, str] = {
    bool: "True or False",
    int: "whole number from 1",
    float: "number above 0, at most 1",
}

Params = Mapping[str, Any]
#: A function that returns a framework's name for a measure with parameters, or None.
Writes = Callable[[Declaration, Params], str | None]


def ir_measures_name(measure: Declaration, params: Params) -> str | None:
    """Return the name in ir-measures, such as ``PRES(rel=2)@100``."""
    at = measure.at.name
    others = ",".join(f"{name}={value!r}" for name, value in params.items() if name != at)
    value = f"@{params[at]}" if at in params else ""
    return measure.name + (f"({others})" if others else "") + value


def trec_name(measure: Declaration, params: Params) -> str | None:
    """Return the name in trec_eval's style, such as ``pres_100``."""
    if not params:
        return measure.lower_name
    if set(params) != {CUTOFF.name} or COLLECTION_SIZE in measure.parameters:
        return None
    return f"{measure.lower_name}_{params[CUTOFF.name]}"


def ranx_name(measure: Declaration, params: Params) -> str | None:
    """Return the name in ranx, such as ``pres@100-l2``."""
    if measure.requires(params) and COLLECTION_SIZE in measure.parameters:
        return None
    shown = params | {"judged_only": "judged"} if "judged_only" in params else params
    after_dots = [shown[name] for name in ("judged_only", "N", "rounding") if name in params]
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
    """Return the parameters that a measure requires, with example values."""
    if measure.requires({}) is None:
        return {}
    needed = COLLECTION_SIZE if COLLECTION_SIZE in measure.parameters else CUTOFF
    return {needed.name: VALUES[needed.name]}


def params_with(measure: Declaration, parameter: Parameter) -> dict[str, Any]:
    """Return example values for a parameter and for those that the measure then requires."""
    params = least(measure)
    if parameter.name == "judged_only":
        params.pop(COLLECTION_SIZE.name, None)  # the two cannot be combined
    return params | {parameter.name: VALUES[parameter.name]}


def page_name(measure: Declaration) -> str:
    """Return the name of a measure's page, without its extension."""
    return "ap" if measure.name == "AP" else measure.lower_name.replace("_", "-")


def accepts(parameter: Parameter) -> str:
    """Return the values that a parameter accepts, in words."""
    choices = " or ".join(f"`{choice!r}`" for choice in parameter.choices)
    return choices or KINDS[parameter.kind]


def measures_table() -> str:
    """Return each measure with its full name, its description and its page."""
    return markdown(
        ["measure", "full name", "what it measures"],
        [
            [f"[`{m.name}`](measures/{page_name(m)}.md)", m.pretty_name, m.short_desc]
            for m in MEASURES
        ],
    )


def parameters_table() -> str:
    """Return each parameter with the measures that have it and the values that it accepts."""
    rows = []
    for p in PARAMETERS:
        default = "–" if p.default is None else f"`{p.default!r}`"
        measures = ", ".join(f"`{m.name}`" for m in MEASURES if p in m.parameters)
        rows.append([f"`{p.name}`", measures, accepts(p), default, p.desc])
    return markdown(["parameter", "measures", "accepts", "default", "meaning"], rows)


def framework_table(writes: Writes) -> str:
    """Return how a framework writes each parameter of each measure."""
    rows = []
    for p in PARAMETERS:
        cells = [writes(m, params_with(m, p)) if p in m.parameters else None for m in MEASURES]
        if any(cells):
            rows.append([f"`{p.name}`", *(f"`{cell}`" if cell else "–" for cell in cells)])
    return markdown(["parameter", *(f"`{m.name}`" for m in MEASURES)], rows)


_SYSTEMS = """\
These are the systems in Tables 1 and 2 of the [PRES paper](https://doi.org/10.1145/1835449.1835551).
Four of N = 1,000 documents are relevant. pres-plugin computed all values. For system 2, the paper
prints two other values. It rounds PRES to 0.51. Its AP of 0.0481 is a misprint: that is the AP of
the ranks 50, 51, 52 and 53."""


def systems_table(measures: Sequence[Declaration] = ALL) -> str:
    """Return the scores of the example systems, in a collection of 1,000 documents."""
    rows = [
        [str(number), ", ".join(map(str, ranks)), *(_score(m, ranks) for m in measures)]
        for number, ranks in enumerate(SYSTEMS, 1)
    ]
    return f"{_SYSTEMS}\n\n{markdown(['system', 'ranks', *map(_written, measures)], rows)}"


def _written(measure: Declaration) -> str:
    """Return the measure as it is computed for the example systems, without N."""
    if measure.takes(RECALL):
        return f"{measure.name}@{RECALL.default}"
    return f"{measure.name}@100" if measure.needs_cutoff else measure.name


def _score(measure: Declaration, ranks: Sequence[int]) -> str:
    arguments = {"n_max": 100} if measure.needs_cutoff else {}
    if measure.takes(COLLECTION_SIZE):
        arguments["n_docs"] = 1000
    return f"{measure.function(ranks, 4, **arguments):.{4 if measure.has_direction else 0}f}"


def tables() -> dict[str, str]:
    """Return the tables of the page by name."""
    return {
        "measures": measures_table(),
        "systems": systems_table(),
        "parameters": parameters_table(),
        **{name: framework_table(writes) for name, writes in FRAMEWORKS.items()},
    }


def markdown(heads: list[str], rows: list[list[str]]) -> str:
    """Return a table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(with_parts(page, "table", tables()), encoding="utf-8")
