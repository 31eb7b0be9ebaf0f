"""Scores where the data are, in DuckDB and in Ibis on it."""

import duckdb
import frame_contract
import polars as pl
import pytest
from frame_contract import FEW, QRELS, RUN, Library
from scored_topics import MEASURES, check, collection, expected, qrels_table, run_table

from pres_plugin.frames import score

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
        # DuckDB 1 does not find columns whose names have quotation marks.
        **({"odd_name": "the doc's id"} if duckdb.__version__.startswith("1.") else {}),
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


@pytest.fixture(scope="module", params=["default", "other", "no case", "Ibis", "Ibis, no case"])
def library(request):
    if request.param == "default":
        return in_duckdb(duckdb.default_connection(), "DuckDB")
    if request.param.startswith("Ibis"):
        return Library(
            request.param,
            ibis.memtable if request.param == "Ibis" else in_ibis_without_case(),
            lambda table: table.to_pyarrow().to_pylist(),
            ibis.Table,
            duckdb.Error,
            lambda table: table.count().execute(),
        )
    connection = duckdb.connect()
    if request.param == "no case":
        connection.execute("SET default_collation = 'nocase'")
    return in_duckdb(connection, request.param)


class TestScores(frame_contract.Scores):
    pass


class TestRefusals(frame_contract.Refusals):
    pass


def test_columns_may_have_a_collation():
    connection = duckdb.connect()
    qrels, run = collection()
    tables = {"run": run_table(run), "qrels": qrels_table(qrels)}
    for name, table in tables.items():
        connection.register("source", table)
        value = table.column_names[2]
        kind = "DOUBLE" if value == "score" else "BIGINT"
        connection.execute(
            f"CREATE TABLE {name} (query_id VARCHAR COLLATE NOCASE, "
            f"doc_id VARCHAR COLLATE NOACCENT.NOCASE, {value} {kind})"
        )
        connection.execute(f"INSERT INTO {name} SELECT * FROM source")
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


def test_other_backends_of_ibis_are_refused():
    tables = {"run": run_table(RUN), "qrels": qrels_table(QRELS)}
    backend = ibis.polars.connect({name: pl.from_arrow(table) for name, table in tables.items()})
    with pytest.raises(TypeError, match="Ibis on polars cannot be scored"):
        score(backend.table("run"), backend.table("qrels"), "AP")
