"""Parquet files are read by the names of their columns, and wrong columns and rows are named."""

import polars as pl
import pytest
from written import COLUMNS

from pres_plugin.formats import FileError, read_qrels, read_run

WRITERS = {
    "polars": lambda frame, path: frame.write_parquet(path, row_group_size=2),
    "pyarrow": lambda frame, path: frame.write_parquet(path, use_pyarrow=True),
    "pandas": lambda frame, path: frame.to_pandas().to_parquet(path),
    "categories": lambda frame, path: frame.with_columns(
        pl.col(pl.String).cast(pl.Categorical)
    ).write_parquet(path),
}


GOOD = {"query_id": ["q1", "q1"], "doc_id": ["a", "b"], "score": [2.0, 1.0]}


def write_changed(**columns):
    """Write a table to ``file``; values that are None leave the column out."""
    columns = {name: values for name, values in (GOOD | columns).items() if values is not None}
    pl.DataFrame(columns).write_parquet("file")
    return "file"


@pytest.mark.usefixtures("write")
@pytest.mark.parametrize("dtype", [pl.Int8, pl.UInt32])
def test_numbers_may_have_any_type(dtype):
    numbers = pl.Series([2, 1], dtype=dtype)
    assert read_run(write_changed(score=numbers)) == {"q1": {"a": 2.0, "b": 1.0}}
    assert read_qrels("file") == {"q1": {"a": 2, "b": 1}}
    path = write_changed(score=None, rank=numbers)
    assert read_run(path) == {"q1": {"a": -2.0, "b": -1.0}}


@pytest.mark.usefixtures("write")
@pytest.mark.parametrize("names", COLUMNS.values(), ids=COLUMNS)
@pytest.mark.parametrize("writer", WRITERS.values(), ids=WRITERS)
def test_tables_of_other_tools_are_read(writer, names):
    topic, doc, score, relevance = names
    rows = [
        ("text", "q 1", '"é"', 0.1, 2),
        ("", "q 1", "1e3", -1e300, -1),
        ("x", "2", "\n", 3.0, 0),
    ]
    for number, read, i in ((score, read_run, 3), (relevance, read_qrels, 4)):
        table = [(*row[:3], row[i]) for row in rows]
        writer(pl.DataFrame(table, ["x", topic, doc, number], orient="row"), "file")
        of_q1 = {'"é"': rows[0][i], "1e3": rows[1][i]}
        assert read("file") == {"q 1": of_q1, "2": {"\n": rows[2][i]}}


EMPTY = pl.Series([], dtype=pl.String)
WRONG_RUNS = [
    ({"score": None}, "no column score.*query_id, doc_id"),
    ({"query_id": [1, 2]}, "column query_id .*Int64"),
    ({"score": ["2", "1"]}, "column score .*String"),
    ({"score": [2.0, None]}, "score is missing"),
    ({"score": [2.0, float("nan")]}, "topic 'q1', document 'b': .*NaN"),
    ({"doc_id": ["a", "a"]}, "document 'a' is in topic 'q1'"),
    ({"score": None, "rank": [3, 3]}, "topic 'q1': documents 'a' and 'b' .*rank 3"),
    ({"query_id": EMPTY, "doc_id": EMPTY, "score": EMPTY.cast(pl.Float64)}, "no rows"),
]


@pytest.mark.parametrize(("columns", "said"), WRONG_RUNS)
def test_wrong_runs_are_named(read, columns, said):
    with pytest.raises(FileError, match=f"^file: .*{said}"):
        read(write_changed(**columns))


WRONG_LABELS = [
    ([1.0, 0.5], r"topic 'q1', document 'b': .*relevance 0\.5 is not a whole number"),
    (["1", "0"], "column label .*String"),
    (pl.Series([1, 1 << 63], dtype=pl.UInt64), f"topic 'q1', document 'b': .*{1 << 63}.*64 bits"),
]


@pytest.mark.usefixtures("write")
@pytest.mark.parametrize(("label", "said"), WRONG_LABELS)
def test_wrong_judgements_are_named(label, said):
    with pytest.raises(FileError, match=f"^file: {said}"):
        read_qrels(write_changed(score=None, label=label))


@pytest.mark.parametrize("content", [b"no Parquet\n", b"PAR1 and no footer"])
def test_what_is_no_parquet_file_is_named(read, write, content):
    with pytest.raises(FileError, match=r"^a\.parquet: .*Parquet"):
        read(write(content, "a.parquet"))
