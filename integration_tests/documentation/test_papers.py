"""Values that pages and test vectors quote from the papers are those in print."""

import ast
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import variants_by_hand as by_hand

from pres_plugin import average_precision, f_prime, pres, recall

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "reproduction.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def papers(data):
    return data / "papers"


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


def correlation(papers, first, second):
    """Kendall's tau of two columns of Table 4."""
    table = pd.read_csv(papers / "table4-clef-ip-2009.tsv", sep="\t")
    columns = {"AP": "map", "MAP": "map", "R": "recall", "recall": "recall", "PRES": "pres"}
    return table[columns[first]].corr(table[columns[second]], method="kendall")


def test_the_correlations_are_those_of_the_printed_columns(papers):
    rows = re.findall(r"^\| (\w+) and (\w+) \| ([\d.]+) \| ([\d.]+) \|$", PAGE, re.MULTILINE)
    assert len(rows) == 3
    for first, second, printed, computed in rows:
        assert f"{correlation(papers, first, second):.4f}" == computed
        assert computed.startswith(printed)


def test_systematic_reviews_are_compared_with_the_printed_values(papers):
    import systematic_reviews

    for pair, tau in systematic_reviews.PAPER_CORRELATIONS.items():
        assert round(correlation(papers, *pair), 2) == tau
    table = pd.read_csv(papers / "incomplete-judgements-table1.tsv", sep="\t")
    samples = table.sort_values("sample").groupby(["cutoff", "fraction"])
    assert len(samples) == len(systematic_reviews.PAPER_TAUS)
    for key, taus in systematic_reviews.PAPER_TAUS.items():
        # The printed averages are not always the printed samples' means, rounded.
        means = samples.get_group(key)[["pres", "map", "recall"]].mean()
        np.testing.assert_allclose(taus, means, rtol=0, atol=0.007)
