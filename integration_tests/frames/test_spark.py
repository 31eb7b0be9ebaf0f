"""Scores in Spark: in a local session, through a Connect server, and on a standalone cluster.

Starting Spark takes seconds, and so does each query, so by default one test runs.
"""

import re
from functools import partial

import frame_contract
import pytest
from frame_contract import EQUAL_RANKS, QRELS, REPEATED, RUN
from frame_libraries import Library

from frame_contract import with_equal_ranks, with_rows  # isort: skip
from scored_topics import check, collection, expected, qrels_table, run_table
from spark_sessions import configured, everywhere, frame, frames, local, sessions

from pres_plugin import InputError
from pres_plugin.frames import score

pa = pytest.importorskip("pyarrow", reason="PyArrow is not installed")
sql = pytest.importorskip("pyspark.sql", reason="PySpark is not installed")

pytestmark = [
    pytest.mark.xdist_group("spark"),
    # PySpark 4.3 says of pandas 3 that it is not fully supported yet.
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]

MEASURES = [
    *("PRES@3", "PRES_est@1", "PRES@10000000000", "PRES(judged_only=True)@3", "Rnorm(N=500)"),
    *("AP", "AP(rel=2)", "R@2"),
]
release = pytest.mark.release
VALUES = expected(["PRES@2"], QRELS, RUN)


def rows_of(result):
    return [row.asDict() for row in result.collect()]


@pytest.fixture
def library(spark):
    return Library(
        "Spark",
        partial(frame, spark),
        rows_of,
        sql.DataFrame,
        Exception,  # classic Spark raises py4j's error, Connect PySpark's
        lambda result: result.count(),
    )


@pytest.fixture
def tables(spark):
    return frames(spark, run_table(RUN), qrels_table(QRELS))


@everywhere
class TestScores(frame_contract.Scores):
    pass


@everywhere
class TestRefusals(frame_contract.Refusals):
    pass


@sessions()
def test_a_run_is_scored_as_the_definitions_say(tables):
    check(rows_of(score(*tables, "PRES@2")), VALUES)


@everywhere
@pytest.mark.parametrize("ansi", ["ANSI", "not ANSI"], indirect=True)
def test_collated_ids_of_several_runs_score_as_the_definitions_say(spark, ansi):
    qrels, run = collection()
    ids = [f"{column} COLLATE UNICODE_CI AS {column}" for column in ("query_id", "doc_id")]
    retrieved, judged = frames(spark, run_table(run, system="s"), qrels_table(qrels))
    retrieved = retrieved.selectExpr(*ids, "score", "system")
    result = score(retrieved, judged.selectExpr(*ids, "relevance"), MEASURES, by="system")
    check(rows_of(result.drop("system")), expected(MEASURES, qrels, run))


@everywhere
def test_scoring_reads_no_row(tables):
    run, qrels = tables
    run = run.selectExpr("query_id", "doc_id", "CAST(raise_error('was read') AS DOUBLE) AS score")
    result = score(run, qrels, "PRES@2", by="doc_id")
    with pytest.raises(Exception, match="was read"):
        result.collect()


WITHOUT_ID = "run: topic 'q2' has a document without an id: null in column 'doc_id'"


@release
@pytest.mark.parametrize("ansi", ["ANSI", "not ANSI"], indirect=True)
@pytest.mark.parametrize(
    ("run", "said", "options"),
    [
        (with_rows(run_table(RUN), query_id=["q2"], doc_id=["c"], score=[0.1]),
         REPEATED.format("q2", "c"), {}),
        (with_rows(run_table(RUN), query_id=["q9"], doc_id=["c"], score=[float("nan")]),
         "run: topic 'q9', document 'c': the score is NaN", {}),
        # Spark drops rows with null ids before a join.
        (with_rows(run_table(RUN), query_id=["q2"], score=[0.1]), WITHOUT_ID,
         {"measures": "AP(judged_only=True)"}),
        (with_equal_ranks("q2"), EQUAL_RANKS, {"rank": "rank", "duplicates": "highest"}),
    ],
    ids=["repeated", "NaN", "null", "equal ranks"],
)  # fmt: skip
def test_wrong_rows_are_refused_even_if_rows_are_only_counted(spark, ansi, run, said, options):
    result = score(*frames(spark, run, qrels_table(QRELS)), **{"measures": "PRES@2", **options})
    for consume in (result.count, result.collect):
        with pytest.raises(Exception, match=re.escape(said)):
            consume()


