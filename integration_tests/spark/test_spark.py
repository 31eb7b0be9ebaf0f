"""Scores in Spark: in a local session, through a Connect server, and on a cluster.

Starting Spark takes seconds, and so does each query, so these tests run before a release. By
default, ``test_contract.py`` scores in a local session.
"""

from functools import partial

import frame_contract
import pyarrow as pa
import pytest
from beginnings import raises
from frame_contract import QRELS, REFUSED, RUN, refused
from frame_libraries import OF_SPARK, Library
from scored_topics import (
    MEASURES,
    check,
    collection,
    expected,
    gapped_table,
    qrels_table,
    run_table,
)
from spark_sessions import configured, everywhere, frame, frames, local

from pres_plugin import InputError
from pres_plugin.frames import score

sql = pytest.importorskip("pyspark.sql", reason="PySpark is not installed")

pytestmark = [
    pytest.mark.xdist_group("spark"),
    # PySpark 4.3 says of pandas 3 that it is not fully supported yet.
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]

release = pytest.mark.release
VALUES = expected(["PRES@2"], QRELS, RUN)


def collected(result):
    return [row.asDict() for row in result.collect()]


@pytest.fixture
def library(spark):
    # Classic Spark and Connect raise errors of different kinds.
    return Library("Spark", partial(frame, spark), collected, Exception)


@pytest.fixture
def tables(spark):
    return frames(spark, run_table(RUN), qrels_table(QRELS))


@everywhere
class TestContract(frame_contract.Contract):
    pass


@everywhere
@pytest.mark.parametrize("first", [0, 1])
def test_ranks_of_several_runs_may_have_gaps(spark, first):
    # The topics of a run are in several partitions, and only one contains its lowest rank.
    qrels, run = collection()
    table = gapped_table(qrels, run, first)
    runs = pa.concat_tables(
        [table.append_column("s", pa.array([name] * len(table))) for name in "ab"]
    )
    with configured(spark, {"spark.sql.shuffle.partitions": "7"}):
        result = score(*frames(spark, runs, qrels_table(qrels)), MEASURES, by="s", rank="rank")
        rows = collected(result)
    values = expected(MEASURES, qrels, run)
    for name in "ab":
        check([row for row in rows if row["s"] == name], values)


@release
def test_the_first_row_of_a_repeated_document_cannot_be_asked_for(library):
    refused(library, "duplicates='first' needs rows in an order", duplicates="first")


@everywhere
@pytest.mark.parametrize("ansi", ["ANSI", "not ANSI"], indirect=True)
def test_collated_ids_score_as_the_definitions_say(spark, ansi):
    qrels, run = collection()
    ids = [f"{column} COLLATE UNICODE_CI AS {column}" for column in ("query_id", "doc_id")]
    retrieved, judged = frames(spark, run_table(run, system="s"), qrels_table(qrels))
    retrieved = retrieved.selectExpr(*ids, "score", "system COLLATE UNICODE_CI AS system")
    result = score(retrieved, judged.selectExpr(*ids, "relevance"), MEASURES, by="system")
    assert result.dtypes[:2] == [("system", "string"), ("query_id", "string")]
    check(collected(result.drop("system")), expected(MEASURES, qrels, run))


@everywhere
def test_scoring_reads_no_row(tables):
    run, qrels = tables
    run = run.selectExpr("query_id", "doc_id", "CAST(raise_error('was read') AS DOUBLE) AS score")
    result = score(run, qrels, "PRES@2", by="doc_id")
    with raises(Exception, r"\[USER_RAISED_EXCEPTION\] was read"):
        result.collect()


@release
def test_wrong_rows_are_refused_even_if_rows_are_only_counted(library):
    arguments, said = REFUSED["retrieved twice"]
    result = score(library.frame(arguments["run"]), library.frame(qrels_table(QRELS)), "PRES@2")
    with raises(Exception, OF_SPARK + said):
        result.count()


@everywhere
def test_names_are_found_as_spark_finds_them(spark, tables):
    run, qrels = tables
    result = score(run.toDF("Query_ID", "DOC_ID", "score"), qrels, "PRES@2")
    check(collected(result), VALUES, "Query_ID", "measure")
    with raises(InputError, r"run: columns \['score', 'SCORE'\] are all called"):
        score(run.selectExpr("*", "0.0D AS SCORE"), qrels, "PRES@2")
    sensitive = configured(spark, {"spark.sql.caseSensitive": "true"})
    with sensitive, raises(InputError, "run: there is no column 'score'"):
        score(run.toDF("query_id", "doc_id", "SCORE"), qrels, "PRES@2", score="score")


@release
def test_columns_without_a_type_are_scored(spark, tables):
    empty = spark.sql("SELECT null AS query_id, null AS doc_id, null AS score WHERE false")
    check(collected(score(empty, tables[1], "PRES@2")), dict.fromkeys(VALUES, 0.0))


@release
@pytest.mark.parametrize("spark_session", ["Connect"], indirect=True, scope="session")
def test_frames_of_different_sessions_are_refused(spark, tables, tmp_path):
    # Both kinds of session in one process: each is scored by its own functions.
    with local(tmp_path) as session:
        classic = frames(session, run_table(RUN), qrels_table(QRELS))
        for run, qrels in (tables, classic):
            check(collected(score(run, qrels, "PRES@2")), VALUES)
        with raises(
            TypeError, r"run is a pyspark\[connect\] frame and qrels is a pyspark frame; use"
        ):
            score(tables[0], classic[1], "PRES@2")
    with raises(Exception, r"\[SESSION_NOT_SAME\] Both Datasets must"):
        score(tables[0], frame(spark.newSession(), qrels_table(QRELS)), "PRES@2")


# What Spark moves between its tasks: 20 topics with 100 documents each. Few documents are judged.
N_ROWS = 2000


@release
@pytest.mark.parametrize("options", [{}, {"by": "s", "rank": "rank"}], ids=["one run", "two runs"])
def test_a_run_is_shuffled_once(spark_session, options):
    rows = spark_session.range(N_ROWS).selectExpr(
        "IF(id % 2 = 0, 'a', 'b') AS s", "concat('q', id div 100) AS query_id",
        "concat('d', id) AS doc_id", "id * 7919 % 1009 AS score", "id % 100 AS rank",
        "IF(id % 25 = 0, id % 3, NULL) AS relevance",
    )  # fmt: skip
    # A job would count the rows that an adaptive plan has read before.
    with configured(spark_session, {"spark.sql.adaptive.enabled": "false"}):
        scored = score(rows, rows.dropna().distinct(), ["PRES@50", "Rnorm(N=1000)"], **options)
        scored.collect()
    counts = [
        node.metrics().get("shuffleRecordsWritten").get().value()
        for node in _nodes(scored._jdf.queryExecution().executedPlan())
        if node.getClass().getSimpleName() == "ShuffleExchangeExec"
    ]
    assert sum(count >= N_ROWS for count in counts) == 1


def _nodes(node):
    yield node
    children = node.children()
    for i in range(children.size()):
        yield from _nodes(children.apply(i))
