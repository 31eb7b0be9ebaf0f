"""Make the generated parts of the measures' pages in reference/measures.

Run it as ``python docs/measure_cards.py``. Each page is a card of one measure. Its
formula, its worked example and its advice are written by hand on the page. The tables
and the BibTeX between the markers are made here, from the declarations of the measures,
from :data:`CARDS` and from references.bib.
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
from pres_plugin.measures import AP, PRES, TNR, WSS, LastRel, Measure, PRES_est, R, Rnorm
from pres_plugin.measures.declaration import Declaration
from pres_plugin.measures.declared import OURS
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
    """What a page says about a measure that its declaration does not contain."""

    measure: Measure
    #: The function that scores one topic from ranks.
    function: str
    #: The lowest and the highest value, in words.
    range: str
    #: The keys in :data:`SYMBOLS` of the symbols in the formula.
    symbols: tuple[str, ...]
    #: A call of the function for each edge case, by the description of the case.
    edge_cases: dict[str, str]
    #: The keys in references.bib of the works that define the measure.
    sources: tuple[str, ...] = ()
    #: The frameworks' own name in the styles of trec_eval and ranx, if they have the measure.
    own_name: str = ""

    @property
    def declaration(self) -> Declaration:
        """The measure's declaration."""
        return self.measure.declaration

    @property
    def path(self) -> Path:
        """The page."""
        name = FILES.get(self.declaration.name, measure_tables.page_name(self.declaration))
        return FOLDER / f"{name}.md"


#: The names of the pages that are not named after the measure.
FILES = {"R": "recall"}

N, N_MAX, K_CUT, FOUND, RANK, RANK_SUM, N_DOCS, RECALL, K, G = SYMBOLS

