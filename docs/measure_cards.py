"""Make the generated parts of the measures' pages in reference/measures.

Run it as ``python docs/measure_cards.py``. Each page is a card of one measure. Its
formula, its worked example and its advice are written by hand on the page. The tables and
the BibTeX between the markers are made here, from the declarations of the measures and from
references.bib. Some cells of the tables are written by hand, and this script keeps them: the
range, the symbols of the formula, and the edge cases with their calls. For each source, write a
line ``@article{key,``; this script completes it.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import measure_tables
from marked_parts import with_parts
from measure_tables import Params, Writes, accepts, least, markdown, params_with

import pres_plugin
from pres_plugin.measures import Measure
from pres_plugin.measures.declaration import Declaration
from pres_plugin.measures.declared import BY_NAME, OURS
from pres_plugin.measures.parameters import CUTOFF

FOLDER = Path(__file__).parent / "reference" / "measures"
REFERENCES = Path(__file__).parent / "references.bib"

#: The symbols of the formulas, in the order in which pages list them.
SYMBOLS = {
    r"$n$": "the number of relevant documents of the topic, found or not",
    r"$N_\text{max}$": "Nmax, the number of results that the user is willing to check",
    r"$k$": "the cutoff (Nmax), the number of results that count",
    r"$n_\text{found}$": (
        "the number of relevant documents found; those after the cutoff do not count"
    ),
    r"$r_i$": "the rank of the $i$-th relevant document in the ranking",
    r"$\Sigma r$": "the sum of the ranks of all $n$ relevant documents, missed ones included",
    r"$N$": "the number of documents in the collection",
    r"$R$": "the target recall, 0.95 by default",
    r"$K$": "the rank at which recall $R$ is reached",
    r"$g$": r"the number of relevant documents found up to rank $K$",
}


@dataclass(frozen=True)
class Card:
    """A measure's page. The tables on the page contain what the declaration does not."""

    measure: Measure

    @property
    def declaration(self) -> Declaration:
        """The measure's declaration."""
        return self.measure.declaration

    @property
    def function(self) -> str:
        """The function that scores one topic from ranks."""
        return self.declaration.lower_name

    @property
    def path(self) -> Path:
        """The page."""
        return FOLDER / f"{measure_tables.page_name(self.declaration)}.md"

    @property
    def range(self) -> str:
        """The lowest and the highest value, in words."""
        return next(text for what, text in self._rows("card") if what == "range")

    @property
    def symbols(self) -> list[str]:
        """The keys in :data:`SYMBOLS` of the symbols in the formula."""
        return [symbol for symbol, *_ in self._rows("symbols")]

    @property
    def edge_cases(self) -> dict[str, str]:
        """A call of the function for each edge case, by the description of the case."""
        return {case: call.strip("`") for case, call, *_ in self._rows("edge-cases")}

    @property
    def sources(self) -> list[str]:
        """The keys in references.bib of the works that define the measure."""
        keys = re.findall(r"^@\w+\{([^,\s]+),", self._part("bibtex"), flags=re.MULTILINE)
        return [key for key in keys if key != SOFTWARE]

    def _rows(self, table: str) -> list[list[str]]:
        lines = re.findall(r"^\|(.*)\|$", self._part(table), flags=re.MULTILINE)
        return [[cell.strip() for cell in line.split("|")] for line in lines[2:]]

    def _part(self, name: str) -> str:
        page = self.path.read_text(encoding="utf-8")
        return page.partition(f"<!-- table: {name} -->")[2].partition("<!-- end -->")[0]


CARDS = tuple(map(Card, BY_NAME.values()))

#: The frameworks' own names in the styles of trec_eval and ranx, of the measures that they have.
OWN_NAMES = {"AP": "map", "R": "recall"}

#: How the software is cited, on each page.
SOFTWARE = "pres_plugin"


def card_table(card: Card) -> str:
    """Return the facts about a measure."""
    m = card.declaration
    rows = [
        ["what it measures", m.short_desc],
        ["range", card.range],
        ["better values", "higher" if m.has_direction else "neither higher nor lower"],
        ["required parameter", _required(m)],
        ["in files and dataframes", "computed by pres-plugin"],
        [
            "in ir-measures, PyTerrier and ranx",
            "added by pres-plugin" if card.measure in OURS else "their own",
        ],
    ]
    return markdown([f"`{m.name}`", m.pretty_name], rows)


def _required(measure: Declaration) -> str:
    if measure.requires({}) is None:
        return "none; a cutoff k (Nmax) is optional"
    if CUTOFF.name in least(measure):
        return "a cutoff k (Nmax)"
    return "`N` or `judged_only=True`"


def symbols_table(card: Card) -> str:
    """Return the meaning of each symbol in the measure's formula."""
    rows = [[symbol, text] for symbol, text in SYMBOLS.items() if symbol in card.symbols]
    return markdown(["symbol", "meaning"], rows)


