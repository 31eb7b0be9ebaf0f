"""Tables show each value in the format of its column, and files contain the plain numbers."""

import json
import math

import numpy as np
import pandas as pd
import pytest

from pres_plugin.output import tables
from pres_plugin.output.tables import Table, as_measure, as_p_value, as_percent, bounded

NAN = math.nan


@pytest.mark.parametrize(
    ("values", "write", "expected"),
    [
        # Scores keep their decimals, even if all of them are whole.
        ([0.5, 1, 0.0, NAN, None], None, ["0.5000", "1.0000", "0.0000", "–", "–"]),
        ([3, None, 2**62], None, ["3", "–", str(2**62)]),
        ([5e-5, 1e-4, 1.0, NAN], as_p_value, ["<0.0001", "0.0001", "1.0000", "–"]),
        ([0.2, 0.125, 1.0], as_percent, ["20 %", "12.5 %", "100 %"]),
        (bounded([0.5, 1], [0.25, NAN], [1, NAN]), None, ["0.5000 [0.2500, 1.0000]", "1.0000"]),
        (["a\nb", " ", "\udcff"], None, [r"a\nb", r"\x20", r"\\udcff"]),
        (["AP(rel=2)", "R"], as_measure(["AP(rel=2)", "R"]), ["AP", "R"]),
    ],
)
def test_a_column_is_written_in_its_format(values, write, expected):
    options = {} if write is None else {"x": write}
    assert Table({"x": values}, **options).texts() == [expected]


def test_values_of_measures_without_a_direction_are_ranks():
    values = {"LastRel": [3.0, NAN], "NumRet": [1234.5, 17.25], "AP(rel=2)": [0.5, 1.0]}
    table = Table(values, measures=list(values))
    assert table.texts() == [["3", "–"], ["1234.5", "17.2"], ["0.5000", "1.0000"]]
    assert table.headings == ["LastRel", "NumRet", "AP"]


def test_decimals_can_be_chosen():
    table = Table({"x": [1 / 3], "p": [5e-5]}, p=as_p_value)
    assert table.texts(1) == [["0.3"], ["<0.1"]]
    assert table.texts(-1) == [["0.3333333333333333"], ["5e-05"]]


def test_numbers_are_on_the_right_below_headings_in_words():
    table = Table({"doc_id": ["a"], "rank": [7], "x": [1.0]}, {"doc_id": "document"})
    assert table.printed(2) == (
        "document      rank     x\n----------  ------  ----\na                7  1.00"
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
@pytest.mark.parametrize("library", [dict, pd.DataFrame])
def test_files_contain_each_row_of_any_frame(n_rows, library, monkeypatch, tmp_path):
    monkeypatch.setattr(tables, "_CHUNK", 3)
    names, values, ranks = zip(*ROWS, strict=True)
    columns = {"run": names, 'm"': np.array(values), "rank": np.array(ranks, dtype=object)}
    table = Table(library(columns)).rows(slice(n_rows))
    table.write_tsv(tmp_path / "t.tsv")
    written = (tmp_path / "t.tsv").read_text(encoding="utf-8").splitlines()
    assert written == ['run\tm"\trank', *LINES[:n_rows]]
    records = json.loads(f"[{''.join(table.json_records())}]")
    finite = [value if math.isfinite(value) else None for value in values]
    expected = list(zip(names, finite, ranks, strict=True))[:n_rows]
    assert [tuple(row.values()) for row in records] == expected
