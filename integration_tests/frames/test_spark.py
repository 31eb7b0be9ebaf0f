"""Scores in Spark; each query of these takes seconds, so each test asks much of one."""

import re
import shutil
import warnings

import pytest
from frame_contract import FEW, QRELS, REPEATED, RUN, with_rows
from scored_topics import check, collection, expected, qrels_table, run_table

from pres_plugin.frames import score

sql = pytest.importorskip("pyspark.sql", reason="PySpark is not installed")
pytestmark = [
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java"),
    # PySpark 4.3 says of pandas 3 that it is not fully supported yet.
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]

MEASURES = ["PRES@3", "PRES_est@1", "PRES@1000000000000", "Rnorm(N=500)", "AP", "AP@2", "R@2"]


@pytest.fixture(scope="module")
def spark():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        session = (
            sql.SparkSession.builder.master("local[2]")
            .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1")
            .config("spark.ui.enabled", "false")
            # Small data: what is compiled or split up takes longer than it saves.
            .config("spark.sql.adaptive.enabled", "false")
            .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
            .config("spark.sql.codegen.wholeStage", "false")
            .config("spark.sql.shuffle.partitions", "1")
            .getOrCreate()
        )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(params=["ANSI", "not ANSI"])
def ansi(request, spark):
    spark.conf.set("spark.sql.ansi.enabled", request.param == "ANSI")
    yield
    spark.conf.unset("spark.sql.ansi.enabled")


def frames(spark, *tables):
    rows = [(table.to_pylist(), ", ".join(_columns(table))) for table in tables]
    return [spark.createDataFrame([tuple(r.values()) for r in data], s) for data, s in rows]


def _columns(table):
    kinds = {"string": "string", "double": "double", "int64": "bigint"}
    return (f"`{field.name}` {kinds[str(field.type)]}" for field in table.schema)


def test_scores_are_those_of_ir_measures(spark, ansi):
    qrels, run = collection()
    result = score(*frames(spark, run_table(run), qrels_table(qrels)), MEASURES)
    check([row.asDict() for row in result.collect()], expected(MEASURES, qrels, run))


def test_collated_ids_of_several_runs_and_judged_documents(spark):
    if int(spark.version.split(".")[0]) < 4:
        pytest.skip("Spark has collations from version 4 on")
    qrels, run = collection(seed=2)
    run, qrels = dict(list(run.items())[-40:]), dict(list(qrels.items())[-40:])
    measures = ["PRES(judged_only=True)@3", "AP(rel=2)"]
    table = run_table(run, system="s")
    result = score(
        *(
            frame.withColumns(
                {c: sql.functions.expr(f"{c} COLLATE UNICODE_CI") for c in ("query_id", "doc_id")}
            )
            for frame in frames(spark, table, qrels_table(qrels))
        ),
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


@pytest.mark.parametrize("consume", ["collect", "count"])
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
