"""Frames of each library are scored, and the result comes back in it with the run's types."""

import re
from decimal import Decimal

import duckdb
import frame_contract
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from beginnings import raises
from frame_contract import FEW, QRELS, RUN, refused
from frame_libraries import DUCKDB, IBIS, LAZY, LIBRARIES, MARKS, PANDAS, POLARS
from scored_topics import check, expected, qrels_table, run_table

from pres_plugin import InputError
from pres_plugin.frames import score

# What Ibis 12 calls in DuckDB 2.
pytestmark = pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")


@pytest.fixture(
    params=[pytest.param(one, id=one.name, marks=MARKS.get(one.name, ())) for one in LIBRARIES]
)
def library(request):
    return request.param


class TestContract(frame_contract.Contract):
    pass


# --- The types of columns. -----------------------------------------------------------------------

TOPICS = {"query_id": ["q1", "q10", "q2"], "doc_id": ["a", "a", "b"], "relevance": [1, 1, 1]}
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
    result = score(run, pd.DataFrame(TOPICS), "AP", by="system")
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
    result = score(run, pa.table(TOPICS), "AP", by="system")
    assert result.schema.types == [kind, pa.string(), pa.string(), pa.float64()]
    assert [tuple(row.values()) for row in result.to_pylist()] == rows_of(array.to_pylist())


@pytest.mark.parametrize("kind", ["UTINYINT", "DATE", "ENUM ('x', 'a', 'b')"])
def test_runs_of_duckdb_are_told_apart_by_values_of_many_types(kind):
    value = {"DATE": "DATE '2024-02-01'", "ENUM": "'a'"}.get(kind.split()[0], "7")
    row = duckdb.sql(f"SELECT CAST({value} AS {kind}) AS s, 'q' AS query_id, 'a' AS doc_id, 1 AS n")
    result = score(row, row, "AP", by="s", score="n", relevance="n")
    assert str(result.types[0]) == ("VARCHAR" if "ENUM" in kind else kind)
    assert result.fetchall() == [(row.fetchall()[0][0], "q", "AP", 1.0)]


@pytest.mark.parametrize(
    "values",
    [pd.PeriodIndex(["2024-03", "2024-02"], freq="M"), series(["b", 1])],
    ids=lambda values: str(values.dtype),
)
def test_runs_are_not_told_apart_by_values_that_polars_lacks(values):
    run = pd.DataFrame(run_of(*values))
    said = "polars cannot compare them, so cast the column to strings"
    with raises(InputError, f"run: column 'system' contains .*{said}"):
        score(run, pd.DataFrame(TOPICS), "AP", by="system")


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA], ids=str)
def test_missing_ids_of_all_kinds_are_found_in_a_column_of_objects(missing):
    doc_ids = series([missing, "a"], object)
    run = pd.DataFrame({"query_id": "q1", "doc_id": doc_ids, "score": 1.0})
    with raises(InputError, "run: topic 'q1': the document in column 'doc_id' is empty"):
        score(run, pd.DataFrame(TOPICS), "AP")


IDS = "ids are strings, as in trec_eval and ir-measures, so cast the column to strings"


@pytest.mark.parametrize(
    ("column", "values", "said"),
    [
        ("doc_id", series([*map(str, range(200)), 7], object), "contains object ('int' object"),
        ("doc_id", series([1, 2], "category"), f"contains Int64; {IDS}"),
        ("doc_id", pa.array([1, 2]).dictionary_encode(), f"contains Int64; {IDS}"),
        ("doc_id", series(["a", "\ud800"], object), "contains object ('utf-8' codec can't encode"),
        ("score", series([1.0]).astype(">f8"), "contains >f8 ("),
    ],
    ids=range(5),
)  # fmt: skip
def test_columns_that_polars_cannot_read_are_refused(column, values, said):
    frame = pa.table if isinstance(values, pa.Array) else pd.DataFrame
    columns = {"query_id": ["q1"] * len(values), "doc_id": [*map(str, range(len(values)))]}
    run = frame({**columns, "score": [1.0] * len(values), column: values})
    with raises(InputError, re.escape(f"run: column '{column}' {said}")):
        score(run, frame(TOPICS), "AP")


