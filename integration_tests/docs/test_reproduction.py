"""Values that docs/reproduction.md quotes from the papers, checked against their tables."""

import ast
import re
from pathlib import Path

import pytest

pd = pytest.importorskip("pandas", reason="pandas is not installed")

PAGE = (Path(__file__).parents[2] / "docs" / "reproduction.md").read_text(encoding="utf-8")


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


@pytest.fixture(scope="module")
def examples(papers):
    table = pd.read_csv(papers / "tables-1-2-3.tsv", sep="\t")
    table["ranks"] = [tuple(map(int, ranks.split(","))) for ranks in table["ranks"]]
    return table


def test_the_four_systems_are_as_printed(examples):
    columns = ["ap", "recall", "f1", "f_prime_1", "f_prime_4", "pres"]
    table = examples[examples["table"] == "1-2"].set_index("ranks")[columns].astype(float)
    assert literal("PRINTED") == {ranks: tuple(row) for ranks, row in table.T.items()}
    assert len(table) == 4


def test_the_eight_topics_are_as_printed(examples):
    table = examples[examples["table"] == "3"]
    columns = ["ranks", "n", "ap", "recall", "pres"]
    assert literal("EIGHT_TOPICS") == list(table[columns].itertuples(index=False, name=None))
    assert len(table) == 8


def test_the_correlations_are_those_of_the_printed_columns(papers):
    table = pd.read_csv(papers / "table4-clef-ip-2009.tsv", sep="\t")
    columns = {"MAP": "map", "recall": "recall", "PRES": "pres"}
    rows = re.findall(r"^\| (\w+) and (\w+) \| ([\d.]+) \| ([\d.]+) \|$", PAGE, re.MULTILINE)
    assert len(rows) == 3
    for first, second, printed, computed in rows:
        tau = table[columns[first]].corr(table[columns[second]], method="kendall")
        assert f"{tau:.4f}" == computed
        assert computed.startswith(printed)
