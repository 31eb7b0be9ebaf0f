"""Parquet files are read by the names of their columns, and wrong columns and rows are named."""

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
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
IDS = st.text(st.characters(exclude_characters="\0", codec="utf-8"), min_size=1, max_size=6)
ROWS = st.dictionaries(
    st.tuples(IDS, IDS),
    st.tuples(st.floats(allow_nan=False), st.integers(-(1 << 63), (1 << 63) - 1)),
    min_size=1,
    max_size=6,
)


@pytest.mark.parametrize("writer", WRITERS.values(), ids=WRITERS)
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    max_examples=settings.default.max_examples // 3,
)
@given(ROWS, st.sampled_from([*COLUMNS.values()]))
def test_any_run_and_judgements_are_read_back(write, writer, rows, names):
    topic, doc, number, relevance = names
    for name, read, i in ((number, read_run, 0), (relevance, read_qrels, 1)):
        expected = {}
        for (q, d), numbers in rows.items():
            expected.setdefault(q, {})[d] = numbers[i]
        table = [("text", q, d, numbers[i]) for (q, d), numbers in rows.items()]
        frame = pl.DataFrame(table, schema=["text", topic, doc, name], orient="row")
        writer(frame, "file")
        assert read("file") == expected


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
    ([1.0, 2.0], "column label .*Float64"),
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
