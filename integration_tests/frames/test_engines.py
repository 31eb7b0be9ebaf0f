"""Scores where the data are, in DuckDB and in Ibis on it."""

import re

import duckdb
import frame_contract
import polars as pl
import pyarrow as pa
import pytest
from frame_contract import FEW, QRELS, RUN, Library
from repetitions import every
from scored_topics import MEASURES, check, collection, expected, qrels_table, run_table

from pres_plugin.frames import FrameError, score

ibis = pytest.importorskip("ibis", reason="Ibis is not installed")

# What Ibis 12 calls in DuckDB 2.
pytestmark = pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")


def in_duckdb(connection, name):
    return Library(
        name,
        connection.from_arrow,
        lambda relation: relation.to_arrow_table().to_pylist(),
        duckdb.DuckDBPyRelation,
        duckdb.Error,
        lambda relation: relation.aggregate("count(*)").fetchall(),
        null_type=not duckdb.__version__.startswith("1."),
    )


def in_ibis(frame, name):
    return Library(
        name,
        frame,
        lambda table: table.to_pyarrow().to_pylist(),
        ibis.Table,
        duckdb.Error,
        lambda table: table.count().execute(),
        null_type=name == "Ibis" or not duckdb.__version__.startswith("1."),
    )


def in_ibis_without_case():
    connection = duckdb.connect()
    connection.execute("SET default_collation = 'nocase'")
    tables = ibis.duckdb.from_connection(connection)

    def frame(rows):
        name = ibis.util.gen_name("rows")
        connection.from_arrow(rows).create(name)
        return tables.table(name)

    return frame


LIBRARIES = [
    # Pages and test_error_contract.py use DuckDB's default connection.
    pytest.param("default", marks=pytest.mark.slow),
    # A connection of its own, as "no case" has.
    pytest.param("other", marks=pytest.mark.slow),
    "no case",
    pytest.param("Ibis", marks=pytest.mark.slow),
    "Ibis, no case",
]


@pytest.fixture(scope="module")
def library(request):
    if request.param == "default":
        return in_duckdb(duckdb.default_connection(), "DuckDB")
    if request.param.startswith("Ibis"):
        frame = ibis.memtable if request.param == "Ibis" else in_ibis_without_case()
        return in_ibis(frame, request.param)
    connection = duckdb.connect()
    if request.param == "no case":
        connection.execute("SET default_collation = 'nocase'")
    return in_duckdb(connection, request.param)


@pytest.mark.parametrize("library", LIBRARIES, indirect=True, scope="module")
class TestScores(frame_contract.Scores):
    pass


# Without the slow tests, test_error_contract.py covers what Ibis refuses.
@pytest.mark.parametrize(
    "library",
    every(4, ["default", "no case", "Ibis", "Ibis, no case"]),
    indirect=True,
    scope="module",
)
class TestRefusals(frame_contract.Refusals):
    pass


def test_columns_may_have_a_collation():
    connection = duckdb.connect()
    qrels, run = collection()
    for name, table in {"run": run_table(run), "qrels": qrels_table(qrels)}.items():
        rows = connection.from_arrow(table)
        ids = "query_id COLLATE NOCASE AS query_id, doc_id COLLATE NOACCENT.NOCASE AS doc_id"
        rows.project(f"{ids}, {table.column_names[2]}").create(name)
    result = score(connection.table("run"), connection.table("qrels"), MEASURES)
    check(result.to_arrow_table().to_pylist(), expected(MEASURES, qrels, run))


def test_scoring_executes_nothing_and_the_result_goes_to_parquet(tmp_path):
    connection = duckdb.connect()
    read = []

    def seen(score):
        read.append(score)
        return score

    connection.create_function("seen", seen, ["DOUBLE"], "DOUBLE", side_effects=True)
    run = connection.from_arrow(run_table(RUN)).select("query_id, doc_id, seen(score) AS score")
    result = score(run, connection.from_arrow(qrels_table(QRELS)), FEW)
    assert not read
    path = str(tmp_path / "scores.parquet")
    result.to_parquet(path)
    assert read
    rows = connection.read_parquet(path).to_arrow_table().to_pylist()
    check(rows, expected(FEW, QRELS, RUN))


