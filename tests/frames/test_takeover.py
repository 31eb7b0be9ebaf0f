"""Frames of pandas and PyArrow that polars scores: their types come back, and nothing is lost."""

import re
import sys
from decimal import Decimal

import pandas as pd
import pytest
from interpreter import run_python

from pres_plugin import InputError
from pres_plugin.frames import score

pa = pytest.importorskip("pyarrow", reason="PyArrow is not installed")

QRELS = {"query_id": ["q1", "q10", "q2"], "doc_id": ["a", "a", "b"], "relevance": [1, 1, 1]}
# pandas 2.0 casts the missing value of categories to numbers with newer versions of numpy.
CATEGORIES_OF_PANDAS_2_0 = pytest.mark.filterwarnings(
    "ignore:invalid value encountered in cast:RuntimeWarning"
)


def run_of(first, second):
    """Two runs, told apart by the two values: the first ranks q1 correctly, the second q2."""
    return {
        "system": [first, first, second, second],
        "query_id": ["q1", "q2", "q2", "q1"],
        "doc_id": ["a", "x", "b", "x"],
        "score": [1.0, 1.0, 1.0, 1.0],
    }


def series(values, dtype=None):
    return pd.Series(values, dtype=dtype)


TEXT = series(["usual"]).dtype


def rows_of(values):
    """Return the result of `run_of(*values)`, whose values are in descending order."""
    scores = zip([values[1]] * 3 + [values[0]] * 3, ["q1", "q10", "q2"] * 2, strict=True)
    return [(*key, "AP", value) for key, value in zip(scores, [0, 0, 1, 1, 0, 0], strict=True)]


@CATEGORIES_OF_PANDAS_2_0
@pytest.mark.parametrize(
    ("column", "returned"),
    [
        (series([10, 9], "Int16"), "Int16"),
        (series([10, 9], "int16[pyarrow]"), "int16[pyarrow]"),
        (series(["b", "a"], "string"), "string"),
        # Objects and categories get the type that pandas infers from their values.
        (series([10, 9], object), "int64"),
        (series(["b", "a"], "category"), TEXT),
        (series([Decimal("1.5"), Decimal("0.5")]), "object"),
        (series(pd.to_datetime([2, 1], unit="ns", utc=True)), "datetime64[ns, UTC]"),
    ],
    ids=str,
)
def test_runs_of_pandas_are_told_apart_by_values_of_many_types(column, returned):
    column = column.take([0, 0, 1, 1]).reset_index(drop=True)
    run = pd.DataFrame(run_of(0, 1)).assign(system=column)
    result = score(run, pd.DataFrame(QRELS), "AP", by="system")
    assert result["system"].dtype == returned
    assert list(result.itertuples(index=False, name=None)) == rows_of(column.unique().tolist())


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([10, 9], pa.uint8()),
        ([2, 1], pa.timestamp("s", "Europe/Berlin")),
        ([2 * 86_400_000, 0], pa.date64()),
        (["b", "a"], pa.large_string()),
    ],
    ids=str,
)
def test_runs_of_pyarrow_are_told_apart_by_values_of_many_types(values, kind):
    array = pa.array(values, kind)
    chunks = pa.chunked_array([array.take([0, 0, 1]), array[1:]])
    run = pa.table({**run_of(0, 1), "system": chunks})
    result = score(run, pa.table(QRELS), "AP", by="system")
    assert result.schema.types == [kind, pa.string(), pa.string(), pa.float64()]
    assert [tuple(row.values()) for row in result.to_pylist()] == rows_of(array.to_pylist())


@pytest.mark.parametrize(
    "values",
    [
        pd.PeriodIndex(["2024-03", "2024-02"], freq="M"),
        series(["b", 1]),
    ],
    ids=lambda values: str(values.dtype),
)
def test_runs_are_not_told_apart_by_values_that_polars_lacks(values):
    run = pd.DataFrame(run_of(*values))
    said = f"run: column 'system' contains {run['system'].dtype}; polars cannot compare them, so "
    with pytest.raises(InputError, match=re.escape(said + "cast the column to strings")):
        score(run, pd.DataFrame(QRELS), "AP", by="system")


@CATEGORIES_OF_PANDAS_2_0
@pytest.mark.parametrize(
    ("of_run", "of_qrels", "returned"),
    [
        *((kind, kind, kind) for kind in ("string[python]", "string[pyarrow]")),
        *((kind, kind, kind) for kind in map(pd.ArrowDtype, (pa.string(), pa.large_string()))),
        *((kind, "object", None) for kind in ("object", "category", "string[pyarrow]")),
    ],
    ids=str,
)
def test_topics_of_pandas_have_the_type_of_both_frames_or_the_usual_one(of_run, of_qrels, returned):
    run = pd.DataFrame(run_of(2, 1)).astype({"query_id": of_run, "doc_id": of_run})
    result = score(run, pd.DataFrame(QRELS).astype({"query_id": of_qrels}), "AP", by="system")
    assert list(result.dtypes) == ["int64", returned or TEXT, TEXT, "float64"]
    assert list(result.itertuples(index=False, name=None)) == rows_of([2, 1])


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA], ids=str)
def test_missing_ids_of_all_kinds_are_found_in_a_column_of_objects(missing):
    doc_ids = series([missing, "a"], object)
    run = pd.DataFrame({"query_id": "q1", "doc_id": doc_ids, "score": 1.0})
    with pytest.raises(InputError, match="run: topic 'q1' has a document without an id: null in"):
        score(run, pd.DataFrame(QRELS), "AP")


NUMBERS = pa.array([1, 2]).dictionary_encode()
IDS = "ids are strings, as in trec_eval and ir-measures, so cast the column to strings"


@pytest.mark.parametrize(
    ("column", "values", "said"),
    [
        ("doc_id", series([*map(str, range(200)), 7], object), f"contains object; {IDS}"),
        ("doc_id", series([1, 2], "category"), f"contains Int64; {IDS}"),
        ("doc_id", NUMBERS, f"contains Int64; {IDS}"),
        ("doc_id", series(["a", "\ud800"], object), "contains '\\ud800', which cannot be written"),
        ("score", series([1.0]).astype(">f8"), "contains >f8; scores are numbers, so cast the"),
    ],
    ids=lambda case: str(getattr(case, "dtype", ""))[:20],
)  # fmt: skip
def test_columns_that_are_no_ids_or_scores_are_refused(column, values, said):
    frame = pa.table if isinstance(values, pa.Array) else pd.DataFrame
    columns = {"query_id": ["q1"] * len(values), "doc_id": [*map(str, range(len(values)))]}
    run = frame({**columns, "score": [1.0] * len(values), column: values})
    with pytest.raises(InputError, match=re.escape(f"run: column '{column}' {said}")):
        score(run, frame(QRELS), "AP")


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
        "pres_plugin.frames scores frames in memory with polars, which is not installed; in a "
        "clone of pres-plugin, run: pip install '.[frames]'\n"
    )


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows a process its threads")
@pytest.mark.parametrize("used_before", [True, pytest.param(False, marks=pytest.mark.release)])
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
