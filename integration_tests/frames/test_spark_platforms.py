"""Spark as companies run it: settings, types and rows that are common on managed platforms."""

import re

import pytest
from frame_contract import QRELS, RUN
from scored_topics import check, expected, qrels_table, run_table
from spark_sessions import configured, everywhere, frames

from pres_plugin.frames import FrameError, score

pytest.importorskip("pyspark", reason="PySpark is not installed")

pytestmark = [
    everywhere,
    pytest.mark.xdist_group("spark"),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]

VALUES = expected(["PRES@2"], QRELS, RUN)


def rows(result):
    return [row.asDict() for row in result.collect()]


def test_names_are_found_as_spark_finds_them(spark):
    run, qrels = frames(spark, run_table(RUN, system="s"), qrels_table(QRELS))
    run = run.toDF("Query_ID", "DOC_ID", "Score", "System")
    qrels = qrels.toDF("QUERY_ID", "Doc_Id", "RELEVANCE")
    result = score(run, qrels, "PRES@2", by="SYSTEM")
    # Spark names a column as the query does.
    assert result.columns[:2] == run.select("SYSTEM", "query_id").columns
    check(rows(result.drop("SYSTEM")), VALUES)
    sensitive = configured(spark, {"spark.sql.caseSensitive": "true"})
    with sensitive, pytest.raises(FrameError) as raised:
        score(run, qrels, "PRES@2")
    assert str(raised.value) == (
        "run: there is no column 'query_id'; it has Query_ID, DOC_ID, Score, System"
    )


@pytest.mark.slow
def test_names_that_differ_in_case_only(spark):
    run, qrels = frames(spark, run_table(RUN, SCORE=0.0), qrels_table(QRELS))
    # Spark itself calls such names ambiguous, unless it is case-sensitive.
    with configured(spark, {"spark.sql.caseSensitive": "true"}):
        check(rows(score(run, qrels, "PRES@2")), VALUES)
    check(rows(score(run, qrels, "PRES@2")), VALUES)
    with pytest.raises(FrameError) as raised:
        score(run, qrels, "PRES@2", score="Score")
    assert str(raised.value) == (
        "run: columns 'score' and 'SCORE' differ from 'Score' only in case, which is ignored; "
        "pass the exact name of one of them"
    )


@pytest.mark.slow
def test_decimals_are_scores_but_not_relevance(spark):
    run, qrels = frames(spark, run_table(RUN), qrels_table(QRELS))
    run = run.selectExpr("query_id", "doc_id", "CAST(score AS decimal(38, 10)) AS score")
    check(rows(score(run, qrels, "PRES@2")), VALUES)
    qrels = qrels.selectExpr("query_id", "doc_id", "CAST(relevance AS decimal(10, 0)) AS relevance")
    with pytest.raises(FrameError) as raised:
        score(run, qrels, "PRES@2")
    said = "relevance is a whole number, so cast the column to integers"
    assert (
        str(raised.value)
        == f"qrels: column 'relevance' contains Decimal(precision=10, scale=0); {said}"
    )
    qrels = qrels.selectExpr("query_id", "doc_id", "CAST(relevance AS bigint) AS relevance")
    check(rows(score(run, qrels, "PRES@2")), VALUES)


WITHOUT_ID = "topic 'q2' has a document without an id: null in column 'doc_id'"


@pytest.mark.slow
@pytest.mark.parametrize("ansi", ["ANSI", "not ANSI"], indirect=True)
@pytest.mark.parametrize(
    ("run", "qrels", "said", "options"),
    [
        ("score", None, "run: topic 'q2', document 'c': the score is null or NaN", {}),
        ("query_id", None, "run: null in column 'query_id'", {}),
        ("system", None, "run: null in column 'system'", {"by": "system"}),
        ("doc_id", None, f"run: {WITHOUT_ID}", {"measures": "PRES(judged_only=True)@2"}),
        ("doc_id", None, f"run: {WITHOUT_ID}", {"duplicates": "highest"}),
        (None, "query_id", "qrels: null in column 'query_id'", {}),
        (None, "doc_id", f"qrels: {WITHOUT_ID}", {}),
        (None, "relevance", "qrels: topic 'q2', document 'z': the relevance is null", {}),
    ],
    ids=str,
)
def test_nulls_of_a_left_join_are_refused(spark, ansi, run, qrels, said, options):
    # One row of either finds no partner, from which its column would come.
    tables = frames(spark, run_table(RUN, system="s"), qrels_table(QRELS))
    alone = ["query_id = 'q2' AND doc_id = 'c'", "query_id = 'q2' AND doc_id = 'z'"]
    for i, column in enumerate((run, qrels)):
        if column:
            table = tables[i].selectExpr("*", "concat(query_id, ' ', doc_id) AS _key")
            others = table.where(f"NOT ({alone[i]})").select("_key", column)
            joined = table.drop(column).join(others, on="_key", how="left")
            tables[i] = joined.select(tables[i].columns)
    result = score(*tables, **{"measures": "PRES@2", **options})
    with pytest.raises(Exception, match=re.escape(said)):
        result.collect()


@pytest.mark.slow
def test_parquet_whose_schema_has_evolved(spark, tmp_path):
    run, qrels = frames(spark, run_table(RUN), qrels_table(QRELS))
    judged, retrieved = str(tmp_path / "qrels"), str(tmp_path / "run")
    narrow = qrels.selectExpr("query_id", "doc_id", "CAST(relevance AS int) AS relevance")
    narrow.where("query_id = 'q1'").write.parquet(judged)
    qrels.where("query_id <> 'q1'").write.mode("append").parquet(judged)
    single = run.selectExpr("query_id", "doc_id", "CAST(score AS float) AS score")
    single.where("query_id = 'q1'").write.parquet(retrieved)
    run.where("query_id <> 'q1'").write.mode("append").parquet(retrieved)
    for folder in (judged, retrieved):
        # Spark itself does not merge such files,
        with pytest.raises(Exception, match="CANNOT_MERGE"):
            spark.read.option("mergeSchema", "true").parquet(folder).collect()
    # but it widens numbers to the type that it is told.
    result = score(
        spark.read.schema("query_id string, doc_id string, score double").parquet(retrieved),
        spark.read.schema("query_id string, doc_id string, relevance long").parquet(judged),
        "PRES@2",
    )
    check(rows(result), VALUES)


@pytest.mark.slow
def test_a_column_that_older_parquet_files_lack_is_null(spark, tmp_path):
    run, qrels = frames(spark, run_table(RUN), qrels_table(QRELS))
    folder = str(tmp_path / "run")
    # Older files lack a column: one that is not used, and then the scores.
    run.where("query_id = 'q1'").write.parquet(folder)
    later = run.selectExpr("*", "'x' AS added").where("query_id <> 'q1'")
    later.write.mode("append").parquet(folder)
    merged = spark.read.option("mergeSchema", "true").parquet(folder)
    check(rows(score(merged, qrels, "PRES@2")), VALUES)
    without = run.where("query_id = 'q2' AND doc_id = 'a'").select("query_id", "doc_id")
    without.selectExpr("query_id", "'older' AS doc_id").write.mode("append").parquet(folder)
    merged = spark.read.option("mergeSchema", "true").parquet(folder)
    result = score(merged, qrels, "PRES@2")
    said = "run: topic 'q2', document 'older': the score is null or NaN"
    with pytest.raises(Exception, match=re.escape(said)):
        result.collect()
