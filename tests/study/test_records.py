"""Tables as JSON: the same as encoding each row."""

import json
import math

import pandas as pd
import pytest

from pres_plugin.study import records


@pytest.mark.parametrize("n_rows", [0, 1, 3, 7])
def test_records_are_those_of_each_row(n_rows, monkeypatch):
    monkeypatch.setattr(records, "_CHUNK", 3)
    frame = pd.DataFrame(
        {
            "run": ["a", '"\n', "é", "a", "%s", "a", "b"],
            '100 % of\t"': [0.1, math.nan, 1e-300, -0.0, math.inf, 1 / 3, 5.0],
            "rank": [1, 2, 3, 4, 5, 6, 10**17],
            "anything": pd.Series([1, True, 1.0, None, "1", math.nan, False], dtype=object),
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