CARDS = (
    Card(
        PRES,
        "pres",
        "0 to 1; at most recall at Nmax",
        (N, N_MAX, FOUND, RANK, RANK_SUM),
        {
            "No document is relevant (n = 0)": "pres([], n_relevant=0, n_max=100)",
            "No relevant document is found": "pres([], n_relevant=4, n_max=100)",
            "The relevant documents come first": "pres([1, 2, 3, 4], n_relevant=4, n_max=100)",
            "The run ends before Nmax": "pres([1, 2], n_relevant=4, n_max=100)",
            "The only relevant document is at rank Nmax": "pres([100], n_relevant=1, n_max=100)",
            "The only relevant document is at rank Nmax + 1": (
                "pres([101], n_relevant=1, n_max=100)"
            ),
            "n = Nmax, and all results are relevant": "pres(range(1, 11), n_relevant=10, n_max=10)",
            "n > Nmax, and all results are relevant": "pres(range(1, 11), n_relevant=40, n_max=10)",
            "A rank occurs twice": "pres([3, 3], n_relevant=4, n_max=100)",
            "More ranks than relevant documents": "pres([1, 2], n_relevant=1, n_max=100)",
        },
        ("magdy2010pres", "magdy2010robustness"),
    ),
    Card(
        PRES_est,
        "pres_est",
        "0 to 1",
        (N, N_MAX, FOUND, RANK_SUM),
        {
            "No document is relevant (n = 0)": "pres_est([], n_relevant=0, n_max=10)",
            "No relevant document is found": "pres_est([], n_relevant=40, n_max=10)",
            "n < Nmax: the same as PRES": "pres_est([2, 9], n_relevant=4, n_max=10)",
            "n = Nmax, and all results are relevant": (
                "pres_est(range(1, 11), n_relevant=10, n_max=10)"
            ),
            "n > Nmax, and all results are relevant": (
                "pres_est(range(1, 11), n_relevant=40, n_max=10)"
            ),
            "n > Nmax, and only the last result is relevant": (
                "pres_est([10], n_relevant=40, n_max=10)"
            ),
        },
        ("magdy2010pres",),
    ),
    Card(
        Rnorm,
        "rnorm",
        "0 to 1",
        (N, RANK_SUM, N_DOCS),
        {
            "No document is relevant (n = 0)": "rnorm([], n_relevant=0, n_docs=1000)",
            "No relevant document is found": "rnorm([], n_relevant=4, n_docs=1000)",
            "The relevant documents come first": "rnorm([1, 2, 3, 4], n_relevant=4, n_docs=1000)",
            "The relevant documents come last": (
                "rnorm([997, 998, 999, 1000], n_relevant=4, n_docs=1000)"
            ),
            "Every document is relevant (n = N)": "rnorm([1, 2, 3], n_relevant=3, n_docs=3)",
            "With a cutoff, ranks after it count as missed": (
                "rnorm([1, 500], n_relevant=2, n_docs=1000, n_max=100)"
            ),
            "A rank is larger than N": "rnorm([1001], n_relevant=1, n_docs=1000)",
            "The collection is too small for the missed documents": (
                "rnorm([999], n_relevant=4, n_docs=1000)"
            ),
        },
        ("rocchio1964", "magdy2010pres"),
    ),
    Card(
        WSS,
        "wss",
        "from R − 1 to below R, where R is the target recall",
        (N, N_DOCS, RECALL, K),
        {
            "No document is relevant (n = 0)": "wss([], n_relevant=0, n_docs=1000)",
            "The recall is never reached": "wss([1, 2, 3], n_relevant=4, n_docs=1000)",
            "The relevant documents come first": "wss([1, 2, 3, 4], n_relevant=4, n_docs=1000)",
            "The last relevant document comes last": "wss([1000], n_relevant=1, n_docs=1000)",
            "Every document is relevant (n = N)": "wss([1, 2, 3], n_relevant=3, n_docs=3)",
            "At least one document must be found": (
                "wss([7], n_relevant=4, n_docs=1000, recall=0.01)"
            ),
            "Recall 1 requires all documents": (
                "wss([1, 2, 3, 500], n_relevant=4, n_docs=1000, recall=1.0)"
            ),
            "The collection is too small for the missed documents": (
                "wss([999], n_relevant=4, n_docs=1000)"
            ),
        },
        ("cohen2006wss",),
    ),
    Card(
        TNR,
        "tnr",
        "0 to 1",
        (N, N_DOCS, RECALL, K, G),
        {
            "No document is relevant (n = 0)": "tnr([], n_relevant=0, n_docs=1000)",
            "The recall is never reached": "tnr([1, 2, 3], n_relevant=4, n_docs=1000)",
            "The relevant documents come first": "tnr([1, 2, 3, 4], n_relevant=4, n_docs=1000)",
            "The last relevant document comes last": "tnr([1000], n_relevant=1, n_docs=1000)",
            "Every document is relevant, and all are found (n = N)": (
                "tnr([1, 2, 3], n_relevant=3, n_docs=3)"
            ),
            "Every document is relevant, and too few are found": (
                "tnr([1], n_relevant=3, n_docs=3)"
            ),
            "The collection is too small for the missed documents": (
                "tnr([999], n_relevant=4, n_docs=1000)"
            ),
        },
        ("kusa2023", "cohen2006wss"),
    ),
    Card(
        LastRel,
        "last_rel",
        "a rank, 1 or more; 0 if no relevant document was found",
        (K_CUT, RANK),
        {
            "No document is relevant (n = 0)": "last_rel([], n_relevant=0)",
            "No relevant document is found": "last_rel([], n_relevant=4)",
            "The relevant documents come first": "last_rel([1, 2, 3, 4], n_relevant=4)",
            "Some are missed: only those found count": "last_rel([1], n_relevant=4)",
            "With a cutoff, ranks after it do not count": "last_rel([1, 500], 2, n_max=100)",
            "All relevant documents come after the cutoff": "last_rel([500], 1, n_max=100)",
        },
    ),
    Card(
        AP,
        "average_precision",
        "0 to 1",
        (N, K_CUT, FOUND, RANK),
        {
            "No document is relevant (n = 0)": "average_precision([], n_relevant=0)",
            "No relevant document is found": "average_precision([], n_relevant=4)",
            "The relevant documents come first": "average_precision([1, 2, 3, 4], n_relevant=4)",
            "Only the first of four is found": "average_precision([1], n_relevant=4)",
            "With a cutoff, ranks after it do not count": (
                "average_precision([1, 500], n_relevant=2, n_max=100)"
            ),
            "n > k, and all results are relevant": (
                "average_precision(range(1, 11), n_relevant=40, n_max=10)"
            ),
        },
        own_name="map",
    ),
    Card(
        R,
        "recall",
        "0 to 1",
        (N, K_CUT, FOUND),
        {
            "No document is relevant (n = 0)": "recall([], n_relevant=0)",
            "No relevant document is found": "recall([], n_relevant=4, n_max=100)",
            "All are found, at any ranks up to k": "recall([1, 98, 99, 100], 4, n_max=100)",
            "A document at rank k + 1 does not count": "recall([1, 101], 4, n_max=100)",
            "n > k, and all results are relevant": "recall(range(1, 11), 40, n_max=10)",
            "Without a cutoff (only this Python function)": "recall([1, 5000], 4)",
        },
        own_name="recall",
    ),
)

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
    if own := card.own_name:
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
    shown = {VALUE_NAMES.get(m.name, m.name): None for m in (card.measure, PRES, AP, R)}
    return measure_tables.systems_table(list(shown))


#: The heads of the columns of the example systems, where they are not the measure's name.
VALUE_NAMES = {
    "PRES": "PRES@100",
    "PRES_est": "PRES_est@100",
    "WSS": "WSS@0.95",
    "TNR": "TNR@0.95",
    "R": "R@100",
}


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