def parameters_table(card: Card) -> str:
    """Return the measure's parameters."""
    rows = []
    for p in card.declaration.parameters:
        default = "–" if p.default is None else f"`{p.default!r}`"
        rows.append([f"`{p.name}`", accepts(p), default, p.desc])
    return markdown(["parameter", "accepts", "default", "meaning"], rows)


def spellings(card: Card) -> dict[str, dict[str, str | None]]:
    """Return how each tool spells the measure: a string per parameter, by tool."""
    m = card.declaration
    asked: dict[str, Params] = {}
    if m.at.name not in least(m):
        asked["(only what is required)" if least(m) else "(no parameters)"] = least(m)
    for p in m.parameters:
        if p.name not in least(m) or p.name == m.at.name:
            asked[p.name] = params_with(m, p)
    trec_name, ranx_name = measure_tables.trec_name, measure_tables.ranx_name
    if own := OWN_NAMES.get(m.name):
        trec_name, ranx_name = (
            lambda _, params: own_trec_name(own, params),
            lambda _, params: own_ranx_name(own, params),
        )
    tools: dict[str, Writes] = {
        "ir-measures, PyTerrier": measure_tables.ir_measures_name,
        "dataframes, files, studies, `pres-eval`": measure_tables.ir_measures_name,
        "trec_eval's style, in PyTerrier and `pres-eval`": trec_name,
        "ranx": ranx_name,
    }
    return {
        tool: {name: writes(m, params) for name, params in asked.items()}
        for tool, writes in tools.items()
    }


def own_trec_name(name: str, params: Params) -> str | None:
    """Return trec_eval's own string for AP or recall; None if it has none."""
    if not params:
        return name if name == "map" else None
    if set(params) != {CUTOFF.name}:
        return None
    return f"{'map_cut' if name == 'map' else name}_{params[CUTOFF.name]}"


def own_ranx_name(name: str, params: Params) -> str | None:
    """Return ranx's own string for AP or recall; None if it cannot express the parameters."""
    if "judged_only" in params:
        return None
    cutoff = f"@{params['cutoff']}" if "cutoff" in params else ""
    level = f"-l{params['rel']}" if "rel" in params else ""
    return f"{name}{cutoff}{level}"


def spelling_table(card: Card) -> str:
    """Return how each tool spells the measure, and the Python function."""
    by_tool = {tool: cells for tool, cells in spellings(card).items() if any(cells.values())}
    heads = list(next(iter(by_tool.values())))
    rows = [
        [tool, *(f"`{cell}`" if cell else "–" for cell in cells.values())]
        for tool, cells in by_tool.items()
    ]
    heads = [head if head.startswith("(") else f"`{head}`" for head in heads]
    arguments = ", ".join(inspect.signature(getattr(pres_plugin, card.function)).parameters)
    return (
        f"{markdown(['tool', *heads], rows)}\n\n"
        f"In Python, [`{card.function}({arguments})`](../ranks.md#pres_plugin.{card.function}) "
        "scores one topic from the ranks of its relevant documents."
    )


def edge_cases_table(card: Card) -> str:
    """Return the value, or the error, of the measure in each edge case."""
    rows = [[case, f"`{call}`", _result(call)] for case, call in card.edge_cases.items()]
    return markdown(["case", "call", "result"], rows)


def _result(call: str) -> str:
    try:
        return str(round(eval(call, dict(vars(pres_plugin))), 4))
    except ValueError as error:
        return f"`ValueError`: {error}"


def systems_table(card: Card) -> str:
    """Return the scores of the example systems, with PRES, AP and recall to compare."""
    compared = (card.declaration, *(BY_NAME[name].declaration for name in ("PRES", "AP", "R")))
    return measure_tables.systems_table(tuple(dict.fromkeys(compared)))


def bibtex(keys: Sequence[str]) -> str:
    """Return entries of references.bib as a block of code."""
    entries = entries_of(REFERENCES.read_text(encoding="utf-8"))
    text = "\n\n".join(entries[key] for key in keys)
    return f"```bibtex\n{text}\n```"


def entries_of(text: str) -> dict[str, str]:
    """Return the BibTeX entries of a file by their keys."""
    return {
        entry[1]: entry[0]
        for entry in re.finditer(r"^@\w+\{([^,\s]+),\n.*?^\}", text, flags=re.DOTALL | re.MULTILINE)
    }


def parts(card: Card) -> dict[str, str]:
    """Return the generated parts of a measure's page, by name."""
    return {
        "card": card_table(card),
        "symbols": symbols_table(card),
        "parameters": parameters_table(card),
        "spelling": spelling_table(card),
        "edge-cases": edge_cases_table(card),
        "systems": systems_table(card),
        "bibtex": bibtex([*card.sources, SOFTWARE]),
    }


if __name__ == "__main__":
    for card in CARDS:
        page = card.path.read_text(encoding="utf-8")
        card.path.write_text(with_parts(page, "table", parts(card)), encoding="utf-8")
