"""The pages of the single measures are up to date, and what they show is right."""

import random
import re

import ir_measures
import measure_cards
import pytest
from marked_parts import with_parts
from measure_cards import CARDS, SYMBOLS

import pres_plugin
from pres_plugin.measures import declared
from pres_plugin.measures.parsing import parse

# The longest id is as long as in our tests of ranx, so that numba need not compile it again.
QRELS = {"q1": {"EP1203408": 2, "b": 1}, "q2": {"c": 2}}
RUN = {"q1": {"EP1203408": 3.0, "x": 2.0, "b": 1.0}, "q2": {"y": 2.0, "c": 1.0}}

SECTIONS = [
    "Formula",
    "Worked example",
    "When to use it, and when not",
    "What it does not show",
    "Four example systems",
    "Parameters",
    "How to write it",
    "Edge cases",
    "BibTeX",
]

every_card = pytest.mark.parametrize("card", CARDS, ids=lambda card: card.path.stem)


def page_of(card):
    return card.path.read_text(encoding="utf-8")


def section(page, heading):
    """The text below a heading of the second level."""
    return re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", page, flags=re.DOTALL | re.MULTILINE)[1]


def rows(text):
    """The cells of a table's rows, without its head."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [re.split(r" *\| *", line)[1:-1] for line in lines[2:]]


def test_each_measure_has_one_page():
    assert [card.measure for card in CARDS] == list(declared.BY_NAME.values())
    assert {card.path for card in CARDS} == set(measure_cards.FOLDER.glob("*.md"))


@every_card
def test_the_generated_parts_are_up_to_date(card):
    page = page_of(card)
    assert with_parts(page, "table", measure_cards.parts(card)) == page


@every_card
def test_every_page_has_the_same_sections(card):
    headings = re.findall(r"^## (.*)$", page_of(card), flags=re.MULTILINE)
    assert [heading for heading in headings if heading in SECTIONS] == SECTIONS


@every_card
def test_the_formula_uses_the_symbols_that_the_table_defines(card):
    formula = section(page_of(card), "Formula")
    displayed = " ".join(re.findall(r"\$\$(.*?)\$\$", formula, flags=re.DOTALL))
    defined = [row[0] for row in rows(formula)]
    assert defined == [symbol for symbol in SYMBOLS if symbol in card.symbols]
    for symbol in defined:
        name = symbol.strip("$")
        in_text = re.search(rf"\$[^$]*{re.escape(name)}[^$]*\$", formula.partition("<!--")[0])
        assert name in displayed or in_text, symbol


@every_card
def test_the_worked_example_prints_the_value_of_its_equation(card):
    example = section(page_of(card), "Worked example")
    equations = re.findall(r"\$\$(.*?)\$\$", example, flags=re.DOTALL)
    printed = re.search(r"```text\n(.*?)```", example, flags=re.DOTALL)[1].split("\n")
    results = [
        re.search(r"= ([\d.]+)\s*$", part)[1]
        for equation in equations
        for part in equation.split(r"\qquad")
    ]
    assert sorted(results) == sorted(line.split()[-1] for line in printed if line)


@every_card
def test_edge_cases_have_the_values_that_the_page_shows(card):
    cases = rows(section(page_of(card), "Edge cases"))
    assert len(cases) == len(card.edge_cases) >= 6
    for _, call, shown in cases:
        assert call.startswith(f"`{card.function}(")
        if shown.startswith("`ValueError`: "):
            with pytest.raises(ValueError, match=f"^{re.escape(shown.partition(': ')[2])}$"):
                eval(call.strip("`"), vars(pres_plugin).copy())
        else:
            value = eval(call.strip("`"), vars(pres_plugin).copy())
            assert value == pytest.approx(float(shown), abs=5e-5)


@every_card
def test_no_random_ranking_scores_outside_the_range(card):
    choose = random.Random(18)
    score = getattr(pres_plugin, card.function)
    for _ in range(200):
        n_docs = choose.randint(1, 30)
        n = choose.randint(1, n_docs)
        ranks = choose.sample(range(1, n_docs + 1), n)
        last = {"pres": 10, "pres_est": 10, "rnorm": n_docs, "wss": n_docs, "tnr": n_docs}
        value = score(ranks, n, *([last[card.function]] if card.function in last else []))
        low, high = {"wss": (-0.05, 0.95), "last_rel": (0, n_docs)}.get(card.function, (0, 1))
        assert low - 1e-12 <= value <= high


def strings(tool):
    return [
        pytest.param(card, parameter, text, id=text)
        for card in CARDS
        for parameter, text in measure_cards.spellings(card)[tool].items()
        if text
    ]


def in_ir_measures(card, parameter):
    spelt = measure_cards.spellings(card)["ir-measures, PyTerrier"][parameter]
    return ir_measures.parse_measure(spelt)


@pytest.mark.parametrize(("card", "parameter", "text"), strings("ir-measures, PyTerrier"))
def test_ir_measures_and_pres_plugin_read_the_strings(card, parameter, text):
    measure = in_ir_measures(card, parameter)
    assert (measure.NAME, str(measure)) == (card.declaration.name, text)
    assert parameter.startswith("(") or parameter in measure.params
    assert str(parse(text)) == text


@pytest.mark.parametrize(
    ("card", "parameter", "text"), strings("trec_eval's style, in PyTerrier and `pres-eval`")
)
def test_strings_in_the_style_of_trec_eval_mean_the_same(card, parameter, text):
    assert ir_measures.parse_trec_measure(text) == [in_ir_measures(card, parameter)]


@pytest.mark.xdist_group("ranx")
@pytest.mark.parametrize(("card", "parameter", "text"), strings("ranx"))
def test_ranx_scores_the_strings_as_ir_measures_does(card, parameter, text):
    ranx = pytest.importorskip("ranx")
    score = ranx.evaluate(ranx.Qrels(QRELS), ranx.Run(RUN), text)
    expected = in_ir_measures(card, parameter).calc_aggregate(QRELS, RUN)
    assert score == pytest.approx(expected)


@every_card
def test_the_python_function_is_shown_as_it_is_called(card):
    text = section(page_of(card), "How to write it")
    assert f"(../ranks.md#pres_plugin.{card.function})" in text


@every_card
def test_bibtex_is_that_of_the_sources(card):
    entries = re.findall(r"^@\w+\{(\w+),", section(page_of(card), "BibTeX"), flags=re.MULTILINE)
    assert entries == [*card.sources, "pres_plugin"]
