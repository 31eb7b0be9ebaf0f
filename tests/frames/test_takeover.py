"""Frames of pandas and PyArrow that polars scores: their types come back, and nothing is lost."""

import re
import sys
from decimal import Decimal

import pandas as pd
import pytest
from interpreter import run_python
from scored_topics import check

from pres_plugin.frames import FrameError, score

pa = pytest.importorskip("pyarrow", reason="PyArrow is not installed")

PANDAS_3 = int(pd.__version__.split(".")[0]) >= 3
STRINGS = "str" if PANDAS_3 else "object"
QRELS = {"query_id": ["q1", "q10", "q2"], "doc_id": ["a", "a", "b"], "relevance": [1, 1, 1]}


def run_of(values):
    """Two runs, told apart by the two values: the first ranks q1 correctly, the second q2."""
    first, second = values
    return {
        "system": [first, first, second, second],
        "query_id": ["q1", "q2", "q2", "q1"],
        "doc_id": ["a", "x", "b", "x"],
        "score": [1.0, 1.0, 1.0, 1.0],
    }


def rows_of(values):
    first, second = sorted(values)
    scores = {values[0]: [1.0, 0.0, 0.0], values[1]: [0.0, 0.0, 1.0]}
    return [
        (value, topic, "AP", score)
        for value in (first, second)
        for topic, score in zip(("q1", "q10", "q2"), scores[value], strict=True)
    ]


# pandas 2.0 casts the missing value of categories to numbers with newer versions of numpy.
CATEGORIES_OF_PANDAS_2_0 = pytest.mark.filterwarnings(
    "ignore:invalid value encountered in cast:RuntimeWarning"
)


@CATEGORIES_OF_PANDAS_2_0
@pytest.mark.parametrize(
    ("values", "dtype", "returned"),
    [
        ((9, 10), "int8", "int8"),
        ((2**63, 1), "uint64", "uint64"),
        ((float("inf"), -0.5), "float32", "float32"),
        ((True, False), "bool", "bool"),
        ((9, 10), "Int16", "Int16"),
        ((9, 10), object, "int64"),
        (("b", "a"), "category", STRINGS),
        (("b", "a"), "string", "string"),
        (("b", "a"), object, STRINGS),
        (("b", "a"), pd.ArrowDtype(pa.large_string()), pd.ArrowDtype(pa.large_string())),
        ((Decimal("1.5"), Decimal("0.5")), object, object),
        ((("b", 1), ("a", 2)), object, object),
        ((b"b", b"a"), object, object),
        (pd.to_datetime(["2024-03-02", "2024-03-01"]).tz_localize("Europe/Berlin"), None, None),
        (pd.PeriodIndex(["2024-03", "2024-02"], freq="M"), None, None),
        (pd.IntervalIndex.from_breaks([0, 1, 3])[::-1], None, None),
        (pd.to_timedelta([3, 2], unit="s"), None, None),
    ],
    ids=lambda case: None if case is None else str(case)[:40],
)
def test_runs_of_pandas_are_told_apart_by_values_of_any_type(values, dtype, returned):
    order = [0, 0, 1, 1]
    column = pd.Series(values, dtype=dtype).take(order).reset_index(drop=True)
    run = pd.DataFrame(run_of(values)).assign(system=column)
    result = score(run, pd.DataFrame(QRELS), "AP", by="system")
    assert result["system"].dtype == (column.dtype if returned is None else returned)
    assert list(result.itertuples(index=False, name=None)) == rows_of(list(values))