def test_any_number_of_collection_sizes_makes_one_check():
    qrels = pa.table({"query_id": ["q"], "doc_id": ["a"], "relevance": [1]})
    run = pa.table({"query_id": ["q", "q"], "doc_id": ["b", "a"], "score": [2.0, 1.0]})
    measures = [f"Rnorm(N={n})" for n in range(2, 52)]
    result = score(ibis.memtable(run), ibis.memtable(qrels), measures)
    assert len(result.to_pyarrow()) == len(measures)
    result = score(ibis.memtable(run), ibis.memtable(qrels), [*measures, "Rnorm(N=1)"])
    with pytest.raises(duckdb.Error, match=r"Rnorm\(N=1\): topic 'q' has 2 documents"):
        result.to_pyarrow()


def test_other_backends_of_ibis_are_refused():
    tables = {"run": run_table(RUN), "qrels": qrels_table(QRELS)}
    backend = ibis.polars.connect({name: pl.from_arrow(table) for name, table in tables.items()})
    with pytest.raises(TypeError, match="Ibis on polars cannot be scored"):
        score(backend.table("run"), backend.table("qrels"), "AP")


def test_scoring_neither_reads_nor_leaves_names_in_the_database():
    connection = duckdb.connect()
    connection.from_arrow(run_table(RUN)).create("run")
    connection.from_arrow(qrels_table(QRELS)).create("qrels")
    names = ["_wide", "_rel", "lhs", "rhs", "unnamed_relation", "native", "rows", "frame"]
    for name in names:
        connection.execute(f"CREATE TABLE {name} AS SELECT 'theirs' AS query_id, 7 AS value")
        connection.execute(f"CREATE TEMP VIEW temp_{name} AS FROM {name}")
    objects = "SELECT view_name FROM duckdb_views() UNION SELECT table_name FROM duckdb_tables()"
    before = connection.execute(objects).fetchall()
    result = score(connection.table("run"), connection.table("qrels"), FEW)
    check(result.to_arrow_table().to_pylist(), expected(FEW, QRELS, RUN))
    tables = ibis.duckdb.from_connection(connection)
    result = score(tables.table("run"), tables.table("qrels"), FEW)
    check(result.to_pyarrow().to_pylist(), expected(FEW, QRELS, RUN))
    assert sorted(connection.execute(objects).fetchall()) == sorted(before)
    for name in names:
        assert connection.table(name).fetchall() == [("theirs", 7)]


@pytest.mark.parametrize("kind", ["HUGEINT", "UHUGEINT", "UBIGINT"])
def test_whole_numbers_beyond_64_bits_are_refused(kind):
    connection = duckdb.connect()
    row = connection.sql(
        f"SELECT 'q1' AS query_id, 'a' AS doc_id, 9223372036854775808::{kind} AS large, "
        f"1::{kind} AS small, 2.0::FLOAT AS score"
    )
    result = score(row, row, "AP", relevance="small", rank="small")
    assert result.fetchall() == [("q1", "AP", 1.0)]
    where = "topic 'q1', document 'a'"
    for options, said in [
        ({"relevance": "large"}, f"qrels: {where}: the relevance is 9223372036854775808; "),
        ({"relevance": "small", "rank": "large"},
         f"run: {where}: the rank is 9223372036854775808; "),
    ]:  # fmt: skip
        with pytest.raises(duckdb.Error, match=re.escape(said)):
            score(row, row, "AP", **options).fetchall()
    result = score(row, row, "AP", relevance="small", score="large")
    assert result.fetchall() == [("q1", "AP", 1.0)]


def test_columns_of_duckdb_may_differ_in_case_only():
    connection = duckdb.connect()
    row = connection.sql(
        "SELECT 'x' AS DOC_ID, 0 AS SCORE, 'q' AS query_id, 'a' AS doc_id, 1 AS score, 1 AS rel"
    )
    assert score(row, row, "AP", relevance="rel").fetchall() == [("q", "AP", 1.0)]


def test_columns_of_ibis_that_differ_in_case_only_are_refused():
    # DuckDB would take the first of them for both.
    run = ibis.memtable(run_table(RUN, SCORE="x"))
    with pytest.raises(FrameError, match="columns 'score' and 'SCORE' differ from 'score' only in"):
        score(run, ibis.memtable(qrels_table(QRELS)), "AP")
