"""Values that pages and test vectors quote from the papers are those in print."""

import ast
import json
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import variants_by_hand as by_hand

from pres_plugin import average_precision, f_prime, pres, recall
from pres_plugin.study.check import check

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "reproduction.md").read_text(encoding="utf-8")


def literal(name):
    """Return the value that the page's code assigns to a name."""
    (code,) = [c for c in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if f"{name} = " in c]
    (value,) = [
        node.value
        for node in ast.parse(code).body
        if isinstance(node, ast.Assign) and node.targets[0].id == name
    ]
    return ast.literal_eval(value)


def test_the_rankings_of_tables_1_to_3_are_as_printed(papers):
    rows = pd.read_csv(papers / "tables-1-2-3.tsv", sep="\t")
    rows["ranks"] = [tuple(map(int, ranks.split(","))) for ranks in rows["ranks"]]
    four, eight = (rows[rows["table"] == table] for table in ("1-2", "3"))
    columns = ["ap", "recall", "f1", "f_prime_1", "f_prime_4", "pres"]
    printed = four.set_index("ranks")[columns].astype(float)
    assert literal("PRINTED") == {ranks: tuple(row) for ranks, row in printed.T.items()}
    printed = eight[["ranks", "n", "ap", "recall", "pres"]]
    assert literal("EIGHT_TOPICS") == list(printed.itertuples(index=False, name=None))


def test_all_printed_values_agree_except_those_that_the_page_names():
    four, eight = literal("PRINTED"), literal("EIGHT_TOPICS")
    pairs = []
    for ranks, printed in four.items():
        ap, r = average_precision(ranks, 4, 100), recall(ranks, 4, 100)
        f1 = 2 / (100 / len(ranks) + 1 / r)
        ours = (ap, r, f1, f_prime(ap, r), f_prime(ap, r, beta=4), pres(ranks, 4, 100))
        pairs += zip(printed, ours, strict=True)
    for ranks, n, *printed in eight:
        ours = average_precision(ranks, n), recall(ranks, n, 1000), pres(ranks, n, 1000)
        pairs += zip(printed, ours, strict=True)
    wrong = [printed for printed, ours in pairs if not rounds_to(ours, printed)]
    assert (len(pairs), wrong) == (48, [0.0481, 0.0917, 0.462, "0.021"])


def rounds_to(value, printed):
    """Whether a value is within half a unit of the last digit printed, however it was rounded."""
    digits = str(printed).removeprefix("~")
    decimals = len(digits.partition(".")[2])
    return abs(value - float(digits)) <= 0.5000001 * 10**-decimals


VECTORS = json.loads((DOCS / "vectors" / "pres-vectors.json").read_text(encoding="utf-8"))


