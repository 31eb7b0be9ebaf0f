"""What Spark moves between its tasks to score a run: each row of it once."""

from __future__ import annotations

import random

import ir_measures
import pandas as pd
import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed")

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 (as Spark's users write it)
from repetitions import every

from pres_plugin.frames import score

pytestmark = pytest.mark.xdist_group("spark")

N_TOPICS, N_DOCS = 20, 100
N_ROWS = N_TOPICS * N_DOCS


@pytest.fixture(
    params=[
        pytest.param("true", id="adaptive"),
        pytest.param("false", id="as planned", marks=pytest.mark.slow),
    ]
)
def spark(request, spark_session):
    """A session whose settings end with the test."""
    session = spark_session.newSession()
    session.conf.set("spark.sql.shuffle.partitions", "2")
    session.conf.set("spark.sql.adaptive.enabled", request.param)
    return session


@pytest.fixture(scope="module")
def run():
    rng = random.Random(0)
    rows = [
        (f"q{topic}", f"d{doc}", round(rng.random(), 2))
        for topic in range(N_TOPICS)
        for doc in rng.sample(range(1000), N_DOCS)
    ]
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "score"])


@pytest.fixture(scope="module")
def qrels(run):
    judged = run.sample(N_TOPICS * 5, random_state=0)
    return judged[["query_id", "doc_id"]].assign(relevance=[0, 1, 2, 1, 0] * N_TOPICS)


@pytest.fixture
def frames(spark, tmp_path, run, qrels):
    """The run and qrels as files, of which Spark knows no more than that."""

    def read(name: str, frame: pd.DataFrame) -> DataFrame:
        frame.to_parquet(tmp_path / f"{name}.parquet")
        return spark.read.parquet(str(tmp_path / f"{name}.parquet"))

    return read("run", run), read("qrels", qrels)


def moved(scored: DataFrame) -> list[int]:
    """How many rows each shuffle of an executed query wrote."""
    return [
        node.metrics().get("shuffleRecordsWritten").get().value()
        for node in _nodes(scored._jdf.queryExecution().executedPlan())
        if node.getClass().getSimpleName() == "ShuffleExchangeExec"
    ]


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


def values(scored: DataFrame) -> dict[tuple[str, str], float]:
    return {(row["query_id"], row["measure"]): row["value"] for row in scored.collect()}


def expected(run: pd.DataFrame, qrels: pd.DataFrame, *measures: str) -> object:
    parsed = [ir_measures.parse_measure(measure) for measure in measures]
    scored = ir_measures.iter_calc(parsed, qrels, run)
    return pytest.approx({(m.query_id, str(m.measure)): m.value for m in scored})


def shuffles_of_the_run(scored: DataFrame) -> int:
    """Shuffles of as many rows as the run has; each other one is of few."""
    counts = moved(scored)
    assert counts
    assert all(count <= N_ROWS / 10 for count in counts if count != N_ROWS)
    return counts.count(N_ROWS)


def test_a_run_is_shuffled_once(frames, run, qrels):
    scored = score(*frames, ["PRES@50", "AP", "R@50"])
    assert values(scored) == expected(run, qrels, "PRES@50", "AP", "R@50")
    assert shuffles_of_the_run(scored) == 1


@pytest.mark.parametrize(
    "measures", every(2, [["PRES@50", "PRES(rel=2)@50"], ["Rnorm(N=1000)", "AP(rel=2)"]]), ids=str
)
def test_other_levels_of_relevance_and_sizes_take_no_other_shuffle(frames, run, qrels, measures):
    scored = score(*frames, measures)
    assert values(scored) == expected(run, qrels, *measures)
    assert shuffles_of_the_run(scored) == 1


@pytest.mark.slow
def test_several_runs_are_shuffled_once(spark, tmp_path, frames, run, qrels):
    reverse = run.assign(score=-run["score"])
    both = pd.concat([run.assign(system="a"), reverse.assign(system="b")])
    both.to_parquet(tmp_path / "both.parquet")
    scored = score(spark.read.parquet(str(tmp_path / "both.parquet")), frames[1], "AP", by="system")
    assert values(scored.filter("system = 'a'")) == expected(run, qrels, "AP")
    assert values(scored.filter("system = 'b'")) == expected(reverse, qrels, "AP")
    scored.collect()
    counts = moved(scored)
    assert counts.count(2 * N_ROWS) == 1
    assert sum(counts) < 2.5 * N_ROWS


def test_qrels_said_to_be_small_are_broadcast(spark, frames, run, qrels):
    spark.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
    spark.conf.set("spark.sql.adaptive.autoBroadcastJoinThreshold", "-1")
    scored = score(frames[0], F.broadcast(frames[1]), "PRES@50")
    assert values(scored) == expected(run, qrels, "PRES@50")
    assert shuffles_of_the_run(scored) == 1


@pytest.mark.parametrize(
    ("all_keys", "shuffles"), [("true", 2), pytest.param("false", 1, marks=pytest.mark.slow)]
)
def test_qrels_too_large_to_broadcast_come_to_the_run(
    spark, frames, run, qrels, all_keys, shuffles
):
    spark.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
    spark.conf.set("spark.sql.adaptive.autoBroadcastJoinThreshold", "-1")
    spark.conf.set("spark.sql.requireAllClusterKeysForCoPartition", all_keys)
    scored = score(*frames, "PRES@50")
    assert values(scored) == expected(run, qrels, "PRES@50")
    assert shuffles_of_the_run(scored) == shuffles


@pytest.mark.slow
@pytest.mark.parametrize(
    "how", [{"duplicates": "highest"}, {"measures": "AP(judged_only=True)"}], ids=str
)
def test_what_comes_before_ranking_uses_rows_that_are_together(frames, how):
    how = {"measures": "AP", **how}
    apart = score(*frames, **how)
    together = score(frames[0].repartition("query_id"), frames[1], **how)
    assert values(apart) == pytest.approx(values(together))
    assert shuffles_of_the_run(together) == 1


@pytest.mark.parametrize("by", every(2, ["system", None]))
def test_a_table_bucketed_by_topic_is_not_shuffled(spark, tmp_path, frames, run, qrels, by):
    stored = frames[0].withColumn("system", F.when(F.col("score") > 0.5, "a").otherwise("b"))
    path = str(tmp_path / "bucketed")
    stored.write.bucketBy(2, "query_id").option("path", path).saveAsTable("bucketed_run")
    try:
        scored = score(spark.table("bucketed_run"), frames[1], "PRES@50", by=by)
        if by is None:
            assert values(scored) == expected(run, qrels, "PRES@50")
        else:
            better = values(scored.filter("system = 'a'"))
            assert better == expected(run[run["score"] > 0.5], qrels, "PRES@50")
            scored.collect()
        assert shuffles_of_the_run(scored) == 0
    finally:
        spark.sql("DROP TABLE bucketed_run")