@pytest.mark.parametrize(
    ("library", "frame"),
    [(PANDAS, pd.DataFrame), (POLARS, pl.DataFrame), (LAZY, pl.LazyFrame)],
    ids=str,
)
def test_an_empty_frame_without_types_is_scored(library, frame):
    run = frame({name: [] for name in ("query_id", "doc_id", "score")})
    rows = library.rows(score(run, library.frame(qrels_table(QRELS)), FEW))
    check(rows, dict.fromkeys(expected(FEW, QRELS, RUN), 0.0))


# --- The names of columns. -----------------------------------------------------------------------


def with_levels(run):
    run.columns = pd.MultiIndex.from_product([run.columns, ["x"]])
    return run


MUST_BE_STRINGS = "; column names must be strings, so rename those that are not"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (with_levels, "these columns are missing: query_id, doc_id and score or rank; the columns "
                      f"are none{MUST_BE_STRINGS}"),
        (lambda run: run.rename(columns={"score": 3}),
         "there is no column score or rank; the columns are query_id, doc_id"
         f"{MUST_BE_STRINGS}"),
        (lambda run: run.set_index(["query_id", "doc_id"]),
         "these columns are missing: query_id and doc_id; the columns are score"
         "; ['query_id', 'doc_id'] are levels of the index; "
         "call reset_index() to make them columns"),
        (lambda run: pd.concat([run, run[["score"]]], axis=1), "Expected unique column names"),
        (lambda run: run.assign(qid="q"),
         "columns query_id and qid have the same meaning; rename all but one of them"),
    ],
    ids=range(5),
)  # fmt: skip
def test_columns_of_pandas_that_cannot_be_named_are_refused(change, said):
    with raises(InputError, re.escape(f"run: {said}")):
        score(change(run_table(RUN).to_pandas()), qrels_table(QRELS).to_pandas(), "AP")


@pytest.mark.ci
def test_columns_may_differ_in_case_only_in_duckdb_but_not_in_ibis():
    row = duckdb.sql(
        "SELECT 'x' AS DOC_ID, 0 AS SCORE, 'q' AS query_id, 'a' AS doc_id, 1 AS score, 1 AS rel"
    )
    assert score(row, row, "AP", relevance="rel").fetchall() == [("q", "AP", 1.0)]
    # Ibis lets DuckDB take the first of them for both.
    said = r"run: columns \['score', 'SCORE'\] are all called 'score'"
    refused(IBIS, said, run_table(RUN, SCORE="x"))


# --- Databases. ----------------------------------------------------------------------------------


def test_results_stay_on_the_connection_of_the_run_which_gets_no_new_names():
    connection = duckdb.connect()
    for name, table in {"run": run_table(RUN), "qrels": qrels_table(QRELS)}.items():
        connection.from_arrow(table).create(name)
    objects = "SELECT view_name FROM duckdb_views() UNION SELECT table_name FROM duckdb_tables()"
    before = sorted(connection.execute(objects).fetchall())
    result = score(connection.table("run"), connection.table("qrels"), "AP")
    assert result.aggregate("avg(value)").fetchall() == [(pytest.approx(5 / 12),)]
    result.create("written")
    connection.execute("DROP TABLE written")
    assert sorted(connection.execute(objects).fetchall()) == before


@pytest.mark.ci
def test_any_backend_of_ibis_is_scored():
    import ibis

    tables = {"run": run_table(RUN), "qrels": qrels_table(QRELS)}
    backend = ibis.polars.connect({name: pl.from_arrow(table) for name, table in tables.items()})
    rows = IBIS.rows(score(backend.table("run"), backend.table("qrels"), FEW))
    check(rows, expected(FEW, QRELS, RUN))


@pytest.mark.ci
@pytest.mark.parametrize("kept", ["first", "last"])
def test_the_first_or_last_row_is_not_chosen_where_rows_have_no_order(kept):
    for library in (DUCKDB, IBIS):
        refused(library, f"duplicates='{kept}' needs rows in an order", duplicates=kept)


def test_frames_of_two_libraries_are_refused():
    said = "run is a pandas frame and qrels is a polars frame; use frames of the same library"
    with raises(TypeError, said):
        score(run_table(RUN).to_pandas(), POLARS.frame(qrels_table(QRELS)), "AP")
    with raises(TypeError, "run: list is not a dataframe of"):
        score([], qrels_table(QRELS), "AP")