def test_objects_that_python_cannot_compare_tell_runs_apart_too():
    result = score(pd.DataFrame(run_of(["b", 1])), pd.DataFrame(QRELS), "AP", by="system")
    assert result["system"].tolist() == [1] * 3 + ["b"] * 3


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([9, 10], pa.uint8()),
        ([2, 1], pa.timestamp("s", "Europe/Berlin")),
        ([2, 1], pa.time32("ms")),
        ([2 * 86_400_000, 0], pa.date64()),
        ([2, 1], pa.duration("s")),
        ([Decimal("1.50"), Decimal("1.20")], pa.decimal256(50, 2)),
        ([b"b", b"a"], pa.binary(1)),
        (["b", "a"], pa.large_string()),
        ([True, False], pa.bool_()),
    ],
    ids=str,
)
def test_runs_of_pyarrow_are_told_apart_by_values_of_any_type(values, kind):
    array = pa.array(values, kind)
    run = pa.table(
        {
            **run_of(values),
            "system": pa.chunked_array([array.take([0, 0, 1]), array[1:]]),
        }
    )
    result = score(run, pa.table(QRELS), "AP", by="system")
    assert result.schema.field("system").type == kind
    found = [tuple(row.values()) for row in result.to_pylist()]
    assert found == rows_of(array.to_pylist())


PANDAS_TEXTS = [
    (STRINGS, STRINGS, STRINGS),
    (object, object, STRINGS),
    ("category", object, STRINGS),
    ("string[python]", "string[python]", "string[python]"),
    ("string[pyarrow]", "string[pyarrow]", "string[pyarrow]"),
    ("string[pyarrow]", object, STRINGS),
    *((pd.ArrowDtype(kind), pd.ArrowDtype(kind), pd.ArrowDtype(kind))
      for kind in (pa.string(), pa.large_string())),
    (pd.ArrowDtype(pa.dictionary(pa.int8(), pa.string())), pd.ArrowDtype(pa.string()),
     pd.ArrowDtype(pa.string())),
]  # fmt: skip


@CATEGORIES_OF_PANDAS_2_0
@pytest.mark.parametrize(("of_run", "of_qrels", "returned"), PANDAS_TEXTS, ids=str)
def test_topics_of_pandas_have_the_type_of_both_frames_or_the_usual_one(of_run, of_qrels, returned):
    run, qrels = pd.DataFrame(run_of([1, 2])), pd.DataFrame(QRELS)
    run, qrels = run.astype({"query_id": of_run}), qrels.astype({"query_id": of_qrels})
    result = score(run, qrels, "AP", by="system")
    assert list(result.dtypes) == ["int64", returned, STRINGS, "float64"]
    assert isinstance(result.index, pd.RangeIndex)
    assert result["query_id"].tolist() == ["q1", "q10", "q2"] * 2


def test_missing_values_of_all_kinds_are_found_in_a_column_of_objects():
    for missing in (None, float("nan"), pd.NA):
        for doc_ids in (["a", missing], [missing, "a"]):
            column = pd.Series(doc_ids, dtype=object)
            run = pd.DataFrame({"query_id": "q1", "doc_id": column, "score": 1.0})
            said = "run: topic 'q1' has a document without an id: null in column 'doc_id'"
            with pytest.raises(FrameError, match=said):
                score(run, pd.DataFrame(QRELS), "AP")


def test_ids_that_are_no_text_are_refused_wherever_they_are():
    doc_ids = pd.Series([*map(str, range(200)), 7], dtype=object)
    run = pd.DataFrame({"query_id": "q1", "doc_id": doc_ids, "score": range(201)})
    with pytest.raises(FrameError) as raised:
        score(run, pd.DataFrame(QRELS), "AP")
    assert str(raised.value) == (
        "run: column 'doc_id' contains Object; ids are strings, as in trec_eval and ir-measures, "
        "so cast the column to strings"
    )


@pytest.mark.parametrize(
    ("doc_ids", "contains"),
    [
        (pd.Series([1, 2], dtype="category"), "Int64"),
        (pd.Series(pd.to_datetime(["2026-01-01", "2026-01-02"])).astype("category"), "Datetime"),
        (pd.Series(pd.arrays.ArrowExtensionArray(pa.array([1, 2]).dictionary_encode())), "Int64"),
        (pa.array([1, 2]).dictionary_encode(), "Int64"),
        (pd.Series(pd.arrays.SparseArray(["a", "b"])), "Sparse"),
    ],
    ids=["numbers", "dates", "Arrow's in pandas", "Arrow's", "sparse"],
)
def test_categories_of_other_things_than_text_are_no_ids(doc_ids, contains):
    frame = pa.table if isinstance(doc_ids, pa.Array) else pd.DataFrame
    run = frame({"query_id": ["q1", "q1"], "doc_id": doc_ids, "score": [2.0, 1.0]})
    with pytest.raises(FrameError, match=rf"run: column 'doc_id' contains {contains}.*; ids are"):
        score(run, frame(QRELS), "AP")