@everywhere
def test_names_are_found_as_spark_finds_them(spark, tables):
    run, qrels = tables
    run = run.toDF("Query_ID", "DOC_ID", "score").selectExpr("*", "0.0D AS SCORE")
    result = score(run, qrels.toDF("QUERY_ID", "Doc_Id", "RELEVANCE"), "PRES@2")
    # Spark names a column as the query does.
    check(rows_of(result), VALUES)
    with pytest.raises(InputError, match="run: columns 'score' and 'SCORE' differ from 'Score'"):
        score(run, qrels, "PRES@2", score="Score")
    sensitive = configured(spark, {"spark.sql.caseSensitive": "true"})
    with sensitive, pytest.raises(InputError, match="run: there is no column 'query_id'"):
        score(run, qrels, "PRES@2")


@release
def test_columns_without_a_type_and_decimal_scores_are_scored(spark, tables):
    empty = spark.sql("SELECT null AS query_id, null AS doc_id, null AS score WHERE false")
    check(rows_of(score(empty, tables[1], "PRES@2")), dict.fromkeys(VALUES, 0.0))
    decimals = "query_id", "doc_id", "CAST(score AS decimal(38, 10)) AS score"
    check(rows_of(score(tables[0].selectExpr(*decimals), tables[1], "PRES@2")), VALUES)
    with pytest.raises(InputError, match="qrels: column 'relevance' contains Decimal"):
        score(*tables[:1], tables[1].selectExpr("*", "1.0 AS r").drop("relevance")
              .withColumnRenamed("r", "relevance"), "AP")  # fmt: skip


@release
@pytest.mark.parametrize("spark_session", ["Connect"], indirect=True, scope="session")
def test_frames_of_different_sessions_are_refused_at_the_call(spark, tables, tmp_path):
    # Both kinds of session in one process: each is scored by its own functions.
    with local(tmp_path) as session:
        classic = frames(session, run_table(RUN), qrels_table(QRELS))
        for run, qrels in (tables, classic):
            check(rows_of(score(run, qrels, "PRES@2")), VALUES)
        with pytest.raises(TypeError, match="read both with the same session"):
            score(tables[0], classic[1], "PRES@2")
    with pytest.raises(Exception, match="must belong to the same SparkSession"):
        score(tables[0], frame(spark.newSession(), qrels_table(QRELS)), "PRES@2")


# What Spark moves between its tasks: 20 topics with 100 documents each. Few documents are judged.
N_ROWS = 2000


def shuffles_of_the_run(scored):
    """Shuffles of as many rows as the run has; each other one is of few."""
    scored.collect()
    counts = [
        node.metrics().get("shuffleRecordsWritten").get().value()
        for node in _nodes(scored._jdf.queryExecution().executedPlan())
        if node.getClass().getSimpleName() == "ShuffleExchangeExec"
    ]
    assert counts
    assert all(count <= N_ROWS / 10 for count in counts if count != N_ROWS)
    return counts.count(N_ROWS)


def _nodes(node):
    yield node
    name = node.getClass().getSimpleName()
    if name == "AdaptiveSparkPlanExec":
        yield from _nodes(node.executedPlan())
    elif name.endswith("QueryStageExec"):
        yield from _nodes(node.plan())
    children = node.children()
    for i in range(children.size()):
        yield from _nodes(children.apply(i))


@release
@pytest.mark.parametrize(
    ("stored", "settings", "shuffles"),
    [
        (False, {}, 1),
        # Here the qrels come to the run, because they are said to be too large to be copied.
        (False, {"autoBroadcastJoinThreshold": -1, "adaptive.autoBroadcastJoinThreshold": -1,
                 "requireAllClusterKeysForCoPartition": "false"}, 1),
        (True, {}, 0),
    ],
    ids=["of files", "large qrels", "of a table bucketed by topic"],
)  # fmt: skip
@pytest.mark.parametrize(
    "measures", [["PRES@50", "AP", "PRES(rel=2)@50"], ["Rnorm(N=1000)"]], ids=str
)
def test_a_run_is_shuffled_at_most_once(
    spark_session, tmp_path, stored, settings, shuffles, measures
):
    session = spark_session.newSession()
    for name, value in {"shuffle.partitions": 2, **settings}.items():
        session.conf.set(f"spark.sql.{name}", value)
    path = str(tmp_path / "rows")
    rows = session.range(N_ROWS).selectExpr(
        "concat('q', id div 100) AS query_id", "concat('d', id) AS doc_id",
        "(id * 7919) % 101 AS score", "IF(id % 25 = 0, id % 3, NULL) AS relevance",
    )  # fmt: skip
    bucketed = rows.write.bucketBy(2, "query_id").option("path", path)
    bucketed.saveAsTable("bucketed") if stored else rows.write.parquet(path)
    try:
        run = session.table("bucketed") if stored else session.read.parquet(path)
        scored = score(run, rows.dropna(), measures)
        assert shuffles_of_the_run(scored) == shuffles
    finally:
        session.sql("DROP TABLE IF EXISTS bucketed")
