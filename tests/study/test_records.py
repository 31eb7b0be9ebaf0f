"""Tables written as JSON and TSV contain the values of every row."""

import json
import math

import pandas as pd
import pytest

from pres_plugin.study import records


@pytest.fixture(params=[0, 1, 3, 7])
def n_rows(request, monkeypatch):
    """The number of rows to write, three at a time."""
    monkeypatch.setattr(records, "_CHUNK", 3)
    return request.param


def test_records_are_those_of_each_row(n_rows):
    frame = pd.DataFrame(
        {
            "run": ["a", '"\n', "é", "a", "%s", "a", "b"],
            '100 % of\t"': [0.1, math.nan, 1e-300, -0.0, math.inf, 1 / 3, 5.0],
            "rank": [1, 2, 3, 4, 5, 6, 10**17],
            "missing": pd.Series([1, None, 3, None, 5, 6, 7], dtype=object),
            "flag": [True, False, True, True, False, False, True],
        }
    ).head(n_rows)
    expected = [
        {
            name: None if isinstance(value, float) and not math.isfinite(value) else value
            for name, value in row.items()
        }
        for row in frame.to_dict("records")
    ]
    lines = "".join(records.json_records(frame)).split("\n")
    assert len(lines) == n_rows + 1
    found = json.loads(f"[{''.join(lines)}]")
    assert found == expected
    assert list(map(repr, found)) == list(map(repr, expected))  # 1, 1.0 and True are equal


def test_each_record_is_a_line_of_tsv(n_rows):
    frame = pd.DataFrame(
        {
            "run": ["a", "\n", '"b', "c\td", "", "a", "\\"],
            'm"': [0.1, math.nan, 1e-300, -0.0, math.inf, 1 / 3, 5.0],
            "rank": pd.Series([1, None, 3, None, 5, 6, 10**17], dtype=object),
        }
    ).head(n_rows)
    header, *lines = "".join(records.tsv(frame)).removesuffix("\n").split("\n")
    assert header == 'run\tm"\trank'
    names = ["a", r"\n", r"\"b", r"c\td", "", "a", r"\\"]
    rows = [line.split("\t") for line in lines]
    assert [row[0] for row in rows] == names[:n_rows]
    values = [None if math.isnan(value) else value for value in frame['m"']]
    assert [float(row[1]) if row[1] else None for row in rows] == values
    assert [int(row[2]) if row[2] else None for row in rows] == frame["rank"].tolist()
