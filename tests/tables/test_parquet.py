"""Parquet files are read by the names of their columns, and wrong columns and rows are named."""

import polars as pl
import pytest
from beginnings import raises

from pres_plugin import InputError
from pres_plugin.files import read_qrels, read_run

pytestmark = pytest.mark.usefixtures("write")


@pytest.mark.parametrize("options", [{"row_group_size": 2}, {"use_pyarrow": True}])
@pytest.mark.parametrize("kind", [pl.String, pl.Categorical])
def test_tables_of_other_writers_are_read(kind, options):
    ids = {"qid": ["q 1", "q 1", "2"], "x": "", "docno": ['"é"', "1e3", "\n"]}
    table = pl.DataFrame({**ids, "score": [0.1, -1e300, 3.0]})
    table.with_columns(pl.col(pl.String).cast(kind)).write_parquet("file", **options)
    assert read_run("file") == {"q 1": {'"é"': 0.1, "1e3": -1e300}, "2": {"\n": 3.0}}


def write(**columns):
    """Write a table of two rows; values that are None leave the column out."""
    columns = {"query_id": ["q1", "q1"], "doc_id": ["a", "b"], "score": [2.0, 1.0]} | columns
    pl.DataFrame({name: v for name, v in columns.items() if v is not None}).write_parquet("file")
    return "file"


@pytest.mark.parametrize("dtype", [pl.Int8, pl.UInt32])
def test_numbers_may_have_any_type(dtype):
    numbers = pl.Series([2, 1], dtype=dtype)
    assert read_run(write(score=numbers)) == {"q1": {"a": 2.0, "b": 1.0}}
    assert read_qrels("file") == {"q1": {"a": 2, "b": 1}}
    assert read_run(write(score=None, rank=numbers)) == {"q1": {"a": -2.0, "b": -1.0}}


EMPTY = pl.Series([], dtype=pl.String)
WRONG_RUNS = [
    ({"query_id": [1.0, 2.0]}, "column 'query_id' .*Float64"),
    ({"score": [b"2", b"1"]}, "column 'score' .*Binary"),
    ({"score": [2.0, None]}, "topic 'q1', document 'b': the score is missing"),
    (
        {"query_id": EMPTY, "doc_id": EMPTY, "score": EMPTY.cast(pl.Float64)},
        "the file is empty, or contains no rows",
    ),
]
WRONG_LABELS = {"score": None, "label": ["1", "X"]}


@pytest.mark.parametrize(
    ("read", "columns", "said"),
    [(read_run, *each) for each in WRONG_RUNS]
    + [
        (
            read_qrels,
            WRONG_LABELS,
            r"topic 'q1', document 'b': the relevance is 'X'.*--grades \"X=…\"",
        )
    ],
)
def test_what_is_wrong_is_named(read, columns, said):
    with raises(InputError, f"file: {said}"):
        read(write(**columns))