def test_the_test_vectors_follow_their_schema():
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    schema = json.loads((DOCS / "vectors" / VECTORS["$schema"]).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(VECTORS)


def test_known_variants_score_the_vector_as_the_page_says():
    page = (DOCS / "how-to" / "check-your-implementation.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?:[\w ]+)?\| (.+) \| (-?[\d.]+) \|$", page, re.MULTILINE)
    cases = {case["name"]: case for case in VECTORS["cases"]}
    topic = cases["some-missed"]["expected"]["topics"]["q1"]
    pres = {
        "missed": "the ranks Nmax+n_found+1 to Nmax+n, as in PRES",
        "divisor": "n × Nmax, as in PRES",
    }

    def score(**variant):
        return f"{float(by_hand.score(topic['ranks'], topic['n'], 10, **{**pres, **variant})):.3f}"

    assert dict(rows) == {
        variant: score(**{axis: variant})
        for axis, table in (("missed", by_hand.MISSED), ("divisor", by_hand.DIVISORS))
        for variant in table.keys() - pres.values()
    }
    assert f"and PRES is {score()}" in page
    both = score(missed="rank Nmax", divisor="n(Nmax-n)", clamped=True)
    assert f"and clamping, the score is {both}" in page
    assert {*re.findall(r"^\| .* \| `([\w-]+)` \|$", page, re.MULTILINE)} < cases.keys()


def test_check_recognises_the_readings_of_equation_4():
    found = (3, 8, 20, 31, 54, 77, 100)
    qrels = {"q": dict.fromkeys([*map(str, found), "a", "b", "c"], 1)}
    runs = {"r": {"q": {str(rank): -float(rank) for rank in range(1, 101)}}}
    readings = re.findall(r"^([\d ]+) add (\d+): PRES ([\d.]+)$", PAGE, re.MULTILINE)
    names = [*by_hand.MISSED]
    as_meant, as_printed, from_n_max = names[3], names[4], names[2]
    for variant, (ranks, total, value) in zip(
        (as_meant, as_printed, from_n_max), readings, strict=True
    ):
        assert sum(map(int, ranks.split())) == int(total)
        assert f"{float(by_hand.score(found, 10, 100, variant)):.3f}" == value
        verdict = check(qrels, runs, {"q": value}, 100)
        assert verdict.is_pres == (variant == as_meant)
        assert verdict.is_pres or any(variant in each for each in verdict.matches)
    assert [m * (100 + 10) - m * (m - 1) / 2 for m in (3, 7)] == [327, 749]
    assert float(by_hand.score((1, 2, 3, 4), 4, 100, as_printed)) == -0.025
    assert by_hand.score((1, 2, 3), 10, 100, from_n_max) > Fraction(3, 10)


@pytest.fixture(scope="module")
def table_4(papers):
    """The means of the 48 runs, as the pictures show them."""
    import explained_pictures

    measures = ["AP@1000", "R@1000", "PRES@1000"]
    file = papers / "table4-clef-ip-2009.tsv"
    return explained_pictures.table_4(file, measures).scores.table()[measures]


def test_the_positions_of_table_4_are_as_section_6_2_says(table_4):
    position = table_4.rank(ascending=False).T
    assert {run: position[run].to_list() for run in ("R21", "R12", "R18", "R23")} == {
        "R21": [1, 1, 1],
        "R12": [19.5, 24, 28.5],
        "R18": [40, 3, 11],
        "R23": [22, 2, 2],
    }
    assert len({frozenset(table_4[measure].nsmallest(7).index) for measure in table_4}) == 1
    ends = table_4["PRES@1000"].agg(["idxmax", "max", "idxmin", "min"]).to_list()
    assert "From {} to {}, PRES falls from {} to {};".format(*np.array(ends)[[0, 2, 1, 3]]) in PAGE


def correlation(table, first, second, method="kendall"):
    """The correlation of two columns of Table 4."""
    columns = {"MAP": "AP", "recall": "R"}
    one, other = (table[f"{columns.get(each, each)}@1000"] for each in (first, second))
    return one.corr(other, method=method), attainable(one, other, method)


def attainable(one, other, method):
    """The lowest and the highest correlation that some order of tied runs gives."""
    runs = np.arange(len(one))

    def order(*keys):
        return pd.Series(np.lexsort(keys[::-1]).argsort())

    lowest = order(one, -other, runs).corr(order(other, -one, -runs), method=method)
    return lowest, order(one, other, runs).corr(order(other, one, runs), method=method)


def test_the_correlations_are_those_of_the_printed_columns(table_4):
    rows = re.findall(r"^\| (\w+) and (\w+) \| (\S+) \| (\S+) \|$", PAGE, re.MULTILINE)
    assert len(rows) == 3
    for first, second, *cells in rows:
        for cell, method in zip(cells, ("kendall", "spearman"), strict=True):
            printed, computed = cell.split("/")
            ours, (lowest, highest) = correlation(table_4, first, second, method)
            assert f"{ours:.4f}" == computed
            assert lowest - 0.005 < float(printed) < highest + 0.005
    assert f"is between {lowest:.3f} and {highest:.3f}" in " ".join(PAGE.split())


def test_the_entries_to_cite_are_those_of_the_bibliography():
    entries = re.findall(
        r"^@\w+{(.*),$", (DOCS / "references.bib").read_text(encoding="utf-8"), re.M
    )
    table = (DOCS / "cite.md").read_text(encoding="utf-8").partition("|:--|:--|")[2]
    assert sorted(entries) == sorted(re.findall(r"`(\w+)`", table.partition("\n\n")[0]))


def test_systematic_reviews_are_compared_with_the_printed_values(papers, table_4):
    import systematic_reviews

    for pair, tau in systematic_reviews.PAPER_CORRELATIONS.items():
        assert round(correlation(table_4, *pair)[0], 2) == tau
    table = pd.read_csv(papers / "incomplete-judgements-table1.tsv", sep="\t")
    samples = table.sort_values("sample").groupby(["cutoff", "fraction"])
    assert len(samples) == len(systematic_reviews.PAPER_TAUS)
    for key, taus in systematic_reviews.PAPER_TAUS.items():
        # The printed averages are not always the printed samples' means, rounded.
        means = samples.get_group(key)[["pres", "map", "recall"]].mean()
        np.testing.assert_allclose(taus, means, rtol=0, atol=0.007)