@pytest.mark.parametrize("dtype", [">f8", "longdouble", "complex128", "Sparse[float]"])
def test_types_that_narwhals_lacks_are_named(dtype):
    scores = pd.Series([1.0]).astype(dtype)
    run = pd.DataFrame({"query_id": "q1", "doc_id": "a", "score": scores})
    said = f"run: column 'score' contains {scores.dtype}; scores are numbers, so cast the column"
    with pytest.raises(FrameError, match=re.escape(said)):
        score(run, pd.DataFrame(QRELS), "AP")


def test_ids_that_utf_8_lacks_are_refused():
    doc_ids = pd.Series(["a", "\ud800"], dtype=object)
    run = pd.DataFrame({"query_id": "q1", "doc_id": doc_ids, "score": [2.0, 1.0]})
    with pytest.raises(FrameError, match=r"^run: column 'doc_id' contains '\\ud800', which cannot"):
        score(run, pd.DataFrame(QRELS), "AP")


def test_numbers_may_be_missing_only_if_no_row_needs_them():
    run = pd.DataFrame({"query_id": "q1", "doc_id": ["a", "b"]})
    for scores in (pd.array([2, 1], "Int64"), pd.array([2.5, 1], "Float32"), [2.0, 1.0]):
        result = score(run.assign(score=scores), pd.DataFrame(QRELS), "AP")
        check(result.to_dict("records"), dict(zip(
            [("q1", "AP"), ("q10", "AP"), ("q2", "AP")], [1.0, 0.0, 0.0], strict=True
        )))  # fmt: skip
    for scores in (pd.array([2, None], "Int64"), pd.array([2.5, None], "Float32"), [2.0, None]):
        with pytest.raises(FrameError, match="'b': the score is null or NaN"):
            score(run.assign(score=scores), pd.DataFrame(QRELS), "AP")


SMALL = """
import sys
sys.modules[{!r}] = None
import pandas as pd
from pres_plugin.frames import score
run = pd.DataFrame({{"query_id": "q", "doc_id": ["a", "b"], "score": [2, 1], "s": ["x", "x"]}})
qrels = pd.DataFrame({{"query_id": ["q"], "doc_id": ["b"], "relevance": [1]}})
try:
    print(score(run, qrels, "AP", by="s")["value"].tolist())
except ImportError as error:
    print(error)
"""


def test_pandas_does_not_need_pyarrow():
    assert run_python(SMALL.format("pyarrow")) == "[0.5]\n"


def test_polars_is_asked_for_by_the_name_of_the_extra():
    assert run_python(SMALL.format("polars")) == (
        "pres_plugin.frames scores frames in memory with polars, which is not installed; to "
        "install it: pip install 'pres-plugin[frames]'\n"
    )


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows a process its threads")
@pytest.mark.parametrize("used_before", [True, False])
def test_a_fork_without_polars_threads_is_told_what_to_do(used_before):
    code = f"""
import multiprocessing
import pandas as pd
from pres_plugin.frames import score

run = pd.DataFrame({{"query_id": ["q"], "doc_id": ["a"], "score": [1.0]}})
qrels = pd.DataFrame({{"query_id": ["q"], "doc_id": ["a"], "relevance": [1]}})

def scored(_):
    try:
        return score(run, qrels, "AP")["value"].sum()
    except RuntimeError as error:
        return str(error)

if {used_before}:
    scored(0)
with multiprocessing.get_context("fork").Pool(1) as pool:
    print(*pool.map(scored, range(2)), sep="\\n")
"""
    first, second = run_python(code, "-Wignore").splitlines()
    assert first == second
    assert ("start processes with multiprocessing.get_context('spawn')" in first) == used_before
    assert used_before or float(first) == 1
