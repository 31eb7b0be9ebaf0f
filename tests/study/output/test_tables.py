"""Tables show each value in the format of its column, and files contain the plain numbers."""

import json
import math

import pytest

from pres_plugin.study.output import tables
from pres_plugin.study.output.tables import (
    Table,
    count,
    estimate,
    of_measure,
    p_value,
    percent,
    rank,
    score,
    text,
)

NAN = math.nan


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        # Scores keep their decimals, even if all of them are whole.
        (score([0.5, 1.0, 0.0, NAN, None]), ["0.5000", "1.0000", "0.0000", "–", "–"]),
        # Ranks have none, but their means have one.
        (rank([3.0, 0.0, NAN, 1000.0]), ["3", "0", "–", "1000"]),
        (rank([1234.5, 0.0, 17.25]), ["1234.5", "0.0", "17.2"]),
        (count([3, None, 2**62]), ["3", "–", str(2**62)]),
        (p_value([5e-5, 1e-4, 1.0, NAN, 0]), ["<0.0001", "0.0001", "1.0000", "–", "<0.0001"]),
        (percent([0.2, 0.125, 1]), ["20 %", "12.5 %", "100 %"]),
        (estimate([0.5, 1], [0.25, NAN], [1, NAN]), ["0.5000 [0.2500, 1.0000]", "1.0000"]),
        (of_measure("LastRel", [2.0, 3.0]), ["2", "3"]),
        (text(["a\nb", " ", "\udcff"]), [r"a\nb", r"\x20", r"\\udcff"]),
    ],
)
def test_a_column_is_written_in_its_format(column, expected):
    assert Table({"x": column}).texts() == [expected]


@pytest.mark.parametrize(
    ("decimals", "expected"),
    [
        (1, ["0.1", "0.3", "0.1", "<0.1", "1.5"]),
        (-1, ["0.123456789", "0.3333333333333333", "0.0625", "5e-05", "1.5"]),
    ],
)
def test_decimals_can_be_chosen(decimals, expected):
    columns = [score([0.123456789]), score([1 / 3]), score([0.0625]), p_value([5e-5]), rank([1.5])]
    assert [Table({"x": each}).texts(decimals)[0][0] for each in columns] == expected


def test_numbers_are_on_the_right_below_headings_in_words():
    table = Table({"doc_id": text(["a"], "document"), "rank": count([None]), "x": score([1])})
    assert table.printed(2) == (
        "document      rank     x\n----------  ------  ----\na                –  1.00"
    )


ROWS = [
    ("a", 0.1, 1), ("\n", NAN, None), ('"b', 1e-300, 3), ("c\td", -0.5, None), ("", math.inf, 5),
    ("é", 1 / 3, 6), ("\\", 5.0, 10**17),
]  # fmt: skip
LINES = [
    "a\t0.1\t1", "\\n\t\t", '\\"b\t1e-300\t3', "c\\td\t-0.5\t", "\tinf\t5",
    "é\t0.3333333333333333\t6", "\\\\\t5.0\t100000000000000000",
]  # fmt: skip


@pytest.mark.parametrize("n_rows", [0, 7])
def test_files_contain_each_row(n_rows, monkeypatch):
    monkeypatch.setattr(tables, "_CHUNK", 3)
    names, values, ranks = zip(*ROWS, strict=True)
    table = Table({"run": text(names), 'm"': score(values), "rank": count(ranks)})
    table = table.rows(slice(n_rows))
    assert "".join(table.tsv()).splitlines() == ['run\tm"\trank', *LINES[:n_rows]]
    records = json.loads(f"[{''.join(table.json_records())}]")
    finite = [value if math.isfinite(value) else None for value in values]
    expected = list(zip(names, finite, ranks, strict=True))[:n_rows]
    assert [tuple(row.values()) for row in records] == expected
