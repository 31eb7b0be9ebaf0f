"""Scores where the data are, in DuckDB and in Ibis on it."""

import re

import duckdb
import frame_contract
import ibis
import polars as pl
import pytest
from frame_contract import FEW, QRELS, RUN
from frame_libraries import ENGINES, in_duckdb
from scored_topics import check, collection, expected, qrels_table, run_table

from pres_plugin import InputError
from pres_plugin.frames import score

# What Ibis 12 calls in DuckDB 2.
pytestmark = pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")


DUCKDB, NO_CASE, IBIS, IBIS_NO_CASE = ENGINES


def engines(*by_default):
    """Parametrize with every engine; those that are not named run before releases."""
    return pytest.mark.parametrize(
        "library",
        [
            pytest.param(one, id=one.name, marks=[pytest.mark.release] * (one not in by_default))
            for one in ENGINES
        ],
    )


@engines(NO_CASE)
class TestScores(frame_contract.Scores):
    pass


# Of Ibis, each refusal takes seconds.
@engines(DUCKDB)
class TestRefusals(frame_contract.Refusals):
    pass


@pytest.fixture
def stored():
    """A connection with tables of a run and qrels, whose columns have collations."""
    connection = duckdb.connect()
    qrels, run = collection()
    for name, table in {"run": run_table(run), "qrels": qrels_table(qrels)}.items():
        rows = connection.from_arrow(table)
        ids = "query_id COLLATE NOCASE AS query_id, doc_id COLLATE NOACCENT.NOCASE AS doc_id"
        rows.project(f"{ids}, {table.column_names[2]}").create(name)
    return connection


def test_columns_may_have_a_collation_and_no_names_in_the_database_are_read_or_left(stored):
    names = ["_wide", "_rel", "lhs", "rhs", "unnamed_relation", "native", "rows", "frame"]
    for name in names:
        stored.execute(f"CREATE TABLE {name} AS SELECT 'theirs' AS query_id, 7 AS value")
    objects = "SELECT view_name FROM duckdb_views() UNION SELECT table_name FROM duckdb_tables()"
    before = sorted(stored.execute(objects).fetchall())
    measures = ["PRES@3", "PRES(rel=2,judged_only=True)@100", "AP", "WSS(N=500)"]
    values = expected(measures, *collection())
    tables = ibis.duckdb.from_connection(stored)
    for library, table in (
        (in_duckdb(stored), stored.table),
        (IBIS, tables.table),
    ):
        check(library.rows(score(table("run"), table("qrels"), measures)), values)
    assert sorted(stored.execute(objects).fetchall()) == before
    for name in names:
        assert stored.table(name).fetchall() == [("theirs", 7)]


def test_scoring_executes_nothing():
    connection = duckdb.connect()
    run = connection.from_arrow(run_table(RUN)).select(
        "query_id, doc_id, IF(score > 0, error('was read'), score) AS score"
    )
    result = score(run, connection.from_arrow(qrels_table(QRELS)), FEW)
    with pytest.raises(duckdb.Error, match="was read"):
        result.fetchall()


@pytest.mark.release
def test_any_number_of_collection_sizes_makes_one_check():
    run, qrels = (
        ibis.memtable(table) for table in (run_table({"q": RUN["q2"]}), qrels_table(QRELS))
    )
    measures = [f"Rnorm(N={n})" for n in range(3, 53)]
    assert len(score(run, qrels, measures).to_pyarrow()) == 2 * len(measures)
    result = score(run, qrels, [*measures, "Rnorm(N=1)"])
    with pytest.raises(duckdb.Error, match=r"Rnorm\(N=1\): topic 'q1' has 2 documents"):
        result.to_pyarrow()


def test_other_backends_of_ibis_are_refused():
    tables = {"run": run_table(RUN), "qrels": qrels_table(QRELS)}
    backend = ibis.polars.connect({name: pl.from_arrow(table) for name, table in tables.items()})
    with pytest.raises(TypeError, match="Ibis on polars cannot be scored"):
        score(backend.table("run"), backend.table("qrels"), "AP")


@pytest.mark.parametrize("kind", ["HUGEINT", "UBIGINT"])
def test_whole_numbers_beyond_64_bits_are_refused(kind):
    connection = duckdb.connect()
    row = connection.sql(
        f"SELECT 'q1' AS query_id, 'a' AS doc_id, 9223372036854775808::{kind} AS large, "
        f"1::{kind} AS small"
    )
    for options in ({"score": "large"}, {"rank": "small"}):
        result = score(row, row, "AP", relevance="small", **options)
        assert result.fetchall() == [("q1", "AP", 1.0)]
    for name, options in {
        "relevance": {"relevance": "large", "score": "small"},
        "rank": {"relevance": "small", "rank": "large"},
    }.items():
        said = f"topic 'q1', document 'a': the {name} is 9223372036854775808; "
        with pytest.raises(duckdb.Error, match=re.escape(said)):
            score(row, row, "AP", **options).fetchall()


def test_columns_may_differ_in_case_only_in_duckdb_but_not_in_ibis():
    connection = duckdb.connect()
    row = connection.sql(
        "SELECT 'x' AS DOC_ID, 0 AS SCORE, 'q' AS query_id, 'a' AS doc_id, 1 AS score, 1 AS rel"
    )
    assert score(row, row, "AP", relevance="rel").fetchall() == [("q", "AP", 1.0)]
    # Ibis lets DuckDB take the first of them for both.
    run = ibis.memtable(run_table(RUN, SCORE="x"))
    with pytest.raises(InputError, match="columns 'score' and 'SCORE' differ from 'score' only in"):
        score(run, ibis.memtable(qrels_table(QRELS)), "AP")
