"""Numbers in tables, formatted for display."""

import math

import numpy as np
import pandas as pd
import pytest

from pres_plugin.study.cells import Estimate, as_text, has_numbers, written, written_columns
from pres_plugin.study.headings import heading

NAN = math.nan


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        # Scores keep their decimals, even if all of them are whole.
        ([0.5, 1.0, 0.0], ["0.5000", "1.0000", "0.0000"]),
        ([1.0, -1.0, 0.0], ["1.0000", "-1.0000", "0.0000"]),
        ([0.0], ["0.0000"]),
        # Whole numbers have none, whatever their type.
        ([3, 2**62], ["3", str(2**62)]),
        ([3.0, 0.0, NAN, 1000.0], ["3", "0", "–", "1000"]),
        ([np.int64(7), None], ["7", "–"]),
        ([7.0, None, 8], ["7", "–", "8"]),
        # Means of ranks have one, but effects above 1 are like scores.
        ([1234.5, 0.0, 17.25], ["1234.5", "0.0", "17.2"]),
        ([2.5, 0.25], ["2.5000", "0.2500"]),
        ([-350.25, 0.0125], ["-350.2500", "0.0125"]),
        ([math.inf, 0.5], ["inf", "0.5000"]),
        # Zero has no sign.
        ([-0.00001, 0.5, -0.0], ["0.0000", "0.5000", "0.0000"]),
        (["a\nb", None], [r"a\nb", "–"]),
        ([Estimate(0.5, 0.25, 1.0), Estimate(1, NAN, NAN)], ["0.5000 [0.2500, 1.0000]", "1.0000"]),
        ([Estimate(20, 10.5, 30)], ["20.0 [10.5, 30.0]"]),
    ],
)
def test_a_column_is_written_for_people(values, expected):
    assert written(pd.Series(values, dtype=object), 4) == expected
    if not any(isinstance(value, Estimate) for value in values):
        assert written(pd.Series(values), 4) == expected


def test_decimals_can_be_chosen():
    column = pd.Series([0.123456789, 1 / 3])
    assert written(column, 2) == ["0.12", "0.33"]
    assert written(column, 0) == ["0", "0"]
    assert [float(text) for text in written(column, -1)] == column.tolist()
    assert written(pd.Series([2.0, 5.0]), -1) == ["2", "5"]


def test_ranks_and_scores_in_one_column_have_their_own_decimals():
    frame = pd.DataFrame({
        "measure": ["PRES@10", "LastRel", "NumRet", "PRES@10", "LastRel", "NumRet"],
        "difference": [0.5, 350.25, 100.0, 1.0, 0.0, 20.0],
        "p_value": [0.5, 0.00001, 1.0, 1.0, 1.0, 1.0],
    })  # fmt: skip
    assert written_columns(frame)[1:] == [
        ["0.5000", "350.2", "100", "1.0000", "0.0", "20"],
        ["0.5000", "<0.0001", "1.0000", "1.0000", "1.0000", "1.0000"],
    ]


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        (4, ["<0.0001", "0.0001", "1.0000", "–", "<0.0001"]),
        (1, ["<0.1", "<0.1", "1.0", "–", "<0.1"]),
        (-1, ["5e-05", "0.0001", "1.0", "–", "0.0"]),
    ],
)
def test_no_p_value_is_0(places, expected):
    assert written(pd.Series([5e-5, 1e-4, 1.0, NAN, 0.0], name="p_value"), places) == expected


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, 2], True),
        ([0.5, NAN], True),
        ([1, None], True),
        ([None], False),
        ([], False),
        (["0.5 [0.4, 0.6]"], True),
        (["20 %"], True),
        (["301"], False),
        ([1, "a"], False),
    ],
)
def test_columns_of_numbers_are_recognised(values, expected):
    assert has_numbers(pd.Series(values, dtype=object)) is expected


def test_tables_have_headings_in_words_and_numbers_on_the_right():
    frame = pd.DataFrame(
        {"doc_id": ["a"], "rank": pd.Series([None], dtype=object), "tau_ap": [1.0]}
    )
    assert as_text(frame, 2).splitlines()[0] == "document    rank      AP-weighted τ"
    assert as_text(frame.assign(rank=12), 2).splitlines()[2].split() == ["a", "12", "1.00"]
    assert heading("tau_ap_reversed") == "AP-weighted τ, reversed"


def test_no_heading_is_a_name_in_code():
    from pres_plugin.study import headings

    assert not any("_" in text for text in headings._HEADINGS.values())
