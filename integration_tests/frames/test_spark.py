"""Scores in Spark; each query of these takes seconds, so each test asks much of one."""

import re

import pytest
from frame_contract import (
    BAD_RANK,
    EQUAL_RANKS,
    FEW,
    NAMES,
    QRELS,
    REPEATED,
    RUN,
    with_equal_ranks,
    with_rows,
)
from repetitions import every
from scored_topics import check, collection, expected, qrels_table, ranks_table, run_table

from pres_plugin.frames import FrameError, score

pa = pytest.importorskip("pyarrow", reason="PyArrow is not installed")
sql = pytest.importorskip("pyspark.sql", reason="PySpark is not installed")
pytestmark = [
    pytest.mark.xdist_group("spark"),
    # PySpark 4.3 says of pandas 3 that it is not fully supported yet.
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]

MEASURES = ["PRES@3", "PRES_est@1", "PRES@1000000000000", "Rnorm(N=500)", "AP", "AP@2", "R@2"]


@pytest.fixture(scope="module")
def spark(spark_session):
    session = spark_session.newSession()
    # Small data: what is split up takes longer than it saves.
    session.conf.set("spark.sql.adaptive.enabled", "false")
    session.conf.set("spark.sql.shuffle.partitions", "1")
    return session


@pytest.fixture
def ansi(request, spark):
    """Run in Spark's ANSI mode, or without it."""
    spark.conf.set("spark.sql.ansi.enabled", request.param == "ANSI")
    yield
    spark.conf.unset("spark.sql.ansi.enabled")


def frames(spark, *tables):
    rows = [(table.to_pylist(), ", ".join(_columns(table))) for table in tables]
    return [spark.createDataFrame([tuple(r.values()) for r in data], s) for data, s in rows]


def _columns(table):
    kinds = {"string": "string", "double": "double", "int64": "bigint"}
    quoted = (field.name.replace("`", "``") for field in table.schema)
    types = (kinds[str(field.type)] for field in table.schema)
    return (f"`{name}` {kind}" for name, kind in zip(quoted, types, strict=True))


@pytest.mark.parametrize(
    "ansi", ["ANSI", pytest.param("not ANSI", marks=pytest.mark.slow)], indirect=True
)
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


def test_decimal_scores_are_numbers_and_decimal_relevance_is_refused(spark):
    decimals = spark.sql(
        "SELECT 'q' AS query_id, 'a' AS doc_id, 1e20 :: decimal(38, 0) AS score, 1L AS relevance"
    )
    assert [row.value for row in score(decimals, decimals, "AP").collect()] == [1.0]
    with pytest.raises(FrameError, match="qrels: column 'score' contains Decimal"):
        score(decimals, decimals, "AP", relevance="score")
