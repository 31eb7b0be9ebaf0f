"""Scores in Spark: in a local session, through a Connect server, and on a standalone cluster.

Each query takes up to seconds, so by default few of them run, in a local session.
"""

import re
from functools import partial

import frame_contract
import pytest
from frame_contract import (
    BAD_RANK,
    EQUAL_RANKS,
    FEW,
    NAMES,
    QRELS,
    REPEATED,
    RUN,
    Library,
    with_equal_ranks,
    with_rows,
)
from repetitions import every
from scored_topics import check, collection, expected, qrels_table, ranks_table, run_table
from spark_sessions import everywhere, frame, frames, local, sessions

from pres_plugin.frames import FrameError, score

pa = pytest.importorskip("pyarrow", reason="PyArrow is not installed")
sql = pytest.importorskip("pyspark.sql", reason="PySpark is not installed")

pytestmark = [
    pytest.mark.xdist_group("spark"),
    # PySpark 4.3 says of pandas 3 that it is not fully supported yet.
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]


MEASURES = ["PRES@3", "PRES_est@1", "PRES@1000000000000", "Rnorm(N=500)", "AP", "AP@2", "R@2"]


@pytest.fixture
def library(spark):
    return Library(
        "Spark",
        partial(frame, spark),
        lambda result: [row.asDict() for row in result.collect()],
        sql.DataFrame,
        Exception,  # classic Spark raises py4j's error, Connect PySpark's
        lambda result: result.count(),
    )


@sessions(local=pytest.mark.slow)
class TestScores(frame_contract.Scores):
    # Spark takes longer for each query: a test below asks for several names at once.
    test_columns_have_any_names_and_order = None


@sessions(local=pytest.mark.slow)
class TestRefusals(frame_contract.Refusals):
    pass


@everywhere
@pytest.mark.parametrize(
    "ansi", ["ANSI", pytest.param("not ANSI", marks=pytest.mark.slow)], indirect=True
)
def test_scores_are_those_of_ir_measures(spark, ansi):
    qrels, run = collection()
    result = score(*frames(spark, run_table(run), qrels_table(qrels)), MEASURES)
    check([row.asDict() for row in result.collect()], expected(MEASURES, qrels, run))


@everywhere
def test_collated_ids_of_several_runs_and_judged_documents(spark):
    if int(spark.version.split(".")[0]) < 4:
        pytest.skip("Spark has collations from version 4 on")
    qrels, run = collection(seed=2)
    run, qrels = dict(list(run.items())[-40:]), dict(list(qrels.items())[-40:])
    measures = ["PRES(judged_only=True)@3", "AP(rel=2)"]
    table = run_table(run, system="s")
    collated = [f"{column} COLLATE UNICODE_CI AS {column}" for column in ("query_id", "doc_id")]
    retrieved, judged = frames(spark, table, qrels_table(qrels))
    result = score(
        retrieved.selectExpr(*collated, "score", "system"),
        judged.selectExpr(*collated, "relevance"),
        measures,
        by="system",
    )
    rows = [row.asDict() for row in result.collect()]
    assert {row["system"] for row in rows} == {"s"}
    check(rows, expected(measures, qrels, run))


def test_nothing_is_executed_before_the_result_is_asked_for(spark):
    spark.sparkContext.setJobGroup("scoring", "")
    result = score(*frames(spark, run_table(RUN), qrels_table(QRELS)), FEW[:2])
    assert not spark.sparkContext.statusTracker().getJobIdsForGroup("scoring")
    means = {row.measure: row[1] for row in result.groupBy("measure").avg("value").collect()}
    assert spark.sparkContext.statusTracker().getJobIdsForGroup("scoring")
    assert means["PRES@2"] == pytest.approx(
        sum(expected(["PRES@2"], QRELS, RUN).values()) / len(QRELS)
    )


@pytest.mark.parametrize(
    ("ansi", "consume"),
    [
        ("ANSI", "collect"),
        ("not ANSI", "count"),
        pytest.param("ANSI", "count", marks=pytest.mark.slow),
        pytest.param("not ANSI", "collect", marks=pytest.mark.slow),
    ],
    indirect=["ansi"],
)
def test_a_repeated_document_is_refused_however_the_result_is_used(spark, ansi, consume):
    run = with_rows(run_table(RUN), query_id=["q2"], doc_id=["c"], score=[0.1])
    result = score(*frames(spark, run, qrels_table(QRELS)), "PRES@2")
    with pytest.raises(Exception, match=re.escape(REPEATED.format("q2", "c"))):
        getattr(result, consume)()


def test_a_score_that_is_no_number_is_refused(spark):
    run = with_rows(run_table(RUN), query_id=["q9"], doc_id=["c"], score=[float("nan")])
    result = score(*frames(spark, run, qrels_table(QRELS)), "PRES@2")
    with pytest.raises(Exception, match="run: topic 'q9', document 'c': the score is NaN"):
        result.collect()


# All names are those of columns: the first ones, from the i-th on, of columns that are used.
@everywhere
@pytest.mark.parametrize("i", every(7, (0, 3, 5, 8, 12, 23, 31)))
def test_columns_have_any_names(spark, i):
    by, query_id, doc_id, order, relevance, *unused = NAMES[i:] + NAMES[:i]
    unused += ["SCORE", "score", "Value", "measure", ""]
    run = run_table(RUN).rename_columns([query_id, doc_id, order])
    for name in (by, *unused):
        run = run.append_column(name, pa.array(["s"] * len(run)))
    qrels = qrels_table(QRELS).rename_columns([query_id, doc_id, relevance])
    result = score(
        *frames(spark, run, qrels), "PRES@2",
        query_id=query_id, doc_id=doc_id, score=order, relevance=relevance, by=by,
    )  # fmt: skip
    assert result.columns == [by, query_id, "measure", "value"]
    values = {("s", *k): v for k, v in expected(["PRES@2"], QRELS, RUN).items()}
    rows = [dict(zip(result.columns, row, strict=True)) for row in result.collect()]
    check(rows, values, by, query_id, "measure")


@everywhere
def test_missing_and_repeated_names_are_refused(spark):
    run, qrels = frames(spark, run_table(RUN), qrels_table(QRELS))
    with pytest.raises(FrameError, match="run: there is no column 'tag'; it has query_id, index"):
        score(run.withColumnRenamed("doc_id", "index"), qrels, "AP", doc_id="index", by="tag")
    twice = run.select("*", "score")
    with pytest.raises(FrameError, match="run: several columns are called 'score'"):
        score(twice, qrels, "AP")


def test_frames_without_rows_may_have_columns_without_a_type(spark):
    empty = spark.sql("SELECT null AS query_id, null AS doc_id, null AS score WHERE false")
    qrels = frames(spark, qrels_table(QRELS))[0]
    rows = [row.asDict() for row in score(empty, qrels, "PRES@2").collect()]
    check(rows, dict.fromkeys(expected(["PRES@2"], QRELS, RUN), 0.0))


@pytest.mark.parametrize(
    "options",
    every(3, [{}, {"measures": "AP(judged_only=True)"}, {"duplicates": "highest"}]),
    ids=str,
)
def test_equal_ranks_of_two_documents_are_refused(spark, options):
    run, qrels = frames(spark, with_equal_ranks("q2"), qrels_table(QRELS))
    result = score(run, qrels, rank="rank", **{"measures": "AP", **options})
    with pytest.raises(Exception, match=re.escape(EQUAL_RANKS)):
        result.collect()


def test_the_highest_rank_of_a_repeated_document_counts_if_asked_for(spark):
    ranks = with_rows(ranks_table(RUN), query_id=["q1", "q2"], doc_id=["a", "a"], rank=[4, 1])
    result = score(
        *frames(spark, ranks, qrels_table(QRELS)), FEW[:2], rank="rank", duplicates="highest"
    )
    check([row.asDict() for row in result.collect()], expected(FEW[:2], QRELS, RUN))


def test_a_rank_beyond_the_largest_is_refused(spark):
    ranks = with_rows(ranks_table(RUN), query_id=["q2"], doc_id=["n"], rank=[2**63 - 1])
    result = score(*frames(spark, ranks, qrels_table(QRELS)), "AP", rank="rank")
    with pytest.raises(Exception, match=re.escape(BAD_RANK.format(2**63 - 1))):
        result.collect()


@everywhere
def test_decimal_scores_are_numbers_and_decimal_relevance_is_refused(spark):
    decimals = spark.sql(
        "SELECT 'q' AS query_id, 'a' AS doc_id, 1e20 :: decimal(38, 0) AS score, 1L AS relevance"
    )
    assert [row.value for row in score(decimals, decimals, "AP").collect()] == [1.0]
    with pytest.raises(FrameError, match="qrels: column 'score' contains Decimal"):
        score(decimals, decimals, "AP", relevance="score")


@everywhere
def test_scoring_reads_no_row(spark):
    run, qrels = frames(spark, run_table(RUN), qrels_table(QRELS))
    run = run.selectExpr("query_id", "doc_id", "CAST(raise_error('was read') AS DOUBLE) AS score")
    result = score(run, qrels, "PRES@2", by="doc_id")
    with pytest.raises(Exception, match="was read"):
        result.collect()


@pytest.mark.slow
@pytest.mark.parametrize("spark_session", ["Connect"], indirect=True, scope="session")
def test_frames_of_classic_spark_and_of_connect_are_not_mixed(spark, tmp_path):
    connected = frames(spark, run_table(RUN), qrels_table(QRELS))
    # Both kinds of session in one process: each is scored by its own functions.
    with local(tmp_path) as session:
        classic = frames(session, run_table(RUN), qrels_table(QRELS))
        for run, qrels in (connected, classic):
            rows = [row.asDict() for row in score(run, qrels, "PRES@2").collect()]
            check(rows, expected(["PRES@2"], QRELS, RUN))
        with pytest.raises(TypeError) as raised:
            score(connected[0], classic[1], "PRES@2")
    assert str(raised.value) == (
        "run is a pyspark[connect] frame and qrels is a pyspark frame; read both with the same "
        "session"
    )


@pytest.mark.slow
@pytest.mark.parametrize("spark_session", ["Connect"], indirect=True, scope="session")
def test_frames_of_two_connect_sessions_are_refused_at_the_call(spark):
    run, qrels = frame(spark, run_table(RUN)), frame(spark.newSession(), qrels_table(QRELS))
    with pytest.raises(Exception, match="must belong to the same SparkSession"):
        score(run, qrels, "PRES@2")
